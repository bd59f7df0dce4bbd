#!/usr/bin/env -S python3 -B
"""SIGTERM: the node ends within 10 s with its work recorded, whatever lies in the future or hangs."""

import world
from world import fields_of, records, rest_connection, rule


class Sigterm(world.SystemTest):

    def test_retries_that_are_due_in_two_hours_are_still_due_after_a_restart(self):
        w = self.world(delivery={"retry_schedule": ["2h"]}, circuit={"failures": 100000})
        crm = w.crm("--fail-rate", "1")
        w.apply([rest_connection("crm", crm.url)], [rule()])
        w.must_import("customers", records(1000))
        node = w.serve()
        world.wait_until(lambda: w.counts("customers") == {"failed": 1000}, 60, "all have failed once")

        self.assertEqual(node.terminate(), 0)
        self.assertLess(node.ended_in, 10)
        before = w.ledger("customers")
        self.assertTrue(all(row["next_attempt_at"] and row["attempts"] == 1 for row in before))

        node = w.serve()
        w.must_import("customers", records(1, first=1000), name="one_more.ndjson")
        world.wait_until(lambda: w.counts("customers") == {"failed": 1001}, 60, "a new record is tried")
        self.assertEqual(node.terminate(), 0)
        self.assertEqual([row for row in w.ledger("customers") if row["source_id"] != "r-01000"], before)
        self.assertEqual(crm.requests(), 1001)

    def test_calls_that_hang_do_not_hold_up_the_end_and_are_settled_afterwards(self):
        w = self.world(calls={"call_timeout": "30s"}, delivery={"settle_after": "30s"})
        target = w.target()
        target.hold.clear()
        w.apply([rest_connection("crm", target.url)], [rule()])
        made = records(100)
        w.must_import("customers", made)
        node = w.serve()
        world.wait_until(lambda: len(target.created()) >= 8, 30, "calls are out")

        self.assertEqual(node.terminate(), 0)
        self.assertLess(node.ended_in, 10)

        target.hold.set()
        w.serve()
        world.wait_until(lambda: w.delivered(100), 60, "all are delivered")
        self.assertEqual(sorted(target.created()), sorted(fields_of(made)))


if __name__ == "__main__":
    world.main()
