#!/usr/bin/env -S python3 -B
"""Faults of settings, apply files and the environment: all at once, each with its place and what is allowed."""

import world

FAULTY_SETTINGS = """[database]
url = "sqlite:x.db"
readers = "two"

[delivery]
scan_batch_size = 0
retry_schedule = ["1m", "soon"]
colour = "red"

[calls]
allowed_networks = ["10.0.0.0/33"]

[nobody]
knows = "this"
"""

FAULTY_PLAN = """[[tenants]]
name = "acme"

[[connections]]
tenant = "acme"
name = "shop"
driver = "mirror"

[[connections]]
tenant = "acme"
name = "crm"
driver = "rest"
[connections.settings]
base_url = "http://127.0.0.1:1"
[connections.settings.operations.create]
method = "FETCH"
path = "/{domain}"

[[rules]]
name = "to-crm"
source = "shop"
target = "crm"
domain = "customers"
update_mode = "sometimes"
flavour = "vanilla"
[rules.mapping]
name = { from = "name" }
"""


class BadSettings(world.SystemTest):

    def assert_names(self, said, *places):
        for words in places:
            lines = [line for line in said.splitlines() if all(word in line for word in words)]
            self.assertTrue(lines, f"{words} are not named in one line of: {said}")

    def test_every_fault_of_the_settings_is_named_with_line_key_and_what_is_allowed(self):
        w = self.world()
        bad = w.write("bad.toml", FAULTY_SETTINGS)
        for command in (("config", "check"), ("serve",), ("migrate",), ("deliver", "--once")):
            with self.subTest(command):
                done = w.run(*command, config=bad)
                self.assertEqual(done.code, 2, done.err)
                self.assert_names(done.err, ("bad.toml:3", "readers", "1 to 16"),
                                  ("bad.toml:6", "scan_batch_size", "1 to 10000"),
                                  ("bad.toml:7", "retry_schedule", "soon"), ("bad.toml:8", "colour"),
                                  ("bad.toml:11", "allowed_networks", "ADDRESS/BITS"), ("bad.toml:13", "nobody"))

    def test_text_that_is_no_toml_and_a_missing_file_are_named(self):
        w = self.world()
        done = w.run("config", "check", config=w.write("broken.toml", "[database]\nurl = \n"))
        self.assertEqual(done.code, 2)
        self.assert_names(done.err, ("broken.toml:2",))
        done = w.run("config", "check", config=w.folder / "missing.toml")
        self.assertEqual(done.code, 2)
        self.assert_names(done.err, ("missing.toml",))

    def test_faults_of_the_environment_are_named_by_variable(self):
        w = self.world()
        done = w.run("config", "check", environment={"SLUICE_DELIVERY_SCAN_BATCH_SIZE": "many",
                                                     "SLUICE_CALLS_CALL_TIMEOUT": "10"})
        self.assertEqual(done.code, 2)
        self.assert_names(done.err, ("SLUICE_DELIVERY_SCAN_BATCH_SIZE", "1 to 10000"),
                          ("SLUICE_CALLS_CALL_TIMEOUT", "duration"))

    def test_a_value_of_a_secret_is_never_shown(self):
        w = self.world()
        secret = "hunter2hunter2hunter2"
        done = w.run("config", "check", environment={"SLUICE_KEYS_KEYS": f"main:{secret}"})
        self.assertEqual(done.code, 2)
        self.assertNotIn(secret, done.out + done.err)
        self.assertNotIn("7" * 64, w.must_run("config", "check"))

    def test_every_fault_of_an_apply_file_is_named_and_nothing_is_applied(self):
        w = self.world()
        done = w.run("apply", w.write("plan.toml", FAULTY_PLAN), "--yes")
        self.assertEqual(done.code, 1, done.err)
        self.assert_names(done.err, ("plan.toml:24", "update_mode", "overwrite", "create_only"),
                          ("plan.toml:25", "flavour"), ("plan.toml", "mapping", "name"))
        self.assertEqual(w.query("SELECT count(*) FROM connections"), [("0",)])

    def test_a_writer_s_faults_are_named_once_the_file_itself_is_well(self):
        w = self.world()
        plan = FAULTY_PLAN.replace('update_mode = "sometimes"\nflavour = "vanilla"\n', "")
        plan = plan.replace('"name" }', '"/name" }')
        done = w.run("apply", w.write("plan.toml", plan), "--yes")
        self.assertEqual(done.code, 1, done.err)
        self.assert_names(done.err, ("crm", "operations.create.method", "FETCH", "POST"))
        self.assertEqual(w.query("SELECT count(*) FROM connections"), [("0",)])

    def test_usage_faults_end_with_two(self):
        w = self.world()
        for arguments in (("import",), ("deliver",), ("serve", "--nothing"), ("ledger", "--rule", "x", "--limit", "0")):
            with self.subTest(arguments):
                self.assertEqual(w.run(*arguments).code, 2)

    def test_a_database_that_is_not_there_ends_with_three(self):
        w = self.world()
        done = w.run("serve", environment={"SLUICE_DATABASE_URL": "postgresql:host=127.0.0.1 port=1 user=x dbname=x"})
        self.assertEqual(done.code, 3, done.err)


if __name__ == "__main__":
    world.main()
