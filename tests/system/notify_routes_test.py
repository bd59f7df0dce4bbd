#!/usr/bin/env -S python3 -B
"""The way of a notification along its route, by whole processes: what goes on to the next profile, what never does, and
how people end it."""

import datetime
import json
import threading
import time

import world
from mail_server import MailServer
from notifying import Notifying
from processes import wait_until
from provider_server import Refusal
from subscribers import Api
from webhook_receiver import WebhookReceiver
from world import on_each_engine

PATIENT_S, HASTY_S = 15, 3  # a call


class NotifyRoutes(world.SystemTest):

    def node(self, engine="sqlite", retries=("200ms",), patience=PATIENT_S):
        timeout = f"{patience}s"
        node = Notifying(self, engine, {"lease": f"{3 * patience}s", "retry_schedule": list(retries)},
                         calls={"connect_timeout": timeout, "call_timeout": timeout}, delivery={"settle_after": timeout})
        self.first, self.second = WebhookReceiver(), WebhookReceiver()
        for name, receiver in (("first", self.first), ("second", self.second)):
            self.addCleanup(receiver.close)
            node.profile(name, "webhook", receiver.settings(), receiver.credentials)
        node.route("both", "first", "second")
        node.route("one", "first")
        return node

    @staticmethod
    def sent(node, route="both", **content):
        return node.send(node.contact("email", "somebody@example.org"), route, **{"subject": "Hello", "text": "you", **content})

    @staticmethod
    def way(shown):
        """Profile and outcome of each attempt."""
        assert [one["number"] for one in shown["history"]] == list(range(1, len(shown["history"]) + 1)), shown
        return [(one["profile"], one["state"]) for one in shown["history"]]

    def counts(self):
        return self.first.count(), self.second.count()

    @on_each_engine
    def test_the_next_profile_sends_what_the_first_refused_or_could_not_take(self, engine):
        node = self.node(engine)
        self.first.planned = [Refusal(401, {})]
        refused = self.sent(node)
        self.assertEqual(self.way(node.ended(refused, "accepted")), [("first", "rejected"), ("second", "accepted")])
        self.first.planned = [Refusal(429, {})] * 2
        busy = self.sent(node)
        self.assertEqual(self.way(node.ended(busy, "accepted")),
                         [("first", "retryable")] * 2 + [("second", "accepted")])
        self.assertEqual(self.counts(), (0, 2))
        self.assertEqual([message["notification"] for message in self.second.taken], [refused, busy])

    def test_the_last_profiles_word_is_the_notifications(self):
        node = self.node()
        self.first.planned = [Refusal(403, {}), Refusal(403, {})]
        self.second.planned = [Refusal(404, {}), *[Refusal(429, {})] * 2]
        shown = node.ended(self.sent(node), "rejected")
        self.assertEqual((self.way(shown), shown["error_class"]),
                         ([("first", "rejected"), ("second", "rejected")], "http_404"))
        shown = node.ended(self.sent(node), "failed")
        self.assertEqual(self.way(shown), [("first", "rejected")] + [("second", "retryable")] * 2)
        self.assertEqual(shown["error_class"], "http_429")

    @on_each_engine
    def test_from_a_doubt_nothing_goes_on_until_a_person_ends_it(self, engine):
        node = self.node(engine, patience=HASTY_S)
        self.first.planned = ["cut", "hang"]
        ids = [self.sent(node), self.sent(node)]
        for id in ids:
            self.assertEqual(self.way(node.ended(id, "ambiguous")), [("first", "ambiguous")])
        time.sleep(2)  # the retry there is, and time for a fallback
        self.assertEqual(self.counts(), (2, 0))
        self.first.planned = [Refusal(401, {})]
        for id, outcome in zip(ids, ("not-sent", "accepted")):
            node.world.operate(node.node, "notifications", "settle", id, outcome, "--reason", "asked there")
        self.assertEqual(self.way(node.ended(ids[0], "accepted")),
                         [("first", "retryable"), ("first", "rejected"), ("second", "accepted")])
        self.assertEqual(self.way(node.ended(ids[1], "accepted")), [("first", "accepted")])
        self.assertEqual(self.counts(), (2, 1))
        again = node.world.run("--api", node.here("", "").removeprefix("http://"), "notifications", "settle", ids[1], "not-sent")
        self.assertNotEqual(again.code, 0)
        self.assertIn("a provider took it", again.err)

    def test_a_refused_recipient_or_message_is_taken_to_no_other_profile(self):
        node = self.node()
        mail = MailServer(replies={"RCPT": "550 5.1.1 no such mailbox"})
        self.addCleanup(mail.close)
        node.profile("mail", "smtp", {"host": "127.0.0.1", "port": mail.port, "tls": "opportunistic",
                                      "from": "news@example.com"})
        node.route("mail-first", "mail", "second")
        self.first.planned = [Refusal(413, {})]
        self.assertEqual(self.way(node.ended(self.sent(node), "rejected")), [("first", "rejected")])
        self.assertEqual(self.way(node.ended(self.sent(node, "mail-first"), "rejected")), [("mail", "rejected")])
        # Its address is dead by now, whoever would carry the message.
        shown = node.ended(self.sent(node), "failed")
        self.assertEqual((self.way(shown), shown["error_class"]), ([], "contact_suppressed"))
        self.assertEqual(self.counts(), (0, 0))

    def test_a_route_that_is_changed_is_for_later_notifications(self):
        node = self.node(retries=("2s",))
        self.first.planned = [Refusal(429, {})] * 2
        before = self.sent(node)
        wait_until(lambda: node.show(before)["history"], 60, "it is tried")
        route = next(one for one in node.api.must("GET", "/v1/routes")["routes"] if one["name"] == "both")
        node.api.must("PATCH", f"/v1/routes/{route['id']}", {"profiles": ["second"]})
        self.assertEqual(self.way(node.ended(self.sent(node), "accepted")), [("second", "accepted")])
        self.assertEqual(self.way(node.ended(before, "accepted")),
                         [("first", "retryable")] * 2 + [("second", "accepted")])

    @on_each_engine
    def test_what_expires_before_it_is_taken_is_sent_no_more(self, engine):
        node = self.node(engine, retries=["500ms"] * 100)
        self.first.planned = [Refusal(429, {})] * 1000
        now = datetime.datetime.now(datetime.timezone.utc)

        def in_seconds(seconds):
            return (now + datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
        id = self.sent(node, "one", expires_at=in_seconds(8))
        past = node.ended(self.sent(node, "both", expires_at=in_seconds(-5)), "expired")
        self.assertEqual(past["history"], [])
        shown = node.ended(id, "expired")
        self.assertGreater(len(shown["history"]), 0)
        self.assertEqual({state for _, state in self.way(shown)}, {"retryable"})
        tried = len(self.first.refused)
        self.assertEqual(tried, len(shown["history"]))
        time.sleep(2)
        self.assertEqual((len(self.first.refused), self.counts()), (tried, (0, 0)))

    @on_each_engine
    def test_a_person_cancels_what_waits_and_nothing_that_may_be_with_a_provider(self, engine):
        node = self.node(engine, retries=("1h",))
        self.first.planned = [Refusal(429, {}), "cut"]
        waiting = self.sent(node)
        wait_until(lambda: self.way(node.show(waiting)) == [("first", "retryable")], 60, "it waits")
        node.world.operate(node.node, "notifications", "cancel", waiting, "--reason", "not any more")
        self.assertEqual(node.state(waiting), "cancelled")
        doubted = self.sent(node)
        node.ended(doubted, "ambiguous")
        taken = self.sent(node)
        node.ended(taken, "accepted")
        self.first.hold.clear()
        out = self.sent(node)
        wait_until(lambda: self.first.count() == 3, 60, "it is out")
        for id in (waiting, doubted, taken, out):
            status, problem = node.api.ask("POST", f"/v1/notifications/{id}/cancel", {})
            self.assertEqual(status, 409, problem)
        self.first.hold.set()
        node.ended(out, "accepted")
        audit = node.api.must("GET", "/v1/audit?limit=1000")["entries"]
        self.assertEqual(len([one for one in audit if "cancel" in json.dumps(one)]), 1)

    @on_each_engine
    def test_a_key_is_one_notification_and_refuses_another_one(self, engine):
        node = self.node(engine)
        contact = node.contact("email", "somebody@example.org")
        wanted = {"tenant": "acme", "contact": contact, "route": "both", "subject": "Hello", "text": "you"}
        answers = []

        def post():
            answers.append(Api(node.node).ask("POST", "/v1/notifications", wanted, **{"Idempotency-Key": "order-7"}))
        threads = [threading.Thread(target=post) for _ in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(status for status, _ in answers), [200] * 49 + [201])
        (id,) = {document["id"] for _, document in answers}
        node.ended(id, "accepted")
        for other in ({**wanted, "text": "somebody else"}, {**wanted, "route": "one"}):
            status, problem = node.api.ask("POST", "/v1/notifications", other, **{"Idempotency-Key": "order-7"})
            self.assertEqual(status, 422, problem)
            self.assertIn("key", problem["detail"].lower())
        self.assertNotEqual(node.send(contact, "both", "order-8", subject="Hello", text="you"), id)
        wait_until(lambda: self.counts() == (2, 0), 60, "each key is one message")

    @on_each_engine
    def test_what_a_killed_node_had_sent_is_not_sent_again(self, engine):
        node = self.node(engine, patience=HASTY_S)
        self.first.hold.clear()
        ids = [self.sent(node) for _ in range(5)]
        wait_until(self.first.count, 60, "the receiver has some")
        node.kill()
        out = {message["notification"] for message in self.first.taken}
        self.first.hold.set()
        node.start()
        for id in ids:
            shown = node.ended(id, "ambiguous" if id in out else "accepted")
            self.assertEqual(self.way(shown)[-1][0], "first")
        self.assertEqual(sorted(message["notification"] for message in self.first.taken), sorted(ids))
        self.assertEqual(self.second.count(), 0)


if __name__ == "__main__":
    world.main()
