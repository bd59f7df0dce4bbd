"""What the tests of real processes share: one World is an installation in a folder of its own.

Environment: SLUICE_BINARY names the program; SLUICE_TEST_POSTGRESQL is the conninfo of a PostgreSQL cluster whose user
may make databases, or SLUICE_POSTGRESQL_FILE a file that holds one (see scripts/test_postgresql)."""

import collections
import json
import os
import pathlib
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from processes import BINARY, SOURCES, Crm, Number, Process, wait_until
from target import Target

SHARED = SOURCES.parent / "shared"
ENGINES = ("sqlite", "postgresql")
SKIPPED = 77  # what ctest takes for "skipped"
SEPARATOR = "\x1f"
API = {"listen": "127.0.0.1:0", "token": "a-token-of-the-tests"}


def postgresql_cluster():
    conninfo = os.environ.get("SLUICE_TEST_POSTGRESQL", "")
    file = os.environ.get("SLUICE_POSTGRESQL_FILE", "")
    if not conninfo and file and os.path.exists(file):
        conninfo = pathlib.Path(file).read_text().strip()
    return conninfo


def roomy_folder():
    """Memory where there is enough of it: on a shared disk each commit waits for everybody's syncs."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 30 else None


def as_toml(table):
    """Sections of plain values."""
    return "".join(f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
                   for section, values in table.items())


def merged(base, changes):
    out = dict(base)
    for key, value in changes.items():
        out[key] = merged(out.get(key, {}), value) if isinstance(value, dict) else value
    return out


class World:
    """A settings file, a database, and the commands run against them. Waits are short unless a test says otherwise."""

    def __init__(self, test, engine="sqlite", **settings):
        self.test = test
        self.engine = engine
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-system-", dir=roomy_folder()))
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.processes = 0
        self.database = self.fresh_database()
        self.settings = merged({
            "database": {"url": self.database},
            "node": {"name": "node-a", "lease_length": "5s", "lease_renewal": "1s", "lease_margin": "1s"},
            "delivery": {"retry_schedule": ["200ms"] * 20, "settle_after": "1s"},
            "calls": {"allowed_networks": ["127.0.0.0/8"], "connect_timeout": "1s", "call_timeout": "1s"},
            "circuit": {"cooldown": "500ms", "cooldown_max": "1s"},
            "keys": {"keys": ["test:" + "7" * 64]},
        }, settings)
        self.config = self.write("sluice.toml", as_toml(self.settings))
        self.must_run("migrate")

    def fresh_database(self):
        if self.engine == "sqlite":
            return f"sqlite:{self.folder / 'sluice.db'}"
        cluster = postgresql_cluster()
        if not cluster:
            self.test.skipTest("neither SLUICE_TEST_POSTGRESQL nor SLUICE_POSTGRESQL_FILE names a PostgreSQL cluster")
        name = "sluice_system_" + secrets.token_hex(6)
        self.conninfo = cluster
        self.query(f"CREATE DATABASE {name}")
        self.test.addCleanup(self.on_postgresql, cluster, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.conninfo = re.sub(r"dbname=\S+", "", cluster) + f" dbname={name}"
        return f"postgresql:{self.conninfo}"

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run(self, *arguments, config=None, environment=None, seconds=120, given=b""):
        """Runs a command to its end, with `given` on its standard input: code, out, err."""
        done = subprocess.run([BINARY, "--config", str(config or self.config), *map(str, arguments)],
                              capture_output=True, timeout=seconds, env={**os.environ, **(environment or {})},
                              input=given, check=False)
        return collections.namedtuple("Done", "code out err")(done.returncode, done.stdout.decode(errors="replace"),
                                                              done.stderr.decode(errors="replace"))

    def must_run(self, *arguments, **options):
        done = self.run(*arguments, **options)
        self.test.assertEqual(done.code, 0, f"{arguments}: {done.out}{done.err}")
        return done.out

    def apply(self, connections, rules):
        """A source "shop" beside the given target connections; a rule's source is the shop."""
        plan = {"tenants": [{"name": "acme"}],
                "connections": [{"tenant": "acme", "name": "shop", "driver": "mirror"}, *connections],
                "rules": [{"source": "shop", **rule} for rule in rules]}
        self.must_run("apply", self.write("apply.json", json.dumps(plan)), "--yes")

    def import_records(self, domain, content, *options, id_field="id", name=None):
        """`content` is text of a file, or a list of objects."""
        if isinstance(content, list):
            content = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in content)
        file = self.write(name or f"{domain}.ndjson", content)
        return self.run("import", file, "--connection", "shop", "--domain", domain, "--id-field", id_field, *options)

    def must_import(self, *arguments, **options):
        done = self.import_records(*arguments, **options)
        self.test.assertEqual(done.code, 0, done.err)

    def start(self, make, *arguments):
        self.processes += 1
        process = make(*arguments[:-1], self.folder / f"process-{self.processes}.log", *arguments[-1])
        self.test.addCleanup(process.kill)
        return process

    def crm(self, *options):
        return self.start(Crm, options)

    def target(self):
        made = Target()
        self.test.addCleanup(made.close)
        return made

    def launch(self, config=None, environment=None):
        """`sluice serve`, not waited for."""
        return self.start(Process, [BINARY, "--config", str(config or self.config), "serve"], (environment,))

    def serve(self, config=None, environment=None):
        node = self.launch(config, environment)
        wait_until(lambda: node.alive() and "node.started" in node.said(), 30, "the node starts")
        return node

    def operate(self, node, *arguments):
        """Runs a command at a node that serves its API (`API`); its JSON document."""
        listening = re.search(r"api\.listening.* address=(\S+)", node.said())
        self.test.assertIsNotNone(listening, node.said())
        return json.loads(self.must_run("--json", "--api", listening[1], *arguments))

    def deliver(self, seconds=120):
        self.must_run("deliver", "--once", seconds=seconds)

    @staticmethod
    def on_postgresql(conninfo, sql):
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-F", SEPARATOR, "-v", "ON_ERROR_STOP=1", "-d", conninfo,
                               "-c", sql], capture_output=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr.decode())
        return [tuple(line.split(SEPARATOR)) for line in done.stdout.decode().splitlines()]

    def query(self, sql):
        """Rows of texts, on a connection of its own that commits; NULL is an empty text."""
        if self.engine == "postgresql":
            return self.on_postgresql(self.conninfo, sql)
        connection = sqlite3.connect(self.database.removeprefix("sqlite:"), timeout=30)
        try:
            with connection:
                return [tuple("" if value is None else str(value) for value in row) for row in connection.execute(sql)]
        finally:
            connection.close()

    def ledger(self, rule, *options):
        return json.loads(self.must_run("--json", "ledger", "--rule", rule, "--limit", "10000", *options))["rows"]

    def counts(self, rule):
        return json.loads(self.must_run("--json", "ledger", "--rule", rule, "--counts"))["counts"]

    def snapshot(self):
        """What a node writes when it works."""
        return {table: sorted(self.query(f"SELECT * FROM {table}"))
                for table in ("outbound_deliveries", "delivery_cursors", "delivery_intents", "delivery_runs")}

    def delivered(self, count):
        """Whether so many records are at their targets and nothing is on its way."""
        return (self.query("SELECT count(*) FROM outbound_deliveries WHERE status = 'delivered'") == [(str(count),)]
                and self.query("SELECT count(*) FROM delivery_intents") == [("0",)])

    def assert_agree(self, crm, collection, expected):
        """The target holds exactly these fields by external id, each once and never created twice."""
        held = crm.items(collection)
        self.test.assertEqual(crm.state()["collections"].get(collection, {}).get("created_twice", []), [])
        self.test.assertEqual(sorted(held), sorted(expected))
        different = {key: (held[key], fields) for key, fields in expected.items() if held[key] != fields}
        self.test.assertEqual(dict(list(different.items())[:3]), {}, f"{len(different)} records differ")


def rest_connection(name, url, *, key=False, lookup=True, **settings):
    """A connection to a target of `sluice crm`'s shape: creates are looked up, or repeated under a key."""
    operations = {"create": {"method": "POST", "path": "/{domain}", "id": "/id"},
                  "update": {"method": "PATCH", "path": "/{domain}/{remote_id}"}}
    if lookup:
        operations["lookup"] = {"path": "/{domain}?external_id={source_id}", "matches": "/items", "id": "/id"}
    idempotency = {"idempotency": {"header": "Idempotency-Key", "key_lifetime": "24h"}} if key else {}
    return {"tenant": "acme", "name": name, "driver": "rest",
            "settings": {"base_url": url, "operations": operations, **idempotency, **settings}}


def rule(name="customers", target="crm", domain="customers", mapping=None, **more):
    return {"name": name, "target": target, "domain": domain, **more,
            "mapping": {"external_id": {"template": "{source_id}"}, **(mapping or {"name": "/name", "size": "/size"})}}


def with_deletions(connection):
    """The same target, told of deletions too."""
    path = {"path": "/{domain}/{remote_id}"}
    operations = {"delete": path, "deactivate": {**path, "body": {"active": False}},
                  "reactivate": {**path, "body": {"active": True}}}
    return merged(connection, {"settings": {"operations": operations}})


def records(count, first=0, mark=""):
    return [{"id": f"r-{number:05}", "name": f"Größe {number}{mark}", "size": number}
            for number in range(first, first + count)]


def fields_of(made):
    """What the default rule makes of `records`."""
    return {record["id"]: {"name": record["name"], "size": Number(str(record["size"]))} for record in made}


def on_each_engine(test):
    """A test that takes the engine's name and becomes a test for each."""
    test.for_each_engine = True
    return test


class SystemTest(unittest.TestCase):
    maxDiff = 2000

    def __init_subclass__(cls):
        for name, test in list(vars(cls).items()):
            if hasattr(test, "for_each_engine"):
                delattr(cls, name)
                for engine in ENGINES:
                    setattr(cls, f"{name}_on_{engine}", lambda self, test=test, engine=engine: test(self, engine))

    def world(self, engine="sqlite", **settings):
        return World(self, engine, **settings)


def main():
    """Runs the tests of the calling file; when all were skipped, ctest is told so."""
    outcome = unittest.main(module="__main__", exit=False, verbosity=2).result
    if not outcome.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if outcome.testsRun and len(outcome.skipped) == outcome.testsRun else 0)
