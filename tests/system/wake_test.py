#!/usr/bin/env -S python3 -B
"""A change that another process writes reaches the target although the node is at rest and looks only every minute."""

import json
import time

import world
from world import fields_of, on_each_engine, records, rest_connection, rule

NOW = {"sqlite": "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) * 1000",
       "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"}
GREATEST = {"sqlite": "max", "postgresql": "greatest"}


class Wake(world.SystemTest):

    def at_rest(self, engine):
        w = self.world(engine, delivery={"dispatch_interval": "1m", "heartbeat_stale_after": "5m"})
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        made = records(20)
        w.must_import("customers", made)
        w.serve()
        world.wait_until(lambda: w.delivered(20), 30, "the first are delivered")
        world.wait_until(lambda: w.query("SELECT count(*) FROM delivery_runs WHERE ending IS NULL") == [("0",)], 30,
                         "the node is at rest")
        return w, crm, made

    @staticmethod
    def assert_arrives(crm, made):
        world.wait_until(lambda: crm.items("customers") == fields_of(made), 2, "the change is at the target")

    @on_each_engine
    def test_an_import_of_another_process_arrives(self, engine):
        w, crm, made = self.at_rest(engine)
        made[3]["name"] = "changed"
        made += records(1, first=20)
        w.must_import("customers", made)
        self.assert_arrives(crm, made)

    @on_each_engine
    def test_a_row_written_directly_arrives(self, engine):
        w, crm, made = self.at_rest(engine)
        for number in range(3):
            made[number]["name"] = f"written by hand {number}"
            payload = json.dumps(made[number])
            w.query(f"""
                UPDATE mirror_records SET payload = '{payload}', content_changed_at = {GREATEST[engine]}({NOW[engine]},
                  (SELECT max(content_changed_at) + 1 FROM mirror_records WHERE domain = 'customers'))
                WHERE source_id = '{made[number]["id"]}' AND domain = 'customers'""")
            self.assert_arrives(crm, made)
            time.sleep(0.05)  # at rest again


if __name__ == "__main__":
    world.main()
