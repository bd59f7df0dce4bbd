#!/usr/bin/env -S python3 -B
"""A target that answers badly: what is known is recorded, and everybody else's records are delivered."""

import json

import world
from world import records, rest_connection, rule

LARGE = [b"x" * (1 << 20)] * 100  # 100 MiB
WELL = 50
BAD = {
    "r-00001": (201, {}, LARGE),
    "r-00002": (201, {"Content-Type": "text/html"}, [b"<html>created</html>"]),
    "r-00003": (201, {}, [b'{"number": 7}']),
    "r-00004": (201, {}, [b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"]),
    "r-00005": (201, {}, [b'{"id": "a\\u0000b"}']),
    "r-00006": (201, {}, [b'{"id": "Gr\xf6\xdfe"}']),
    "r-00007": (307, {"Location": "/elsewhere"}, [b""]),
    "r-00008": (400, {}, [b'{"error": "name\x07 is \xff too long"}']),
    "r-00009": (500, {}, LARGE),
}
REJECTED = {"r-00007", "r-00008"}
UNKNOWN = set(BAD) - REJECTED


class BadAnswers(world.SystemTest):

    def deliver_all(self, lookup):
        w = self.world(delivery={"retry_schedule": ["2h"], "settle_after": "10s"}, circuit={"failures": 1000},
                       calls={"connect_timeout": "5s", "call_timeout": "10s"})
        target = w.target()
        target.bad = BAD
        w.apply([rest_connection("crm", target.url, lookup=lookup)], [rule()])
        w.must_import("customers", records(WELL))
        node = w.serve()
        world.wait_until(lambda: sum(w.counts("customers").values()) == WELL and not self.running(w), 60,
                         "every record has an outcome")
        return w, target, node

    @staticmethod
    def running(w):
        return w.query("SELECT count(*) FROM delivery_runs WHERE ending IS NULL") != [("0",)]

    def assert_goes_on(self, w, node):
        delivered = w.counts("customers")["delivered"]
        w.must_import("customers", records(5, first=WELL), name="more.ndjson")
        world.wait_until(lambda: w.counts("customers")["delivered"] == delivered + 5, 30, "later ones are delivered")
        self.assertIsNone(node.child.poll())

    def test_without_a_lookup_what_cannot_be_known_is_ambiguous(self):
        w, target, node = self.deliver_all(lookup=False)
        rows = {row["source_id"]: row for row in w.ledger("customers")}
        statuses = {key: rows[key]["status"] for key in BAD}
        self.assertEqual(statuses, {key: "ambiguous" if key in UNKNOWN else "failed" for key in BAD})
        self.assertEqual(w.counts("customers")["delivered"], WELL - len(BAD))
        for key in BAD:
            self.assertTrue(rows[key]["error"], key)
            self.assertLess(len(rows[key]["error"]), 600)
            self.assertTrue(rows[key]["error"].isprintable(), rows[key]["error"])
        for key in UNKNOWN:
            self.assertIsNone(rows[key]["next_attempt_at"])
        for key in REJECTED:
            self.assertIsNotNone(rows[key]["next_attempt_at"])
        self.assertEqual(sorted(target.created()), [record["id"] for record in records(WELL)])
        explained = json.loads(w.must_run("--json", "explain", "customers", "r-00002"))
        self.assertIn("ambiguous", json.dumps(explained))
        self.assert_goes_on(w, node)

    def test_with_a_lookup_what_was_unknown_is_linked_and_created_once(self):
        w, target, node = self.deliver_all(lookup=True)
        world.wait_until(lambda: w.counts("customers") == {"delivered": WELL - 2, "failed": 2}, 60, "all are settled")
        rows = {row["source_id"]: row for row in w.ledger("customers")}
        for key in UNKNOWN:
            self.assertEqual(rows[key]["remote_id"], target.find(key)[0]["id"])
        self.assertEqual(sorted(target.created()), [record["id"] for record in records(WELL)])
        self.assert_goes_on(w, node)

    def test_a_run_once_that_is_refused_says_so_with_its_exit_code(self):
        w = self.world()
        target = w.target()
        made = records(3)
        target.bad = {record["id"]: (401, {}, [b""]) for record in made}
        w.apply([rest_connection("crm", target.url)], [rule()])
        w.must_import("customers", made)

        done = w.run("deliver", "--once")

        self.assertEqual(done.code, 1, done.err)
        self.assertIn("ended faulted: the target refused the credentials", done.err)


if __name__ == "__main__":
    world.main()
