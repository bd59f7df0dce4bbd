#!/usr/bin/env -S python3 -B
"""Events are pushed as they were published and as records change, signed, and no longer to who refuses them."""

import collections
import json
import os
import unittest

import independent_verifier
import world
from subscribers import Api, delivered, signed_by, world_of_subscribers
from world import on_each_engine

DATA = world.SHARED / "data" / "github-webhooks"
THRESHOLD = 3


def payloads():
    return {file.name: file.read_bytes() for file in sorted(DATA.iterdir())}


def type_of(name):
    return "github." + name.split(".")[0]


def need_package(test):
    if missing := independent_verifier.why_missing():
        test.skipTest(missing)


@unittest.skipUnless(os.path.isdir(DATA), f"the sample data is not there: {DATA}")
class GithubPayloads(world.SystemTest):

    def receive_all(self, engine):
        """What was received of all payloads, each published twice under its key; the secret; bodies by the event's id."""
        w, receiver = world_of_subscribers(self, engine)
        node = w.serve()
        api = Api(node)
        secret = api.subscribe("hook", receiver.url + "/hook", event_types=["github.*"])["secret"]
        published = {}
        for name, body in payloads().items():
            published[api.publish(type_of(name), body, key=name)] = body
        again = {api.publish(type_of(name), body, key=name) for name, body in payloads().items()}
        self.assertEqual(again, set(published))
        world.wait_until(lambda: node.alive() and delivered(w, len(published)), 60, "all are delivered")
        self.assertEqual(node.terminate(), 0)
        return receiver.pushes("/hook"), secret, published

    @on_each_engine
    def test_each_arrives_once_byte_for_byte_with_a_signature_that_verifies(self, engine):
        pushes, secret, published = self.receive_all(engine)
        self.assertEqual(len(published), 273)
        self.assertEqual(len(pushes), len(published))
        received = {push.headers["webhook-id"]: push.body for push in pushes}
        self.assertEqual(received.keys(), published.keys())
        self.assertEqual([event for event, body in published.items() if received[event] != body], [])
        self.assertEqual({push.headers["content-type"] for push in pushes}, {"application/json"})
        self.assertEqual([push.headers for push in pushes if signed_by(push, {"its": secret}) != ["its"]], [])

    def test_the_package_standardwebhooks_verifies_each_and_refuses_each_that_was_changed(self):
        need_package(self)
        pushes, secret, _ = self.receive_all("sqlite")
        self.assertEqual(collections.Counter(independent_verifier.verify(pushes, secret)), {"good": 273})
        changed = [push._replace(body=push.body + b" ") for push in pushes]
        self.assertEqual(collections.Counter(independent_verifier.verify(changed, secret)),
                         {"No matching signature found": 273})


class Subscriptions(world.SystemTest):

    @on_each_engine
    def test_one_is_disabled_at_its_threshold_and_gets_what_arrived_meanwhile_once_enabled(self, engine):
        w, receiver = world_of_subscribers(self, engine, subscriptions={"dead_threshold": THRESHOLD})
        node = w.serve()
        api = Api(node)
        hook = api.subscribe("hook", receiver.url + "/hook")
        receiver.statuses["/hook"] = 400
        for number in range(THRESHOLD):
            api.publish("orders.paid", b'{"number":%d}' % number)
        shown = world.wait_until(lambda: self.disabled(w, node), 30, "it is disabled")
        self.assertEqual((shown["cause"], shown["consecutive_dead"]), ("dead_deliveries", THRESHOLD))
        self.assertIn("in a row", shown["status_reason"])
        dead = api.deliveries(hook, "dead")
        self.assertEqual([each["error_class"] for each in dead], ["http_400"] * THRESHOLD)

        receiver.statuses.clear()
        meanwhile = [api.publish("orders.paid", b'{"number":%d}' % number) for number in range(10, 15)]
        world.wait_until(lambda: len(api.deliveries(hook, "pending")) == len(meanwhile), 30, "they wait for it")
        self.assertEqual(receiver.count(), THRESHOLD)
        w.operate(node, "subscriptions", "enable", "hook", "--reason", "it is mended")
        world.wait_until(lambda: node.alive() and delivered(w, len(meanwhile)), 30, "they are delivered")
        pushed = [push.headers["webhook-id"] for push in receiver.pushes()]
        self.assertEqual(sorted(pushed[THRESHOLD:]), sorted(meanwhile))
        shown = w.operate(node, "subscriptions", "show", "hook")
        self.assertEqual((shown["status"], shown["cause"], shown["consecutive_dead"]), ("active", None, 0))
        self.assertEqual(len(api.deliveries(hook, "dead")), THRESHOLD)

    @staticmethod
    def disabled(w, node):
        shown = w.operate(node, "subscriptions", "show", "hook")
        return shown if shown["status"] == "disabled" else None

    def rotating(self, engine, **settings):
        w, receiver = world_of_subscribers(self, engine, subscriptions=settings)
        node = w.serve()
        api = Api(node)
        hook = api.subscribe("hook", receiver.url + "/hook")
        return w, node, api, receiver, {"old": hook["secret"]}

    def next_push(self, api, receiver):
        before = receiver.count()
        event = api.publish("orders.paid", b'{"number":1}')
        world.wait_until(lambda: receiver.count() > before, 30, "it is pushed")
        push = receiver.pushes()[-1]
        self.assertEqual(push.headers["webhook-id"], event)
        return push

    def rotated_twice(self, engine):
        """A push of then, and the three secrets."""
        w, node, api, receiver, secrets = self.rotating(engine)
        self.assertEqual(signed_by(self.next_push(api, receiver), secrets), ["old"])
        secrets["middle"] = w.operate(node, "subscriptions", "rotate", "hook")["secret"]
        secrets["new"] = w.operate(node, "subscriptions", "rotate", "hook")["secret"]
        self.assertEqual(len(set(secrets.values())), 3)
        return self.next_push(api, receiver), secrets

    @on_each_engine
    def test_within_the_overlap_the_old_the_middle_and_the_new_secret_verify(self, engine):
        push, secrets = self.rotated_twice(engine)
        self.assertEqual(signed_by(push, secrets), ["old", "middle", "new"])
        self.assertEqual(len(push.headers["webhook-signature"].split(" ")), 3)

    def test_the_package_standardwebhooks_verifies_by_each_of_the_three_secrets(self):
        need_package(self)
        push, secrets = self.rotated_twice("sqlite")
        self.assertEqual([independent_verifier.verify([push], secret) for secret in secrets.values()], [["good"]] * 3)

    @on_each_engine
    def test_after_the_overlap_the_new_secret_alone_signs(self, engine):
        w, node, api, receiver, secrets = self.rotating(engine, secret_overlap="1s")
        secrets["new"] = w.operate(node, "subscriptions", "rotate", "hook")["secret"]
        push = world.wait_until(lambda: self.signed_once(api, receiver), 30, "the old one is over")
        self.assertEqual(signed_by(push, secrets), ["new"])

    def signed_once(self, api, receiver):
        push = self.next_push(api, receiver)
        return push if " " not in push.headers["webhook-signature"] else None

    @on_each_engine
    def test_an_apply_beside_a_node_tells_a_secret_that_verifies_and_a_second_one_changes_nothing(self, engine):
        w, receiver = world_of_subscribers(self, engine)
        node = w.serve()
        api = Api(node)
        hook = {"tenant": "acme", "name": "hook", "url": receiver.url + "/hook",
                "headers": [{"name": "X-Key", "value": "env:HOOK_KEY"}]}

        def applied(**more):
            file = w.write("hook.json", json.dumps({"subscriptions": [{**hook, **more}]}))
            done = w.run("apply", file, "--yes", environment={"HOOK_KEY": "canary-7d20"})
            self.assertEqual(done.code, 0, done.err)
            self.assertNotIn("canary-7d20", done.out + done.err)
            return done.out

        secrets = {"its": applied().split()[-1]}
        push = self.next_push(api, receiver)
        self.assertEqual(signed_by(push, secrets), ["its"])
        self.assertEqual(push.headers["x-key"], "canary-7d20")
        self.assertEqual(applied(), "nothing to change\n")
        told = applied(url=receiver.url + "/other")
        self.assertIn("url", told)
        self.assertNotIn("whsec_", told)
        push = self.next_push(api, receiver)
        self.assertEqual((push.path, signed_by(push, secrets)), ("/other", ["its"]))

    def test_a_stop_of_everything_stops_pushes_at_once_and_a_resume_sends_them(self):
        subscribers, events = 32, 20
        w, receiver = world_of_subscribers(self, "sqlite", subscriptions={"lease": "60s"},
                                           calls={"call_timeout": "30s"}, delivery={"settle_after": "30s"})
        node = w.serve()
        api = Api(node)
        for number in range(subscribers):
            api.subscribe(f"hook-{number}", f"{receiver.url}/{number}")
        receiver.hold.clear()
        for number in range(events):
            api.publish("orders.paid", b'{"number":%d}' % number)
        world.wait_until(lambda: node.alive() and receiver.count() >= subscribers, 60, "calls are out to all")
        w.operate(node, "stop", "--global", "--reason", "the subscribers asked for it")
        acknowledged = receiver.count()
        receiver.let_go()
        world.wait_until(lambda: delivered(w, acknowledged), 30, "what was out is recorded")
        api.publish("orders.paid", b'{"number":-1}')
        written = subscribers * (events + 1)
        world.wait_until(lambda: w.query("SELECT count(*) FROM event_deliveries") == [(str(written),)], 30,
                         "every delivery is written")
        self.assertEqual(receiver.count(), acknowledged)
        self.assertLess(acknowledged, written)

        w.operate(node, "resume", "--global")
        world.wait_until(lambda: node.alive() and delivered(w, written), 60, "all are delivered")
        pushed = collections.Counter((push.path, push.headers["webhook-id"]) for push in receiver.pushes())
        self.assertEqual((len(pushed), set(pushed.values())), (written, {1}))


if __name__ == "__main__":
    world.main()
