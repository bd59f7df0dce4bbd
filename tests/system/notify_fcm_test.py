#!/usr/bin/env -S python3 -B
"""Notifications by Firebase Cloud Messaging: the access token, the message, and what each of its answers comes to."""

import re
import time

import world
from fcm_server import FcmServer, refusal
from notifying import Notifying
from processes import wait_until
from push_doubts import Doubts, waits


class Fcm(world.SystemTest):

    def stand(self, engine="sqlite", timeout=20):
        self.server = FcmServer()
        self.addCleanup(self.server.close)
        n = Notifying(self, engine, **waits(timeout))
        for name in ("push", "spare"):
            n.profile(name, "fcm", {"base_url": self.server.url}, self.server.key_file())
        n.route("both", "push", "spare")
        n.route("one", "push")
        return n

    def reach(self, n, address="token-1", kind="fcm_token"):
        self.server.addresses.add(address)
        return n.contact(kind, address)

    def came(self):
        return len(self.server.taken)


class Sending(Fcm):

    def test_a_hundred_messages_share_one_access_token_and_each_arrives_once(self):
        n = self.stand()
        self.server.planned = ["late"] * 100
        self.server.late_by = 0.2
        kinds = ["fcm_installation", "fcm_token"] * 50
        contacts = [self.reach(n, f"address-{number}", kind) for number, kind in enumerate(kinds)]
        made = [n.send(contact, "one", title="Hello") for contact in contacts]
        for each in made:
            n.ended(each, "accepted")
        came = sorted((message.get("fid") or message["token"], "fid" in message) for _, message in self.server.taken)
        self.assertEqual(came, sorted((f"address-{number}", kind == "fcm_installation")
                                      for number, kind in enumerate(kinds)))
        self.assertEqual(len(self.server.tokens), 1)
        self.assertGreater(self.server.most_at_once, 4)
        names = {n.show(each)["history"][0]["provider_message_id"] for each in made}
        self.assertEqual(names, {name for name, _ in self.server.taken})

    def test_the_message_is_what_v1_has_a_place_for(self):
        n = self.stand()
        until = int(time.time()) + 7200
        made = n.send(self.reach(n), "one", title="Parcel", text="Grüße 📦", urgency="high", collapse_key="parcel-7",
                      data={"number": 9007199254740993, "left": None, "deep": {"a": [1, 2]}},
                      expires_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until)))
        n.ended(made, "accepted")
        (_, message), = self.server.taken
        ttl = message["android"].pop("ttl")
        self.assertTrue(7000 < int(re.fullmatch(r"(\d+)s", ttl)[1]) <= 7200, ttl)
        self.assertEqual(message["webpush"]["headers"].pop("TTL") + "s", ttl)
        self.assertEqual(message, {
            "token": "token-1",
            "notification": {"title": "Parcel", "body": "Grüße 📦"},
            "data": {"number": "9007199254740993", "deep": '{"a":[1,2]}'},
            "android": {"priority": "HIGH", "collapse_key": "parcel-7"},
            "apns": {"headers": {"apns-priority": "10", "apns-expiration": str(until), "apns-collapse-id": "parcel-7"}},
            "webpush": {"headers": {"Urgency": "high", "Topic": "parcel-7"}}})


class Token(Fcm):

    def test_an_access_token_is_fetched_anew_before_it_expires_and_after_it_was_refused(self):
        n = self.stand()
        self.server.lifetime = 2
        person = self.reach(n)
        n.ended(n.send(person, "one", title="Hello"), "accepted")
        time.sleep(2)
        self.server.lifetime = 3599
        self.server.revoke()  # whoever still used the first one would be refused
        shown = n.ended(n.send(person, "one", title="Hello"), "accepted")
        self.assertEqual((len(shown["history"]), len(self.server.tokens)), (1, 2))
        self.server.revoke()
        shown = n.ended(n.send(person, "one", title="Hello"), "accepted")
        self.assertEqual([one["state"] for one in shown["history"]], ["retryable", "accepted"])
        self.assertEqual((len(self.server.tokens), self.came()), (3, 3))

    def test_an_assertion_by_a_wrong_clock_is_made_once_more_by_googles(self):
        n = self.stand()
        self.server.clock_ahead = 3 * 3600
        shown = n.ended(n.send(self.reach(n), "one", title="Hello"), "accepted")
        self.assertEqual((len(shown["history"]), len(self.server.tokens)), (1, 1))
        self.assertIn("clock.corrected", n.node.said())

    def test_an_account_whose_key_is_refused_sends_nothing_and_the_next_profile_has_its_turn(self):
        n = self.stand()
        other = FcmServer()
        self.addCleanup(other.close)
        n.profile("foreign", "fcm", {"base_url": self.server.url},
                  {**self.server.key_file(), "private_key": other.private_key})
        n.route("foreign first", "foreign", "push")
        shown = n.ended(n.send(self.reach(n), "foreign first", title="Hello"), "accepted")
        self.assertEqual([(one["state"], one["cause"]) for one in shown["history"]],
                         [("rejected", "provider"), ("accepted", None)])
        self.assertEqual(self.came(), 1)


class Answers(Fcm):

    def test_unregistered_retires_the_address_and_costs_no_further_call(self):
        n = self.stand()
        gone = n.contact("fcm_token", "gone")
        shown = n.ended(n.send(gone, "both", title="Hello"), "rejected")
        last, = shown["history"]
        self.assertEqual((last["cause"], last["error_class"]), ("recipient", "UNREGISTERED"))
        kept = n.api.must("GET", f"/v1/contact-points/{gone}")["suppression"]
        self.assertEqual(kept["reason"], "retired_token")
        self.assertEqual(n.ended(n.send(gone, "both", title="Hello"), "failed")["history"], [])
        self.assertEqual(len(self.server.refused), 1)

    def test_what_the_message_or_the_address_is_refused_for_ends_it_and_suppresses_nobody(self):
        n = self.stand()
        person = self.reach(n)
        for field, cause in (("message.android.ttl", "message"), ("message.token", "recipient")):
            self.server.planned = [refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", field)]
            shown = n.ended(n.send(person, "both", title="Hello"), "rejected")
            self.assertEqual([(one["cause"], one["error_class"]) for one in shown["history"]],
                             [(cause, "INVALID_ARGUMENT")])
        self.assertIsNone(n.api.must("GET", f"/v1/contact-points/{person}")["suppression"])

    def test_what_the_account_is_refused_for_goes_to_the_next_profile(self):
        n = self.stand()
        person = self.reach(n)
        for status, word, code in ((403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
                                   (401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR")):
            self.server.planned = [refusal(status, word, code)]
            shown = n.ended(n.send(person, "both", title="Hello"), "accepted")
            self.assertEqual([(one["profile"], one["state"], one["error_class"]) for one in shown["history"]],
                             [("push", "rejected", code), ("spare", "accepted", None)])
        self.assertIsNone(n.api.must("GET", f"/v1/contact-points/{person}")["suppression"])

    def test_what_is_over_soon_is_tried_again_at_the_same_profile(self):
        n = self.stand()
        person = self.reach(n)
        for status, word in ((503, "UNAVAILABLE"), (500, "INTERNAL")):
            self.server.planned = [refusal(status, word, word)] * 2
            shown = n.ended(n.send(person, "both", title="Hello"), "accepted")
            self.assertEqual([(one["profile"], one["state"], one["error_class"]) for one in shown["history"]],
                             [("push", "retryable", word)] * 2 + [("push", "accepted", None)])

    def test_a_quota_that_is_exceeded_is_waited_for_as_long_as_fcm_says(self):
        n = self.stand()
        person = self.reach(n)
        self.server.planned = [refusal(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", headers={"Retry-After": "3"})]
        since = time.monotonic()
        made = n.send(person, "both", title="Hello")
        wait_until(lambda: self.server.refused, 60, "the quota is exceeded")
        meanwhile = n.send(person, "both", title="Hello")
        first, second = n.ended(made, "accepted"), n.ended(meanwhile, "accepted")
        self.assertGreaterEqual(time.monotonic() - since, 3)
        self.assertEqual([one["error_class"] for one in first["history"]], ["QUOTA_EXCEEDED", None])
        self.assertEqual(len(second["history"]), 1)


class FcmDoubts(Doubts, Fcm):
    pass


if __name__ == "__main__":
    world.main()
