#!/usr/bin/env -S python3 -B
"""An act on many records goes on by itself after kill -9, and does each of them once. SLUICE_KILL_SEED sets when."""

import os
import random
import sys

import world
from world import fields_of, on_each_engine, records, rest_connection, rule

RECORDS = 3000
ROUNDS = 3
SEED = int(os.environ.get("SLUICE_KILL_SEED", random.SystemRandom().randrange(1 << 30)))
EXHAUSTED = """
INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, seen_content_changed_at, seen_revision,
                                 attempts, error_class, row_version, updated_at)
SELECT r.id, m.source_id, 'exhausted', 'absent', m.content_changed_at, 1, 5, 'http_503', 1, 1
FROM sync_rules AS r, mirror_records AS m"""


class Jobs(world.SystemTest):

    @on_each_engine
    def test_a_job_of_a_node_that_is_killed_is_done_by_the_next_ones(self, engine):
        print(f"SLUICE_KILL_SEED={SEED}", file=sys.stderr)
        moments = random.Random(SEED)
        w = self.world(engine, api=world.API, delivery={"drain_chunk_size": 5})
        crm = w.crm("--latency", "2ms")
        w.apply([rest_connection("crm", crm.url)], [rule()])
        made = records(RECORDS)
        w.must_import("customers", made)
        w.query(EXHAUSTED)

        node = w.serve()
        world.wait_until(lambda: node.alive() and "node.configured" in node.said(), 30, "its rules are listed")
        begun = w.operate(node, "reopen", "customers", "--all", "--yes", "--no-wait")
        self.assertEqual((begun["count"], begun["job"]["counted"]), (RECORDS, RECORDS))
        for after in sorted(moments.sample(range(1, RECORDS * 8 // 10), ROUNDS)):
            world.wait_until(lambda count=after, node=node: node.alive() and self.done(w) >= count, 90,
                             f"{after} records are offered again")
            node.kill()
            w.query("UPDATE ownership SET lease_until = 0")  # as when its lease has run out
            node = w.serve()

        world.wait_until(lambda: node.alive() and w.delivered(RECORDS), 120, "all are delivered")
        self.assertEqual(w.query("SELECT counted, done, ending FROM rule_jobs"),
                         [(str(RECORDS), str(RECORDS), "completed")])
        self.assertEqual(w.operate(node, "jobs", "customers")["jobs"][0]["done"], RECORDS)
        w.assert_agree(crm, "customers", fields_of(made))
        self.assertEqual(crm.count("customers", "creates"), RECORDS)

    def done(self, w):
        return int(w.query("SELECT done FROM rule_jobs")[0][0])


if __name__ == "__main__":
    world.main()
