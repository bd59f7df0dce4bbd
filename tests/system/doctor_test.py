#!/usr/bin/env -S python3 -B
"""`sluice doctor` on installations that are well and on such as are not, and the way back from an old backup."""

import json
import shutil

import world
from world import fields_of, records, rest_connection, rule


class Doctor(world.SystemTest):

    def examine(self, w, code, **options):
        done = w.run("--json", "doctor", **options)
        self.assertEqual(done.code, code, done.out + done.err)
        document = json.loads(done.out)
        self.assertEqual(document["content"], code == 0)
        return {finding["check"]: finding for finding in document["findings"] if finding["result"] == "wrong"}

    @world.on_each_engine
    def test_it_is_content_with_a_node_at_work(self, engine):
        w = self.world(engine, api=world.API)
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        w.must_import("customers", records(50))
        w.serve()
        world.wait_until(lambda: w.delivered(50), 60, "all are delivered")
        self.assertEqual(self.examine(w, 0), {})

    @world.on_each_engine
    def test_it_names_a_missing_trigger_and_what_was_committed_behind_the_cursor(self, engine):
        w = self.world(engine)
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        w.must_import("customers", records(3))
        w.deliver()
        w.query("DROP TRIGGER mirror_records_inserted" + (" ON mirror_records" if engine == "postgresql" else ""))
        w.query("UPDATE delivery_cursors SET activated_at = 1000, previous_pass_at = 9000000000")
        w.query("INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at) "
                "SELECT id, 'customers', 'late-1', '{}', 5000 FROM connections WHERE name = 'shop'")
        wrong = self.examine(w, 1)
        self.assertEqual(sorted(wrong), ["late", "triggers"])
        self.assertIn("mirror_records_inserted is missing", wrong["triggers"]["says"])
        self.assertIn("late-1", wrong["late"]["says"])

    def test_it_says_which_credentials_do_not_open(self):
        w = self.world()
        connection = rest_connection("crm", "http://127.0.0.1:1")
        connection["settings"]["auth"] = {"type": "bearer"}
        connection["credentials"] = {"token": "secret-of-the-crm"}
        w.apply([connection], [rule()])
        self.assertEqual(self.examine(w, 0), {})
        other = {"SLUICE_KEYS_KEYS": "test:" + "8" * 64}
        wrong = self.examine(w, 1, environment=other)
        self.assertEqual(list(wrong), ["keys"])
        self.assertIn("crm", wrong["keys"]["says"])

    def test_it_names_every_fault_of_the_settings(self):
        w = self.world()
        wrong = self.examine(w, 1, config=w.write("bad.toml", "[delivery]\nscan_batch_size = 0\n"))
        self.assertIn("scan_batch_size", wrong["settings"]["says"])

    def test_it_asks_for_the_migration_of_an_older_schema_and_refuses_a_newer_one(self):
        w = self.world()
        w.query("DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)")
        self.assertIn("migrate", self.examine(w, 1)["schema"]["do"])
        w.query("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'later', 0)")
        self.assertIn("newer", self.examine(w, 1)["schema"]["says"])

    @world.on_each_engine
    def test_it_names_what_was_written_wrongly_past_the_import(self, engine):
        w = self.world(engine)
        w.apply([rest_connection("crm", "http://127.0.0.1:9")], [rule()])
        w.must_import("customers", records(3))
        self.assertEqual(w.run("doctor", "--mirror").code, 0)
        w.query("UPDATE mirror_records SET payload = 'no json' WHERE source_id = 'r-00001'")
        w.query("UPDATE mirror_records SET content_changed_at = 1700000000000 WHERE source_id = 'r-00002'")
        self.assertEqual(w.run("doctor").code, 0)
        done = w.run("--json", "doctor", "--mirror")
        self.assertEqual(done.code, 1)
        said = [one["says"] for one in json.loads(done.out)["findings"] if one["check"] == "mirror"]
        self.assertEqual(len(said), 2, said)
        self.assertTrue(any("r-00001" in one and "no JSON" in one for one in said), said)
        self.assertTrue(any("r-00002" in one and "milliseconds" in one for one in said), said)

    def test_after_an_old_backup_nothing_is_created_twice(self):
        w = self.world()
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        w.must_import("customers", records(20))
        w.deliver()
        database = w.folder / "sluice.db"
        w.query(f"VACUUM INTO '{w.folder / 'backup.db'}'")
        w.must_import("customers", records(50), name="more.ndjson")
        w.deliver()
        self.assertEqual(crm.count("customers"), 50)

        for rest in w.folder.glob("sluice.db*"):
            rest.unlink()
        shutil.copy(w.folder / "backup.db", database)
        w.must_run("doctor", "--after-restore")
        w.must_import("customers", records(60), name="all.ndjson")
        before = crm.requests()
        w.deliver()
        self.assertEqual(crm.requests(), before, "delivery begins stopped")
        w.query("UPDATE delivery_stops SET ended_at = 1, resolution = 'resumed' WHERE ended_at IS NULL")
        w.deliver()
        w.assert_agree(crm, "customers", fields_of(records(60)))
        w.must_run("doctor", "--after-restore", "--over")
        self.assertEqual(w.query("SELECT count(*) FROM restores"), [("0",)])


if __name__ == "__main__":
    world.main()
