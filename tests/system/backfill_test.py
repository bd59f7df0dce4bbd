#!/usr/bin/env -S python3 -B
"""A backfill that a person aborts and starts again, with what the log says of it."""

import world
from world import on_each_engine, records, rest_connection, rule

RECORDS = 300
BATCH = 50


class Backfill(world.SystemTest):

    def begin(self, engine, in_flight, prepare):
        """A node whose first backfill has met what `prepare` did to its target."""
        w = self.world(engine, api=world.API,
                       delivery={"scan_batch_size": BATCH, "batches_in_hand": 2, "scan_overlap": "1ms",
                                 "settle_after": "30s"},
                       throttle={"max_wait": "1s"}, calls={"call_timeout": "30s", "max_in_flight": in_flight})
        target = w.target()
        prepare(target)
        connection = [rest_connection("crm", target.url)]
        w.apply(connection, [])
        w.must_import("customers", records(RECORDS))
        w.apply(connection, [rule()])
        return w, target, w.serve()

    def start_again(self, w, target, node, delivered):
        """The new backfill begins at the beginning and sends what the one before did not."""
        self.assertEqual(len(target.created()), delivered)
        w.operate(node, "backfill", "start", "customers", "--yes", "--creates", str(RECORDS - delivered))
        world.wait_until(lambda: node.alive() and w.delivered(RECORDS) and self.ended(w), 60, "all are delivered")
        self.assertEqual(sorted(target.created()), [record["id"] for record in records(RECORDS)])
        self.assertEqual(w.query("SELECT backfill_generation FROM delivery_cursors"), [("2",)])
        self.assertIn("backfill.started", node.said())

    def ended(self, w):
        return w.query("SELECT count(*) FROM delivery_cursors WHERE backfill_until IS NOT NULL") == [("0",)]

    @on_each_engine
    def test_in_the_middle_of_a_batch_what_is_out_is_delivered_and_its_write_dropped(self, engine):
        w, target, node = self.begin(engine, 8, lambda target: target.hold_after(BATCH // 2))
        world.wait_until(lambda: node.alive() and len(target.created()) == BATCH // 2 + 7, 60, "eight calls are out")

        w.operate(node, "backfill", "abort", "customers")
        self.assertTrue(self.ended(w))
        self.assertEqual(len(target.created()), BATCH // 2 + 7)
        target.hold_after(None)
        world.wait_until(lambda: node.alive() and "backfill.write_dropped" in node.said(), 30, "the write is dropped")
        world.wait_until(lambda: w.query("SELECT count(*) FROM delivery_runs WHERE ending IS NULL") == [("0",)], 30,
                         "the run has ended")

        number, = w.query("SELECT id FROM sync_rules")[0]
        self.assertRegex(node.said(), rf"backfill\.write_dropped.* rule={number} generation=1\b")
        self.assertRegex(node.said(), rf"backfill\.aborted.* rule={number}\b")
        delivered = len(target.created())
        self.assertTrue(w.delivered(delivered))
        self.assertLess(delivered, RECORDS)
        self.start_again(w, target, node, delivered)

    @on_each_engine
    def test_between_two_batches_nothing_is_out_and_nothing_dropped(self, engine):
        after = 2 * BATCH
        beyond = [record["id"] for record in records(RECORDS)[after:]]
        w, target, node = self.begin(engine, 1, lambda target: target.limited.update(dict.fromkeys(beyond, "5")))
        world.wait_until(lambda: node.alive() and w.query(
            "SELECT count(*) FROM delivery_runs WHERE ending = 'throttled'") == [("1",)], 60, "the target limits")
        self.assertEqual(w.query("SELECT m.source_id FROM delivery_cursors c JOIN mirror_records m ON m.id = c.backfill_id"),
                         [(f"r-{after - 1:05}",)])

        w.operate(node, "backfill", "abort", "customers")
        self.assertTrue(self.ended(w))
        target.limited.clear()
        self.assertTrue(w.delivered(after))
        self.start_again(w, target, node, after)
        self.assertNotIn("backfill.write_dropped", node.said())


if __name__ == "__main__":
    world.main()
