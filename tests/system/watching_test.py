#!/usr/bin/env -S python3 -B
"""What a node shows to those who watch it: metrics that follow from what was delivered, and whether it lives and is ready."""

import json
import re
import urllib.error
import urllib.request

import world
from processes import SOURCES
from world import on_each_engine, records, rest_connection, rule

RECORDS = 120
CHANGED = 30
SAMPLE = re.compile(r"^([a-z_]+(?:\{.*\})?) (\S+)$")


class Answer:
    def __init__(self, status, kind, text):
        self.status, self.kind, self.text = status, kind, text

    def document(self):
        return json.loads(self.text)


def get(w, node, path, token=world.API["token"]):
    address = re.search(r"api\.listening.* address=(\S+)", node.said())[1]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://{address}{path}", headers=headers), timeout=30) as got:
            return Answer(got.status, got.headers["Content-Type"], got.read().decode())
    except urllib.error.HTTPError as refused:
        return Answer(refused.code, refused.headers["Content-Type"], refused.read().decode())


def scrape(w, node):
    """Each sample's value by its name with its labels."""
    answer = get(w, node, "/metrics")
    w.test.assertEqual((answer.status, answer.kind), (200, "text/plain; version=0.0.4; charset=utf-8"))
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    samples = [SAMPLE.match(line) for line in lines]
    w.test.assertNotIn(None, samples)
    w.test.assertEqual(len({sample[1] for sample in samples}), len(samples), "a sample is there twice")
    return {sample[1]: float(sample[2]) for sample in samples}


def deliveries(samples):
    """Those that are not zero, by operation and outcome."""
    prefix = "sluice_deliveries_total"
    found = {re.search(r'operation="(\w+)",outcome="(\w+)"', name).groups(): value
             for name, value in samples.items() if name.startswith(prefix)}
    return {key: value for key, value in found.items() if value}


class Watching(world.SystemTest):

    @on_each_engine
    def test_metrics_follow_from_what_was_delivered(self, engine):
        w = self.world(engine, api=world.API)
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        w.must_import("customers", records(RECORDS))
        node = w.serve()
        world.wait_until(lambda: node.alive() and w.delivered(RECORDS), 60, "all are delivered")
        w.must_import("customers", records(CHANGED, mark=" new"), name="changed.ndjson")
        world.wait_until(lambda: node.alive() and crm.count("customers", "updates") == CHANGED, 30, "changes are delivered")

        seen = world.wait_until(lambda: self.at_rest(w, node), 30, "the node is at rest")
        self.assertEqual(deliveries(seen), {("create", "accepted"): RECORDS, ("update", "accepted"): CHANGED})
        self.assertEqual(seen['sluice_decisions_total{decision="create"}'], RECORDS)
        self.assertEqual(seen['sluice_decisions_total{decision="update"}'], CHANGED)
        self.assertEqual(seen['sluice_calls_total{error="none"}'], RECORDS + CHANGED)
        self.assertEqual(seen["sluice_call_duration_seconds_count"], RECORDS + CHANGED)
        self.assertEqual(seen['sluice_call_duration_seconds_bucket{le="+Inf"}'], RECORDS + CHANGED)
        self.assertEqual(seen['sluice_circuits{connection="crm",state="closed"}'], 1)
        self.assertEqual(seen['sluice_circuits{connection="crm",state="open"}'], 0)
        self.assertEqual(seen['sluice_throttle_blocks_total{connection="crm"}'], 0)
        self.assertEqual(seen['sluice_rules{state="ok"}'], 1)
        self.assertGreaterEqual(seen["sluice_database_group_rows_sum"], 2 * RECORDS + CHANGED)
        self.assertEqual(seen["sluice_database_group_rows_count"], seen["sluice_database_commit_duration_seconds_count"])
        self.assertEqual(seen["sluice_database_up"], 1)
        self.assertLess(seen["sluice_heartbeat_age_seconds"], 60)
        self.assertLess(seen["sluice_lease_age_seconds"], 5)
        self.assertEqual(seen["sluice_oldest_due_age_seconds"], 0)
        self.assertGreater(seen['sluice_api_requests_total{route="/metrics",method="GET",status="2xx"}'], 0)

    @staticmethod
    def at_rest(w, node):
        seen = scrape(w, node)
        busy = [name for name in ("sluice_records_in_hand", "sluice_calls_in_flight", "sluice_calls_waiting",
                                  "sluice_chains_running") if seen[name] != 0]
        again = 'sluice_api_requests_total{route="/metrics",method="GET",status="2xx"}' in seen
        return seen if again and not busy else None

    def test_each_metric_of_the_page_is_shown_and_no_other(self):
        w = self.world(api=world.API)
        node = w.serve()
        page = (SOURCES / "docs" / "watching.md").read_text()
        described = dict(re.findall(r"^\| `(sluice_\w+)` \| (\w+) \|", page, re.MULTILINE))
        shown = dict(re.findall(r"^# TYPE (\w+) (\w+)$", get(w, node, "/metrics").text, re.MULTILINE))
        self.assertGreater(len(described), 20)
        self.assertEqual(shown, described)

    def test_a_circuit_and_refused_calls_show(self):
        w = self.world(api=world.API, delivery={"retry_schedule": ["1h"]}, circuit={"cooldown": "1h", "cooldown_max": "1h"})
        target = w.target()
        target.close()
        w.apply([rest_connection("crm", target.url)], [rule()])
        w.must_import("customers", records(40))
        node = w.serve()
        ended = 'sluice_chains_ended_total{ending="breaker_open"}'
        seen = world.wait_until(lambda: self.with_value(w, node, ended, 1), 30, "the chain ends at its open circuit")
        self.assertEqual(seen['sluice_circuits{connection="crm",state="open"}'], 1)
        self.assertEqual(seen['sluice_circuits{connection="crm",state="closed"}'], 0)
        self.assertGreaterEqual(seen['sluice_calls_total{error="not_connected"}'], 10)
        self.assertEqual(deliveries(seen)[("create", "transient")], seen['sluice_calls_total{error="not_connected"}'])
        self.assertEqual(seen['sluice_rules{state="failing"}'], 1)

    @staticmethod
    def with_value(w, node, name, value):
        seen = scrape(w, node) if node.alive() else {}
        return seen if seen.get(name) == value else None

    def test_whoever_has_no_token_sees_that_it_lives_and_is_ready_and_no_more(self):
        w = self.world(api=world.API)
        node = w.serve()
        self.assertEqual(get(w, node, "/healthz", None).document(), {"status": "live"})
        world.wait_until(lambda: get(w, node, "/readyz", None).status == 200, 10, "it is ready")
        self.assertEqual(get(w, node, "/readyz", None).document()["checks"],
                         {"database": "ok", "lease": "ok", "dispatcher": "ok"})
        self.assertEqual(get(w, node, "/metrics", None).status, 401)
        self.assertEqual(get(w, node, "/metrics", "not-the-token-of-it").status, 401)

    def test_metrics_are_open_where_the_settings_say_so(self):
        w = self.world(api=world.API, metrics={"access": "anyone"})
        node = w.serve()
        self.assertEqual(get(w, node, "/metrics", None).status, 200)
        self.assertEqual(get(w, node, "/v1/status", None).status, 401)

    def test_a_silent_dispatcher_is_named(self):
        w = self.world(api=world.API, delivery={"dispatch_interval": "1h", "heartbeat_stale_after": "2h", "stale_after": "3h"})
        node = w.serve()
        world.wait_until(lambda: get(w, node, "/readyz", None).status == 200, 10, "it is ready")
        w.query("UPDATE heartbeats SET beat_at = 0")
        refused = world.wait_until(lambda: self.not_ready(w, node), 10, "it is not ready")
        self.assertEqual(refused["type"], "urn:sluice:problem:not_ready")
        self.assertEqual(refused["checks"]["database"], "ok")
        self.assertIn("sign of life", refused["checks"]["dispatcher"])
        self.assertIn("dispatcher", refused["detail"])

    @staticmethod
    def not_ready(w, node):
        answer = get(w, node, "/readyz", None)
        return answer.document() if answer.status == 503 else None

    def test_a_database_that_is_away_is_named_and_the_node_still_shows_what_it_knows(self):
        w = self.world("postgresql", api=world.API, node={"lease_length": "1m"})
        node = w.serve()
        world.wait_until(lambda: get(w, node, "/readyz", None).status == 200, 10, "it is ready")
        name = re.search(r"dbname=(\w+)", w.conninfo)[1]
        cluster = re.sub(r"dbname=\S+", "dbname=postgres", w.conninfo)
        w.on_postgresql(cluster, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        w.on_postgresql(cluster, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        refused = world.wait_until(lambda: self.not_ready(w, node), 10, "it is not ready")
        self.assertEqual(refused["checks"]["database"], "does not answer")
        self.assertEqual(get(w, node, "/healthz", None).status, 200)
        seen = scrape(w, node)
        self.assertEqual(seen["sluice_database_up"], 0)
        self.assertNotIn("sluice_heartbeat_age_seconds", seen)
        w.on_postgresql(cluster, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        world.wait_until(lambda: node.alive() and get(w, node, "/readyz", None).status == 200, 30, "it is ready again")


if __name__ == "__main__":
    world.main()
