"""Everything the benchmark knows about Sluice: its files, its commands, its tables."""

import json
import os
import sqlite3
import subprocess
import time

import services

SOURCE = "bench_source"
TARGET = "bench_target"
FAILING_TARGET = "bench_failing"
DOMAIN = "customers"
RULES_A_FILE = 20_000  # an apply file may have 16 MiB
RULE = "bench_rule"

FIELDS = ["email", "first_name", "last_name", "phone", "street", "postal_code", "city", "country", "segment",
          "subscribed", "balance", "note"]

SETTINGS = {
    "default": {},
    "best": {
        "calls": {"max_in_flight": 64, "max_in_flight_connection": 64},
    },
}

# What settles a create whose answer was lost. Without it creates are made at most max_in_flight ahead, so that a crash
# never leaves more of them to a person.
LOOKUP = """
[connections.settings.operations.lookup]
path = "/customers?external_id={source_id}"
matches = "/items"
id = "/id"
"""


def toml_value(value):
    return json.dumps(value)


def settings_text(database, sections):
    """sluice.toml: the database, leave to call loopback, and what a run changes."""
    merged = {"database": {"url": database}, "calls": {"allowed_networks": ["127.0.0.0/8"]}, "log": {"level": "warn"}}
    for section, values in sections.items():
        merged.setdefault(section, {}).update(values)
    lines = []
    for section, values in merged.items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {toml_value(value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def connections_text(sink_address, lookup):
    return f"""
[[tenants]]
name = "bench"

[[connections]]
tenant = "bench"
name = "{SOURCE}"
driver = "mirror"

[[connections]]
tenant = "bench"
name = "{TARGET}"
driver = "rest"

[connections.settings]
base_url = "http://{sink_address}"

[connections.settings.operations.create]
path = "/customers"
id = "/id"

[connections.settings.operations.update]
path = "/customers/{{remote_id}}"
""" + (LOOKUP if lookup else "")


def rule_texts(rules, failing=0):
    """So many rules, each of a domain of its own; the first ones have a target of their own, which may be put in error."""
    if rules == 1:
        return [rule_text(RULE)]
    other = [f"""
[[connections]]
tenant = "bench"
name = "{FAILING_TARGET}"
driver = "rest"
settings = {{ base_url = "http://127.0.0.1:9", operations.create.path = "/customers", operations.update.path = "/customers/{{remote_id}}" }}
"""] if failing else []
    return other + [rule_text(f"rule_{number}", f"{DOMAIN}_{number}", FAILING_TARGET if number < failing else TARGET)
                    for number in range(rules)]


def rule_text(name, domain=DOMAIN, target=TARGET):
    mapping = "\n".join(f'{field} = "/{field}"' for field in FIELDS)
    return f"""
[[rules]]
name = "{name}"
source = "{SOURCE}"
target = "{target}"
domain = "{domain}"
direction = "push_out"
active = true
update_mode = "overwrite"
delete_policy = "ignore"

[rules.mapping]
id = {{ template = "{{source_id}}" }}
{mapping}
"""


class SqliteTables:
    def __init__(self, url):
        self._connection = sqlite3.connect(url.removeprefix("sqlite:"), timeout=10, isolation_level=None)

    def value(self, statement):
        return self._connection.execute(statement).fetchone()[0]

    def change(self, statement):
        """Runs a statement; returns the time its commit began, in UTC microseconds."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(statement)
        began = time.time_ns() // 1000
        self._connection.execute("COMMIT")
        return began

    def close(self):
        self._connection.close()


class PostgreSqlTables:
    """Through one psql that stays, so that starting it is not measured."""

    def __init__(self, postgresql, database):
        self._psql = subprocess.Popen(
            [postgresql.binaries / "psql", "-X", "-q", "-A", "-t", postgresql.conninfo(database)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.value("SELECT 1")

    def value(self, statement):
        self._say(f"{statement};")
        text = self._psql.stdout.readline().strip()
        return int(text) if text.lstrip("-").isdigit() else text

    def change(self, statement):
        self._say(f"BEGIN; {statement};")
        self.value("SELECT 1")
        began = time.time_ns() // 1000
        self._say("COMMIT;")
        self.value("SELECT 1")
        return began

    def _say(self, text):
        self._psql.stdin.write(text + "\n")
        self._psql.stdin.flush()

    def close(self):
        self._psql.stdin.close()
        self._psql.wait(10)
        self._psql.stdout.close()


class Sluice:
    """One Sluice database, set up for one sink."""

    def __init__(self, binary, contenders, kind, sink, settings="best", sections=None):
        self._binary = binary
        self._contenders = contenders
        self.kind = kind
        self._sink = sink
        self.name = "sluice"
        self._folder = contenders.folder / "sluice"
        self._folder.mkdir(exist_ok=True)
        self.url = contenders.fresh_database(kind, self.name)
        self._config = self._folder / "sluice.toml"
        chosen = {section: dict(values) for section, values in SETTINGS[settings].items()}
        for section, values in (sections or {}).items():
            chosen.setdefault(section, {}).update(values)
        self._config.write_text(settings_text(self.url, chosen))
        self._run("migrate")

    def _command(self, *arguments):
        return [str(self._binary), "--config", str(self._config), *[str(argument) for argument in arguments]]

    def _run(self, *arguments):
        done = subprocess.run(self._command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"sluice {arguments[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def apply(self, *rules, lookup=True):
        file = self._folder / "apply.toml"
        for first in range(0, max(len(rules), 1), RULES_A_FILE):
            file.write_text(connections_text(self._sink.address, lookup) + "".join(rules[first:first + RULES_A_FILE]))
            self._run("apply", file, "--yes")

    def import_records(self, records):
        self._run("import", "--connection", SOURCE, "--domain", DOMAIN, "--id-field", "id",
                  self._contenders.records_file(records))
        self._settle_mirror()

    def age_records(self):
        """What was imported changed a day ago, beyond the overlap in which delta looks back."""
        tables = self.tables()
        tables.change("UPDATE mirror_records SET content_changed_at = content_changed_at - 86400000000")
        tables.close()
        self._settle_mirror()

    def _settle_mirror(self):
        if self.kind == "postgresql":
            self._contenders.postgresql.sql(self.name, "VACUUM (ANALYZE) mirror_records")
            self._contenders.postgresql.checkpoint()

    def spread_over(self, rules):
        """Deals the imported records out to the domains of so many rules."""
        tables = self.tables()
        tables.change(f"UPDATE mirror_records SET domain = '{DOMAIN}_' || (id % {rules})")
        tables.close()

    def tables(self):
        if self.kind == "sqlite":
            return SqliteTables(self.url)
        return PostgreSqlTables(self._contenders.postgresql, self.name)

    def counts(self):
        return json.loads(self._run("ledger", "--rule", RULE, "--counts", "--json"))

    def replay_callbacks(self):
        """What became of messages, made anew by the node that serves: events and attempts."""
        return json.loads(self._run("callbacks", "replay", "--json"))

    def start(self, *arguments):
        log = open(self._folder / "sluice.log", "ab")
        process = subprocess.Popen(self._command(*arguments), stdout=log, stderr=log)
        log.close()
        return process

    def deliver_once(self):
        """Delivers what is due. Returns wall seconds, CPU seconds (daemon, server) and peak memory."""
        server_before = self._server_cpu()
        started = time.monotonic()
        process = self.start("deliver", "--once")
        peak = 0
        try:
            while True:
                peak = max(peak, services.peak_memory_bytes(process.pid))
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                time.sleep(0.05)
        except KeyboardInterrupt:
            process.terminate()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"sluice deliver ended with {process.returncode}; see {self._folder / 'sluice.log'}")
        return {"seconds": time.monotonic() - started, "daemon_cpu_seconds": usage.ru_utime + usage.ru_stime,
                "server_cpu_seconds": self._server_cpu() - server_before, "peak_memory_bytes": peak}

    def _server_cpu(self):
        return services.tree_cpu_seconds(self._contenders.postgresql.pid) if self.kind == "postgresql" else 0.0
