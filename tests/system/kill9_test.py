#!/usr/bin/env -S python3 -B
"""kill -9 at random moments. SLUICE_KILL_ROUNDS, SLUICE_KILL_RECORDS and SLUICE_KILL_SEED set how many and when."""

import os
import random
import sys
import time

import world
from world import fields_of, on_each_engine, records, rest_connection, rule

ROUNDS = int(os.environ.get("SLUICE_KILL_ROUNDS", "3"))
RECORDS = int(os.environ.get("SLUICE_KILL_RECORDS", "3000"))
SEED = int(os.environ.get("SLUICE_KILL_SEED", random.SystemRandom().randrange(1 << 30)))


class Kill9(world.SystemTest):

    def kill_and_restart(self, engine, **how):
        print(f"SLUICE_KILL_SEED={SEED}", file=sys.stderr)
        moments = random.Random(SEED)
        w = self.world(engine)
        crm = w.crm("--latency", "4ms")
        w.apply([rest_connection("crm", crm.url, **how)], [rule()])
        made = records(RECORDS)
        w.must_import("customers", made)

        for after in sorted(moments.sample(range(1, RECORDS * 9 // 10), ROUNDS)):
            node = w.launch()
            world.wait_until(lambda count=after: node.alive() and crm.count("customers") >= count, 90,
                             f"{after} records are there")
            time.sleep(moments.uniform(0, 0.05))  # where in a batch it happens is left to chance
            node.alive()
            node.kill()
            w.query("UPDATE ownership SET lease_until = 0")  # as when its lease has run out
        node = w.serve()
        world.wait_until(lambda: node.alive() and w.delivered(RECORDS), 120, "all are delivered")

        w.assert_agree(crm, "customers", fields_of(made))
        self.assertEqual(crm.count("customers", "creates"), RECORDS)
        self.assertEqual(w.counts("customers"), {"delivered": RECORDS})

    @on_each_engine
    def test_nothing_is_missing_or_twice_where_records_are_looked_up(self, engine):
        self.kill_and_restart(engine)

    @on_each_engine
    def test_nothing_is_missing_or_twice_under_idempotency_keys(self, engine):
        self.kill_and_restart(engine, key=True, lookup=False)


if __name__ == "__main__":
    world.main()
