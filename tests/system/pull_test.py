#!/usr/bin/env -S python3 -B
"""A reader that follows positions sees every event once, in whatever order those who write them commit."""

import sqlite3
import subprocess

import world
from subscribers import Api, world_of_subscribers

ROUNDS = 25


class PostgresqlWriter:
    """A session that stays, so that its transaction can."""

    def __init__(self, test, conninfo):
        self.psql = subprocess.Popen(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", conninfo],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        test.addCleanup(self.close)

    def run(self, statement):
        """Done when it returns."""
        self.psql.stdin.write(f"{statement};\n\\echo done\n")
        self.psql.stdin.flush()
        said = self.psql.stdout.readline()
        if said != "done\n":
            raise AssertionError(f"{statement}: {said}")

    def close(self):
        self.psql.stdin.close()
        self.psql.wait(10)
        self.psql.stdout.close()


class SqliteWriter:

    def __init__(self, test, file):
        self.connection = sqlite3.connect(file, timeout=30, isolation_level=None)
        test.addCleanup(self.connection.close)

    def run(self, statement):
        self.connection.execute(statement)


class Reader:
    """Reads page by page and moves its cursor behind each."""

    def __init__(self, test, api, limit):
        self.test = test
        self.api = api
        self.limit = limit
        self.path = "/v1/subscriptions/" + api.subscribe("reader", event_types=["customers.created"])["id"]
        self.seen = []
        self.position = 0

    def read(self):
        page = self.api.must("GET", f"{self.path}/events?limit={self.limit}")
        for event in page["events"]:
            self.test.assertGreater(event["position"], self.position)
            self.position = event["position"]
            self.seen.append(event["source"]["source_id"])
        cursor = self.api.must("GET", self.path)["cursor"]
        if page["next"] != cursor:
            self.api.must("POST", f"{self.path}/cursor", {"from": cursor, "to": page["next"]})

    def has(self, source_id):
        self.read()
        return source_id in self.seen


def insertion(source_id):
    return ("INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at) "
            f"SELECT id, 'customers', '{source_id}', '{{\"name\":\"{source_id}\"}}', {world_time(source_id)} "
            "FROM connections WHERE name = 'shop'")


def world_time(source_id):
    """Each a microsecond after the one before."""
    return 1_700_000_000_000_000 + int(source_id[1:]) * 2 + (source_id[0] == "b")


class Pull(world.SystemTest):

    def begin(self, engine, limit=3):
        w, _ = world_of_subscribers(self, engine, subscriptions={"fan_out_interval": "100ms"})
        node = w.serve()
        api = Api(node)
        return w, node, api, Reader(self, api, limit)

    def assert_all_seen(self, reader, wanted):
        world.wait_until(lambda: reader.has(wanted[-1]) and len(reader.seen) >= len(wanted), 30, "all are read")
        self.assertEqual(sorted(reader.seen), sorted(wanted))

    def test_nothing_is_stepped_over_where_two_writers_commit_out_of_order_on_postgresql(self):
        w, node, _, reader = self.begin("postgresql")
        early, late = PostgresqlWriter(self, w.conninfo), PostgresqlWriter(self, w.conninfo)
        for number in range(ROUNDS):
            early.run("BEGIN")
            early.run(insertion(f"a{number}"))
            late.run("BEGIN")
            late.run(insertion(f"b{number}"))
            late.run("COMMIT")
            world.wait_until(lambda name=f"b{number}": node.alive() and reader.has(name), 30,
                             "what was inserted late and committed early is read")
            self.assertNotIn(f"a{number}", reader.seen)
            early.run("COMMIT")
            world.wait_until(lambda name=f"a{number}": node.alive() and reader.has(name), 30,
                             "what was inserted early and committed late is read")
        self.assert_all_seen(reader, [f"{writer}{number}" for number in range(ROUNDS) for writer in "ba"])
        order = [row[0] for row in w.query("SELECT source_id FROM change_events ORDER BY id")]
        self.assertEqual(order, [f"{writer}{number}" for number in range(ROUNDS) for writer in "ab"])

    def test_nothing_is_stepped_over_where_one_writer_commits_beside_the_reader_on_sqlite(self):
        w, node, _, reader = self.begin("sqlite")
        writer = SqliteWriter(self, w.database.removeprefix("sqlite:"))
        wanted = [f"{mark}{number}" for number in range(ROUNDS) for mark in "ab"]
        for first, second in zip(wanted[::2], wanted[1::2]):
            writer.run("BEGIN IMMEDIATE")
            writer.run(insertion(first))
            writer.run(insertion(second))
            writer.run("COMMIT")
            reader.read()
            self.assertTrue(node.alive())
        self.assert_all_seen(reader, wanted)
        self.assertEqual(reader.seen, wanted)

    def test_a_cursor_goes_no_further_than_what_was_read_and_a_stale_one_is_told_where_it_is(self):
        w, node, api, reader = self.begin("sqlite", limit=100)
        writer = SqliteWriter(self, w.database.removeprefix("sqlite:"))
        for number in range(3):
            writer.run(insertion(f"a{number}"))
        page = world.wait_until(lambda: self.page_of(api, reader, 3), 30, "all are there")
        status, refused = api.ask("POST", reader.path + "/cursor", {"from": 0, "to": page["next"] + 1})
        self.assertEqual((status, refused["cursor"], refused["offered"]), (409, 0, page["next"]))
        self.assertEqual(api.must("POST", reader.path + "/cursor", {"from": 0, "to": page["next"]})["covered"], 3)
        status, refused = api.ask("POST", reader.path + "/cursor", {"from": 0, "to": page["next"]})
        self.assertEqual((status, refused["cursor"]), (409, page["next"]))
        self.assertEqual([each["state"] for each in api.deliveries({"id": reader.path.rpartition("/")[2]})],
                         ["delivered"] * 3)
        self.assertEqual(api.must("GET", reader.path + "/events")["events"], [])
        self.assertEqual(node.terminate(), 0)

    @staticmethod
    def page_of(api, reader, count):
        page = api.must("GET", f"{reader.path}/events?after=0&limit=100")
        return page if len(page["events"]) == count else None


if __name__ == "__main__":
    world.main()
