#!/usr/bin/env -S python3 -B
"""Messages to a receiver of webhooks and what it posts back, by whole processes."""

import threading
import time

import webhook_sender
import world
from notifying import Notifying
from processes import wait_until
from provider_server import Refusal
from webhook_receiver import KEY, WebhookReceiver, told_back
from world import on_each_engine

PATIENT_S, HASTY_S = 15, 2
OTHER = webhook_sender.secret_of(b"another key of thirty-two bytes!")
SECRETS = [webhook_sender.secret_of(KEY)]
WORDS = {"id": "/data/message~1id", "attempt_id": "/data/ref", "state": "/what/0", "time": "/at",
         "states": {"GONE OUT": "sent", "THERE": "delivered", "NOBODY": "bounced"},
         "suppressing": {"NOBODY": "hard_bounce"}}


class NotifyWebhook(world.SystemTest):

    def node(self, engine="sqlite", patience=PATIENT_S, **notifications):
        timeout = f"{patience}s"
        return Notifying(self, engine, {"lease": f"{3 * patience}s", **notifications},
                         calls={"connect_timeout": timeout, "call_timeout": timeout},
                         delivery={"settle_after": timeout, "dispatch_interval": "500ms"})

    def receiver(self, **options):
        made = WebhookReceiver(**options)
        self.addCleanup(made.close)
        return made

    def profile(self, node, receiver, name="hook", **settings):
        """Its id; with a route of its own name."""
        made = node.profile(name, "webhook", receiver.settings(**settings), receiver.credentials)
        node.route(name, name)
        return made

    def sent(self, node, route="hook", address="someone#7", **content):
        return node.send(node.contact("other", address), route, **{"text": "Grüße", **content})

    @staticmethod
    def told_back(node, profile, *arguments, **options):
        return told_back(node.here("", "").removeprefix("http://"), profile, *arguments, **options)

    def test_a_message_is_signed_by_every_secret_and_has_all_of_its_content(self):
        node = self.node()
        receiver = self.receiver(secrets=[*SECRETS, OTHER], authorization="Bearer of-the-receiver",
                                 answers=lambda number: {"result": [{"key": f"no {number}"}]})
        self.profile(node, receiver, id="/result/0/key", headers={"X-Shop": "acme"})
        data = {"order": 7, "of": {"name": "Ünïcode"}}
        id = self.sent(node, subject="Hallo", title="Titel", html="<p>Grüße</p>", data=data, urgency="high",
                       collapse_key="order-7", expires_at="2100-01-01T00:00:00Z")
        (attempt,) = node.ended(id, "accepted")["history"]
        self.assertEqual(attempt["provider_message_id"], "no 1")
        self.assertEqual((attempt["told"], receiver.faults), (None, []))
        (message,) = receiver.taken
        self.assertEqual(message, {
            "webhook-id": id, "id": attempt["id"], "notification": id, "to": {"kind": "other", "address": "someone#7"},
            "content": {"subject": "Hallo", "title": "Titel", "text": "Grüße", "html": "<p>Grüße</p>",
                        "collapse_key": "order-7", "data": data, "urgency": "high"},
            "expires_at": "2100-01-01T00:00:00.000000Z"})
        # The receiver tells a signature that is not by its secrets.
        node.profile("stranger", "webhook", receiver.settings(), {**receiver.credentials, "secrets": [OTHER]})
        node.route("stranger", "stranger")
        self.assertEqual(node.ended(self.sent(node, "stranger"), "rejected")["error_class"], "http_403")
        self.assertEqual((receiver.faults, receiver.count()), (["a signature is not ours"], 1))

    def test_each_answer_has_its_meaning(self):
        node = self.node(retry_schedule=["200ms"] * 3)
        cases = {(400,): ("rejected", ["rejected"], "provider"), (401,): ("rejected", ["rejected"], "provider"),
                 (404,): ("rejected", ["rejected"], "provider"), (413,): ("rejected", ["rejected"], "message"),
                 (429,): ("accepted", ["retryable", "accepted"], None), (302,): ("accepted", ["retryable", "accepted"], None),
                 (408, 425): ("accepted", ["retryable", "retryable", "accepted"], None),
                 (429, 429, 429, 429): ("failed", ["retryable"] * 4, None),
                 (500,): ("ambiguous", ["ambiguous"], None), (503,): ("ambiguous", ["ambiguous"], None)}
        asked = {}
        for number, statuses in enumerate(cases):
            receiver = self.receiver()
            receiver.planned = [Refusal(status, {"error": "not you, someone#7"}) for status in statuses]
            self.profile(node, receiver, f"p{number}")
            asked[statuses] = self.sent(node, f"p{number}")
        for statuses, (state, attempts, cause) in cases.items():
            with self.subTest(answers=statuses):
                shown = node.ended(asked[statuses], state)
                self.assertEqual([one["state"] for one in shown["history"]], attempts)
                self.assertEqual(shown["history"][0]["cause"], cause)
                self.assertEqual(shown["history"][0]["error_class"], f"http_{statuses[0]}")
                self.assertNotIn("someone#7", str(shown))

    @on_each_engine
    def test_an_answer_that_does_not_come_is_sent_again_where_the_receiver_takes_an_id_once(self, engine):
        node = self.node(engine, patience=HASTY_S, retry_schedule=["200ms"] * 10)
        ids = {}
        receivers = {plan: self.receiver() for plan in ("hang", "cut", "late")}
        for plan, receiver in receivers.items():
            self.profile(node, receiver, plan)
            self.profile(node, receiver, plan + "-once", honours_webhook_id=True)
            receiver.planned, receiver.late_by = [plan, plan], 2 * HASTY_S
            ids[plan] = self.sent(node, plan), self.sent(node, plan + "-once")
        for plan, (careful, once) in ids.items():
            with self.subTest(plan=plan):
                self.assertEqual([one["state"] for one in node.ended(careful, "ambiguous")["history"]], ["ambiguous"])
                self.assertEqual([one["state"] for one in node.ended(once, "accepted")["history"]],
                                 ["retryable", "accepted"])
                came = [message["webhook-id"] for message in receivers[plan].taken]
                self.assertEqual(sorted(came), sorted([careful, once, once]))
        time.sleep(3)  # every retry there is
        self.assertEqual([receiver.count() for receiver in receivers.values()], [3, 3, 3])

    @on_each_engine
    def test_a_status_query_ends_a_doubt_and_only_where_the_receiver_knows_the_message(self, engine):
        node = self.node(engine, patience=HASTY_S, reconcile_schedule=[f"{n}s" for n in range(1, 61)])
        receiver = self.receiver(authorization="Bearer of-the-receiver")
        self.profile(node, receiver, status={"url": receiver.url + "/status/{attempt_id}", **WORDS})
        self.profile(node, receiver, "mute")
        receiver.planned = ["cut"] * 4
        ids = [self.sent(node) for _ in range(3)] + [self.sent(node, "mute")]
        unknown, of_another, known, mute = ids
        attempts = {id: node.ended(id, "ambiguous")["history"][0]["id"] for id in ids}

        def told(id, ref):
            receiver.known[attempts[id]] = {"data": {"message/id": 77, "ref": ref}, "what": ["THERE"],
                                            "at": "2026-11-30T12:00:00Z"}
        told(of_another, attempts[known])
        told(known, attempts[known])
        shown = node.told(known, "delivered", 120)
        (settled,) = shown["history"]
        self.assertEqual((shown["state"], settled["state"], settled["provider_message_id"], settled["told_at"]),
                         ("accepted", "accepted", "77", "2026-11-30T12:00:00.000000Z"))
        (event,) = node.events()["events"]
        self.assertEqual((event["source"], event["progress"]), ("reconciliation", "matched"))
        wait_until(lambda: {attempts[unknown], attempts[of_another]} <= set(receiver.asked), 60, "both were asked for")
        self.assertEqual([node.state(id) for id in (unknown, of_another, mute)], ["ambiguous"] * 3)
        told(unknown, attempts[unknown])
        wait_until(lambda: node.state(unknown) == "accepted", 120, "it is known at a later look")
        self.assertEqual([node.state(id) for id in (of_another, mute)], ["ambiguous"] * 2)
        self.assertNotIn(attempts[mute], receiver.asked)
        self.assertEqual(receiver.count(), 4)

    @on_each_engine
    def test_what_is_posted_back_is_projected_by_its_meaning_and_not_its_arrival(self, engine):
        node, receiver = self.node(engine), self.receiver()
        profile = self.profile(node, receiver, callback=WORDS)
        id = self.sent(node)
        node.ended(id, "accepted")

        def tell(event, word, at):
            return self.told_back(node, profile, event, {"data": {"message/id": "wh-1"}, "what": [word], "at": at,
                                                         "news": {"more": "than asked for"}})
        self.assertEqual(tell("b", "THERE", 1764590400), 204)
        node.told(id, "delivered")
        self.assertEqual(tell("a", "GONE OUT", "2026-11-30T12:00:00Z"), 204)
        self.assertEqual(tell("c", "SOMETHING NEW", 1764590500), 204)
        wait_until(lambda: [one["progress"] for one in node.events()["events"]] == ["matched"] * 3, 60, "all are matched")
        shown = node.show(id)
        self.assertEqual((shown["state"], shown["history"][0]["told"]), ("accepted", "delivered"))
        self.assertEqual(tell("d", "NOBODY", 1764590600), 204)
        node.told(id, "bounced")
        contact = wait_until(lambda: (one := node.api.must("GET", f"/v1/contact-points/{shown['contact']}"))
                             and one["suppression"], 60, "it is suppressed")
        self.assertEqual(contact["reason"], "hard_bounce")
        self.assertEqual(node.ended(self.sent(node), "failed")["history"], [])
        self.assertEqual(receiver.count(), 1)

    def test_what_is_forged_stale_or_unreadable_is_refused_and_never_in_the_ledger(self):
        node, receiver = self.node(), self.receiver()
        profile = self.profile(node, receiver)
        good = {"id": "wh-1", "state": "delivered"}
        now = int(time.time())
        nobody = "00000000-0000-4000-8000-000000000000"
        cases = [
            (403, "bad_signature", {"secrets": [OTHER]}, good), (403, "stale", {"timestamp": now - 3600}, good),
            (403, "stale", {"timestamp": now + 3600}, good), (403, "bad_signature", {"webhook-signature": "v1,AAAA"}, good),
            (403, "bad_signature", {"webhook-id": "another"}, good), (415, "content_type", {"Content-Type": "text/plain"}, good),
            (400, "malformed", {}, b'{"id": "wh-1"'), (400, "malformed", {}, b"[" * 65 + b"]" * 65),
            (422, "unidentified", {}, {"state": "delivered"}),
        ]
        for number, (status, _, options, document) in enumerate(cases):
            with self.subTest(case=number):
                self.assertEqual(self.told_back(node, profile, f"e{number}", document, **options), status)
        self.assertEqual(self.told_back(node, profile, "big", b'{"id":"' + b"x" * 262144 + b'"}'), 413)
        self.assertEqual(self.told_back(node, nobody, "none", good), 404)
        refused = wait_until(lambda: len(node.refused()["refused"]) > len(cases) and node.refused()["refused"], 60,
                             "each is in the audit")
        self.assertEqual(sorted(one["kind"] for one in refused if one["profile"] == profile),
                         sorted(kind for _, kind, _, _ in cases))
        self.assertEqual({one["source"] for one in refused}, {"127.0.0.1"})
        self.assertEqual(node.events()["events"], [])

    @on_each_engine
    def test_a_callback_before_its_attempts_own_record_is_matched_once_that_is_there(self, engine):
        node, receiver = self.node(engine), self.receiver()
        profile = self.profile(node, receiver)
        receiver.hold.clear()
        id = self.sent(node)
        wait_until(receiver.count, 60, "the receiver has it")
        # By the receiver's id, of which this side does not know yet, and by the attempt's, of which it does.
        self.assertEqual(self.told_back(node, profile, "early", {"id": "wh-1", "state": "delivered"}), 204)
        wait_until(lambda: [one["progress"] for one in node.events()["events"]] == ["unmatched"], 60, "it is put aside")
        shown = node.show(id)
        self.assertEqual((shown["state"], shown["history"][0]["told"]), ("dispatching", None))
        attempt = receiver.taken[0]["id"]
        self.assertEqual(self.told_back(node, profile, "named", {"attempt_id": attempt, "state": "sent"}), 204)
        node.told(id, "sent")
        receiver.hold.set()
        node.ended(id, "accepted")
        self.assertEqual(node.told(id, "delivered")["history"][0]["provider_message_id"], "wh-1")
        self.assertEqual([one["progress"] for one in node.events()["events"]], ["matched", "matched"])

    @on_each_engine
    def test_a_callback_proves_that_an_attempt_in_doubt_was_taken(self, engine):
        node, receiver = self.node(engine, patience=HASTY_S), self.receiver()
        profile = self.profile(node, receiver)
        receiver.planned = ["cut"]
        id = self.sent(node)
        node.ended(id, "ambiguous")
        self.assertEqual(self.told_back(node, profile, "proof", {"id": "wh-1", "attempt_id": receiver.taken[0]["id"],
                                                                 "state": "bounced"}), 204)
        node.told(id, "bounced")
        self.assertEqual(node.state(id), "accepted")
        # Which named the message, so that the next need not name the attempt.
        self.assertEqual(self.told_back(node, profile, "more", {"id": "wh-1", "state": "complained"}), 204)
        node.told(id, "complained")
        self.assertEqual(receiver.count(), 1)

    @on_each_engine
    def test_one_callback_posted_twenty_times_at_once_is_one_event_and_nineteen_duplicates(self, engine):
        node, receiver = self.node(engine), self.receiver()
        profile = self.profile(node, receiver)
        id = self.sent(node)
        node.ended(id, "accepted")
        statuses, start = [], threading.Barrier(20)

        def post():
            start.wait()
            statuses.append(self.told_back(node, profile, "same", {"id": "wh-1", "state": "delivered"}))
        threads = [threading.Thread(target=post) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(statuses, [204] * 20)
        node.told(id, "delivered")
        events = node.events()["events"]
        (original,) = [one for one in events if one["progress"] == "matched"]
        self.assertEqual([one["duplicate_of"] for one in events if one["progress"] == "duplicate"], [original["id"]] * 19)
        self.assertEqual(node.world.query("SELECT count(*) FROM attempt_projections"), [("1",)])


if __name__ == "__main__":
    world.main()
