#!/usr/bin/env -S python3 -B
"""The operator page in a real browser, as web/walk/ walks it.

Environment: SLUICE_PAGE is the folder the page was built in. Skipped without it, without Node, or without Chromium
(SLUICE_CHROMIUM names another than the system's)."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import urllib.request

import webhook_sender
import world
from notifying import KEYS, Notifying
from receiver import Receiver
from subscribers import Api, world_of_subscribers
from webhook_receiver import KEY, told_back
from world import records, rest_connection, rule, with_deletions

PAGE = pathlib.Path(os.environ.get("SLUICE_PAGE") or world.SOURCES / "build" / "release" / "web")
CHROMIUM = os.environ.get("SLUICE_CHROMIUM") or shutil.which("chromium")
NODE = shutil.which("node")
CUSTOMERS = 300
TENANTS, RULES_EACH = 200, 50
FAILING = 2000  # of the 10,000 rules
ORDERED = "Your order is there."
DEAD = 60  # deliveries: more than the page shows at once
ANSWER = "the shop is <b>closed</b> until Monday"
ANSWER_MAX = 0.5  # seconds; what is aimed at is 0.1 on a machine that does nothing else


class Page(world.SystemTest):

    def setUp(self):
        if not (NODE and CHROMIUM and (PAGE / "installed").exists()):
            self.skipTest("the page was not built, or there is no Chromium")

    def url(self, node):
        return f"http://{re.search(r'api.listening.* address=(.+:[0-9]+)', node.said())[1]}/"

    def walk(self, name, url, acts):
        """Runs a walk, doing to the world what it asks for and telling what came of it; what it measured."""
        environment = {**os.environ, "SLUICE_URL": url, "SLUICE_TOKEN": world.API["token"], "SLUICE_CHROMIUM": CHROMIUM,
                       "SLUICE_SHOTS": str(PAGE / "screenshots")}
        measured = {}
        with subprocess.Popen([NODE, PAGE / "sources" / "walk" / f"{name}.mjs"], env=environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as walker:
            for line in walker.stdout:
                said = json.loads(line)
                measured.update(said.get("measured", {}))
                if "world" in said:
                    walker.stdin.write(json.dumps(acts[said["world"]]() or {}) + "\n")
                    walker.stdin.flush()
        self.assertEqual(walker.returncode, 0, "the walk broke off; the last picture is failed.png")
        return measured

    def test_an_operator_finds_the_way_through_a_bad_day(self):
        w = self.world(api=world.API, calls={"max_in_flight": 2, "max_in_flight_connection": 4}, circuit={"failures": 5})
        crm = w.crm("--latency", "40ms")
        plan = {"tenants": [{"name": "acme"}, {"name": "bolt"}],
                "connections": [{"tenant": "acme", "name": "shop", "driver": "mirror"},
                                {"tenant": "bolt", "name": "bolt-shop", "driver": "mirror"},
                                with_deletions(rest_connection("crm", crm.url)),
                                {**rest_connection("bolt-mailer", "http://127.0.0.1:9"), "tenant": "bolt"}],
                "rules": [{"source": "shop", **rule(delete_policy="delete")},
                          {"source": "bolt-shop", **rule("newsletter", target="bolt-mailer")}]}
        w.must_run("apply", w.write("apply.json", json.dumps(plan)), "--yes")
        w.must_import("customers", records(CUSTOMERS))
        subscribers = w.write("subscribers.ndjson", "".join(json.dumps(each) + "\n" for each in records(20)))
        w.must_run("import", subscribers, "--connection", "bolt-shop", "--domain", "customers", "--id-field", "id")
        node = w.serve()
        world.wait_until(lambda: node.alive() and w.counts("customers") == {"delivered": CUSTOMERS}, 60, "all are delivered")

        measured = self.walk("operator", self.url(node), {
            "delete": lambda: w.must_import("customers", records(100), "--deleted", name="deleted.ndjson"),
            "import": lambda: w.must_import("customers", records(40, first=CUSTOMERS), name="more.ndjson"),
        })
        print(measured)
        self.assertEqual(w.counts("customers"), {"delivered": CUSTOMERS - 100 + 40, "withdrawn": 100})
        self.assertEqual(w.query("SELECT confirmed_by, creates FROM backfill_confirmations"), [("api", "40")])

    def test_a_subscription_that_fails_is_looked_into_and_mended(self):
        w, receiver = world_of_subscribers(self, "sqlite", subscriptions={
            "retry_schedule": ["100ms"], "dead_threshold": DEAD + 1, "fan_out_deliveries_max": 1})
        node = w.serve()
        api = Api(node)
        receiver.statuses.update({"/orders": 500, "/closed": 410})
        receiver.bodies["/orders"] = ANSWER.encode()
        orders = api.subscribe("orders", receiver.url + "/orders", event_types=["orders.*"],
                               headers=[{"name": "X-Key", "value": "not for the page", "secret": True}])
        closed = api.subscribe("closed", receiver.url + "/closed", event_types=["users.*"])
        api.subscribe("warehouse", event_types=["orders.*"])
        api.publish("users.left", b"{}")
        for number in range(DEAD):
            api.publish("orders.paid", b'{"number":%d}' % number)
        world.wait_until(lambda: api.show(orders)["consecutive_dead"] == DEAD and api.show(closed)["status"] == "disabled",
                         60, "all are dead")
        self.walk("subscriptions", self.url(node), {
            "mend": receiver.statuses.clear,
            "viewer": lambda: w.operate(node, "tokens", "create", "onlooker", "--role", "viewer", "--tenant", "acme"),
        })
        acknowledged = w.query("SELECT count(*) FROM delivery_attempts WHERE status = 204")
        self.assertEqual(acknowledged, [(str(DEAD + 1),)], "one retried, the others replayed, and a test event")
        by_whom = w.query("SELECT act, count(*) FROM audit_log WHERE act LIKE '%replay' GROUP BY act ORDER BY act")
        self.assertEqual(by_whom, [("end_replay", "1"), ("start_replay", "1")])

    def test_messages_that_do_not_arrive_are_looked_into_and_settled(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        receiver.statuses.update({"/mail": 200, "/doubt": 500, "/busy": 429, "/strict": 404})
        receiver.bodies["/mail"] = b'{"id":"their-1"}'
        n = Notifying(self, notifications={"reconcile_schedule": ["1s"], "retry_schedule": ["1h"]})
        people = {name: n.contact("email", f"canary-{name}@example.com") for name in ("ann", "bob", "eve")}
        n.contact("phone", "+44 20 7946 0958")
        profiles = {name: n.profile(name, "webhook", {"url": f"{receiver.url}/{name}", "http2": False,
                                                      "callback": {"suppressing": {"complained": "complaint"}}},
                                    {"secrets": [webhook_sender.secret_of(KEY)]})
                    for name in ("mail", "doubt", "busy", "strict")}
        n.node.terminate()
        another = {**n.world.settings["keys"], "keys": ["new:" + "6" * 64, *KEYS["keys"]]}
        n.start(config=n.world.write("another-key.toml", world.as_toml({**n.world.settings, "keys": another})))
        for name in profiles:
            n.route(f"by-{name}", name)
        n.route("news", "doubt", "mail")
        self.tell_of_messages(n, profiles["mail"], people)
        n.ended(n.send(people["eve"], "by-strict", text=ORDERED), "rejected")
        waits = n.send(people["eve"], "by-busy", text=ORDERED)
        doubts = [n.send(people["ann"], route, text=ORDERED) for route in ("by-doubt", "news")]
        for each in doubts:
            n.ended(each, "ambiguous")
        world.wait_until(lambda: all(n.show(each)["reconciliation"]["needs_person"] for each in doubts)
                         and n.show(waits)["attempts"] == 1, 60, "nothing more can be found out")
        self.walk("notifications", self.url(n.node), {
            "ids": lambda: {"waits": waits, "doubts": doubts, "bob": people["bob"]},
            "mend": lambda: receiver.statuses.update({"/doubt": 200}),
            "viewer": lambda: n.world.operate(n.node, "tokens", "create", "onlooker", "--role", "viewer", "--tenant", "acme"),
        })
        self.assertEqual([n.state(each) for each in doubts], ["accepted", "accepted"])
        self.assertEqual([n.show(each)["attempts"] for each in doubts], [2, 1], "one was sent again, the other not")
        self.assertEqual(n.state(waits), "cancelled")
        acts = dict(n.world.query("SELECT act, count(*) FROM audit_log GROUP BY act"))
        self.assertEqual(acts["reveal_contact_point"], "1")
        self.assertEqual(acts["settle_notification"], "2")
        stops = n.world.query("SELECT scope, reason FROM delivery_stops WHERE ended_at IS NOT NULL")
        self.assertEqual(stops, [("profile", "the account is audited")])

    def tell_of_messages(self, n, profile, people):
        """Two messages are told of, one as delivered and one as a complaint; and there is a stranger's and a forged word."""
        def tell(event, document, **options):
            return told_back(n.here("", "").removeprefix("http://"), profile, event, document, **options)
        for event, person, word in (("e-1", "ann", "delivered"), ("e-2", "bob", "complained")):
            (attempt,) = n.ended(n.send(people[person], "by-mail", text=ORDERED), "accepted")["history"]
            document = {"attempt_id": attempt["id"], "state": word}
            self.assertEqual(tell(event, document), 204)
        self.assertEqual(tell("e-2", document), 204, "told twice")
        self.assertEqual(tell("e-3", {"id": "of-somebody-else", "state": "delivered"}), 204)
        forged = webhook_sender.secret_of(b"forged" * 4)
        self.assertEqual(tell("e-4", {"id": "x", "state": "bounced"}, secrets=[forged]), 403)
        contact = f"/v1/contact-points/{people['bob']}"
        world.wait_until(lambda: n.api.must("GET", contact)["suppression"], 60, "the complaint suppresses")
        n.ended(n.send(people["bob"], "by-mail", text=ORDERED), "failed")

    def test_ten_thousand_rules_do_not_slow_the_page(self):
        w = self.world(api=world.API)
        tenants = [f"tenant-{number:03}" for number in range(TENANTS)]
        plan = {"tenants": [{"name": tenant} for tenant in tenants],
                "connections": [each for tenant in tenants for each in (
                    {"tenant": tenant, "name": f"{tenant}-shop", "driver": "mirror"},
                    {**rest_connection(f"{tenant}-crm", "http://127.0.0.1:9"), "tenant": tenant})],
                "rules": [{"source": f"{tenant}-shop", **rule(f"{tenant}-rule-{number}", target=f"{tenant}-crm",
                                                              domain=f"domain-{number}")}
                          for tenant in tenants for number in range(RULES_EACH)]}
        w.must_run("apply", w.write("apply.json", json.dumps(plan)), "--yes")
        w.query("UPDATE connections SET status = 'error', status_reason = 'refused' WHERE driver = 'rest' AND id % 5 = 0")
        w.query("UPDATE delivery_cursors SET ended_run_id = 1, ended_run_ending = 'faulted', ended_run_reason = 'refused', "
                "ended_run_started_at = 1, ended_run_ended_at = 2 WHERE rule_id IN (SELECT r.id FROM sync_rules AS r "
                "JOIN connections AS c ON c.id = r.target_connection_id WHERE c.status = 'error')")
        node = w.serve()
        took = sorted(self.ask(self.url(node)) for _ in range(21))
        print(f"the answer takes {took[10] * 1000:.0f} ms in the middle, {took[-1] * 1000:.0f} ms at the most")
        self.assertLess(took[10], ANSWER_MAX)
        print(self.walk("many_rules", self.url(node), {}))

    def ask(self, url):
        request = urllib.request.Request(url + "v1/delivery", headers={"Authorization": f"Bearer {world.API['token']}"})
        since = time.monotonic()
        with urllib.request.urlopen(request, timeout=30) as answer:
            document = json.loads(answer.read())
        took = time.monotonic() - since
        self.assertEqual(document["unwell"]["count"], FAILING)
        return took


if __name__ == "__main__":
    world.main()
