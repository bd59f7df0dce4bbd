"""Wherever a node may show something: what it answers and tells by its API and commands, its files and its database."""

import http.client
import json
import pathlib
import re
import sqlite3
import subprocess
import time

import world

STREAMS = ("/v1/live", "/metrics")


class ShownPlaces:
    """What is asked of the node's API from now on is noted, with the answer."""

    def __init__(self, node):
        self.node = node
        self.shown = {}  # answers by what was asked
        self.listen()
        self.wal_began = None
        if node.world.engine == "postgresql" and node.world.query("SHOW is_superuser") == [("on",)]:
            node.world.query("SELECT pg_switch_wal()")
            self.wal_began = node.world.query("SELECT pg_walfile_name(pg_current_wal_lsn())")[0][0]

    def note(self, asked, told):
        text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
        self.shown[asked] = self.shown.get(asked, "") + text + "\n"

    def listen(self):
        """After each start of the node."""
        api = self.node.api
        ask = type(api).ask.__get__(api)

        def noting(method, path, *rest, **headers):
            status, document = ask(method, path, *rest, **headers)
            self.note(f"{method} {path.split('?')[0]}", document)
            return status, document
        api.ask = noting

    def address(self):
        return self.node.here("", "").removeprefix("http://")

    def ask_all(self, ids):
        """Everything that can be read, as an admin and as a viewer. `ids` are by the name a path has for them."""
        api = self.node.api
        viewer = api.must("POST", "/v1/tokens", {"name": "onlooker", "role": "viewer", "tenants": ["acme"]})["token"]
        paths = api.must("GET", "/v1/openapi.json")["paths"]
        for path in [path for path, methods in paths.items() if "get" in methods and path not in STREAMS]:
            name = (re.findall(r"\{(\w+)\}", path) or [None])[0]
            for one in ids.get(name, []) if name else [""]:
                target = path.replace(f"{{{name}}}", one)
                api.must("GET", target)
                api.ask("GET", target, Authorization=f"Bearer {viewer}")
        self.read_stream("/v1/live", viewer)
        self.read_stream("/metrics", world.API["token"])

    def read_stream(self, path, token):
        """To its end, or what comes in three seconds."""
        over = time.monotonic() + 3
        connection = http.client.HTTPConnection(self.address(), timeout=3)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        try:
            while time.monotonic() < over and (text := answer.read1(1 << 16)):
                self.note(path, text.decode())
        except TimeoutError:
            pass
        connection.close()
        self.node.test.assertEqual(answer.status, 200)
        self.node.test.assertTrue(self.shown.get(path))

    def command(self, *arguments, **options):
        """Runs it at the node; what it says is noted."""
        done = self.node.world.run("--api", self.address(), *arguments, **options)
        self.note("sluice " + " ".join(map(str, arguments)), done.out + done.err)
        return done

    def written(self):
        """By the place: the files of the installation but for its settings, the database's own, and each column of each
        table."""
        w = self.node.world
        kept = {path: path.read_bytes() for path in w.folder.rglob("*") if path.is_file() and path != w.config}
        if w.engine == "sqlite":
            with sqlite3.connect(w.database.removeprefix("sqlite:")) as connection:
                kept["the dump"] = "\n".join(connection.iterdump()).encode()
            return kept
        dump = subprocess.run(["pg_dump", "--inserts", "-d", w.conninfo], capture_output=True, check=True)
        return {**kept, **self.data_files(), "the dump": dump.stdout}

    def data_files(self):
        """PostgreSQL's own of this database and its log of changes since the beginning, where they are here and its user may
        know of them."""
        w = self.node.world
        if not self.wal_began:
            return {}
        w.query("CHECKPOINT")
        ((folder, number),) = w.query("SELECT current_setting('data_directory'), oid FROM pg_database "
                                      "WHERE datname = current_database()")
        files = [*pathlib.Path(folder, "base", number).glob("*"),
                 *[path for path in pathlib.Path(folder, "pg_wal").glob("?" * 24) if path.name >= self.wal_began]]
        return {path: path.read_bytes() for path in files if path.is_file()}
