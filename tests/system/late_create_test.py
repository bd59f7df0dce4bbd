#!/usr/bin/env -S python3 -B
"""Creates a target carries out after everybody has stopped waiting for them."""

import world
from world import on_each_engine, records, rest_connection, rule


class LateCreate(world.SystemTest):

    @on_each_engine
    def test_a_create_that_times_out_while_the_target_works_on_it_is_not_sent_twice(self, engine):
        w = self.world(engine, delivery={"settle_after": "5s"})
        target = w.target()
        target.slow = {"r-00003": 2, "r-00007": 4}
        w.apply([rest_connection("crm", target.url)], [rule()])
        w.must_import("customers", records(20))

        node = w.serve()
        world.wait_until(lambda: node.alive() and w.delivered(20), 60, "all are delivered")

        self.assertEqual(sorted(target.begun), sorted(target.slow))
        self.assertEqual(sorted(target.created()), [made["id"] for made in records(20)])
        linked = {row["source_id"]: row["remote_id"] for row in w.ledger("customers")}
        for late in target.slow:
            self.assertEqual(linked[late], target.find(late)[0]["id"])


if __name__ == "__main__":
    world.main()
