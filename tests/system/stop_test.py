#!/usr/bin/env -S python3 -B
"""A stop under full load: once it is acknowledged the target sees nothing new."""

import world
from world import on_each_engine, records, rest_connection, rule

OUT = 32
WAITING = 10_000


class Stop(world.SystemTest):

    @on_each_engine
    def test_nothing_starts_after_the_acknowledgement_and_a_resume_loses_nothing(self, engine):
        w = self.world(engine, api=world.API, delivery={"settle_after": "30s"},
                       calls={"call_timeout": "30s", "max_in_flight": OUT, "max_in_flight_connection": OUT})
        target = w.target()
        target.hold.clear()
        w.apply([rest_connection("crm", target.url)], [rule()])
        w.must_import("customers", records(OUT + WAITING))
        node = w.serve()
        world.wait_until(lambda: node.alive() and len(target.created()) == OUT, 60, "32 calls are out")

        w.operate(node, "stop", "--global", "--reason", "the target asked for it")
        acknowledged = target.created()
        target.hold.set()
        self.assertEqual(len(acknowledged), OUT)
        world.wait_until(lambda: node.alive() and w.delivered(OUT), 30, "what was out is recorded")
        w.must_import("customers", records(1, first=OUT + WAITING), name="later.ndjson")
        world.wait_until(lambda: w.query("SELECT count(*) FROM delivery_runs WHERE ending = 'stopped'") == [("1",)], 30,
                         "the run has ended")
        self.assertEqual(target.created(), acknowledged)
        self.assertEqual(w.counts("customers"), {"delivered": OUT})

        w.operate(node, "resume", "--global")
        world.wait_until(lambda: node.alive() and w.delivered(OUT + WAITING + 1), 120, "all are delivered")
        self.assertEqual(sorted(target.created()), sorted(made["id"] for made in records(OUT + WAITING + 1)))


if __name__ == "__main__":
    world.main()
