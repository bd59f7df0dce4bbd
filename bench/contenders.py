"""Runs of everybody but Sluice: the ceiling and what a user would pick instead. Each returns the program's JSON line."""

import json
import pathlib
import shutil
import subprocess

import services

PRODUCTS = ("graphile_worker", "pg_boss", "bullmq_always", "bullmq_everysec")


def run_json(command, patience=600, whole=False, **keywords):
    """Runs a program that ends its output with one JSON line, or whose `whole` output is one JSON document; one that hangs
    is ended after `patience` seconds."""
    try:
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=patience, **keywords)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"{pathlib.Path(command[0]).name} did not end within {patience} s") from error
    if done.returncode != 0:
        raise RuntimeError(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout if whole else done.stdout.splitlines()[-1])


class Contenders:
    """Knows the programs, the servers and the records; makes a clean database for each run."""

    def __init__(self, programs, peers, folder, postgresql, patience):
        self.patience = patience
        self.programs = programs
        self.peers = peers
        self.folder = folder
        self.postgresql = postgresql

    def records_file(self, records, *form):
        """The NDJSON of the first `records` records, made once a form."""
        path = self.folder / f"records_{records}{''.join(form)}.ndjson"
        if not path.exists():
            with open(path, "wb") as file:
                subprocess.run([self.programs / "sluice_bench_records", "--records", str(records), *form],
                               stdout=file, check=True)
        return path

    def fresh_database(self, kind, name):
        """The database `name` of this kind without content, as the programs here take it."""
        if kind == "sqlite":
            folder = self.folder / f"sqlite_{name}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            return f"sqlite:{folder / 'data.db'}"
        if kind == "postgresql":
            self.postgresql.create_database(name)
            self.postgresql.checkpoint()
            return "postgresql:" + self.postgresql.conninfo(name)
        return kind

    def ceiling(self, kind, records, in_flight=64):
        database = self.fresh_database(kind, "ceiling")
        cpu_before = self._server_cpu(kind)
        with services.Sink(self.programs) as sink:
            line = run_json([self.programs / "sluice_bench_ceiling", "--sink", sink.address, "--database", database,
                             "--records", records, "--in-flight", in_flight])
        line["server_cpu_seconds"] = self._server_cpu(kind) - cpu_before
        return line

    def node_loop(self, kind, records, settings="best"):
        database = self.fresh_database(kind, "node_loop")
        pid = self.postgresql.pid if kind == "postgresql" else 0
        return self._peer("node_loop", database, pid, records, settings)

    def on_postgresql(self, name, records, settings="best", seconds=0):
        """graphile_worker or pg_boss; `seconds` cuts a run short, 0 lets it end."""
        self.fresh_database("postgresql", name)
        return self._peer(name, self.postgresql.conninfo(name), self.postgresql.pid, records, settings, seconds)

    def on_redis(self, fsync, records, settings="best", seconds=0):
        folder = self.folder / "redis"
        shutil.rmtree(folder, ignore_errors=True)
        redis = services.Redis(folder, fsync)
        try:
            return self._peer("bullmq", f"redis:{redis.port}", redis.pid, records, settings, seconds)
        finally:
            redis.stop()

    def _peer(self, name, database, server_pid, records, settings, seconds=0):
        with services.Sink(self.programs) as sink:
            line = run_json(["node", self.peers / f"{name}.mjs", "--sink", sink.address, "--records-file",
                             self.records_file(records), "--records", records, "--database", database,
                             "--server-pid", server_pid, "--settings", settings, "--seconds", seconds], self.patience)
            if seconds == 0 and sink.stats()["requests"] != records:
                raise RuntimeError(f"{name} sent {sink.stats()['requests']} requests for {records} records")
        return line

    def _server_cpu(self, kind):
        return services.tree_cpu_seconds(self.postgresql.pid) if kind == "postgresql" else 0.0
