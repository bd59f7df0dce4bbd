#!/usr/bin/env -S python3 -B
"""Notifications by Firebase Cloud Messaging: the access token, the message, and what each of its answers comes to."""

import re
import time

import world
from fcm_server import FcmServer, refusal
from processes import wait_until
from provider_server import Refusal
from push_doubts import HASTY_S, Doubts
from push_sending import Push, ago, moment

OF_THE_MESSAGE = [refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "message.android.ttl"),
                  refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT")]
OF_THE_ADDRESS = [refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "message.token")]
OF_THE_ACCOUNT = [refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
                  refusal(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"), refusal(403, "PERMISSION_DENIED"),
                  refusal(404, "NOT_FOUND")]  # of the project: it has not FCM's own word
OVER_SOON = [refusal(503, "UNAVAILABLE", "UNAVAILABLE"), refusal(500, "INTERNAL", "INTERNAL")]
UNKNOWN = [refusal(502, ""), refusal(504, "DEADLINE_EXCEEDED"), refusal(500, "UNKNOWN", "UNSPECIFIED_ERROR")]


class Fcm(Push):

    def stand(self, engine="sqlite", timeout=20):
        self.server = FcmServer()
        self.addCleanup(self.server.close)
        return self.node(engine, timeout, ("fcm", {"base_url": self.server.url}, self.server.key_file()))

    def reach(self, n, address="token-1", kind="fcm_token", **more):
        self.server.addresses.add(address)
        return n.contact(kind, address, **more)

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

    def test_what_goes_wrong_at_the_token_endpoint_leaves_no_message_in_doubt(self):
        n = self.stand(timeout=HASTY_S)
        self.server.planned_tokens = [Refusal(503, {}), "hang", "cut"]
        shown = n.ended(n.send(self.reach(n), "one", title="Hello"), "accepted")
        self.assertEqual([one["state"] for one in shown["history"]], ["retryable"] * 3 + ["accepted"])
        self.assertEqual((self.server.planned_tokens, self.came()), ([], 1))

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

    def each(self, refusals, state, course):
        n = self.stand()
        person = self.reach(n)
        for refused in refusals:
            with self.subTest(refused.body):
                self.assertEqual(self.ended(n, person, [refused], state), course)
        self.assertIsNone(self.suppression(n, person))

    def test_unregistered_retires_the_address_and_costs_no_further_call(self):
        n = self.stand()
        gone, other = n.contact("fcm_token", "gone"), self.reach(n)
        shown = n.ended(n.send(gone, "both", title="Hello"), "rejected")
        last, = shown["history"]
        self.assertEqual((last["cause"], last["error_class"]), ("recipient", "UNREGISTERED"))
        self.assertEqual(self.suppression(n, gone)["reason"], "retired_token")
        self.assertEqual(n.ended(n.send(gone, "both", title="Hello"), "failed")["history"], [])
        self.assertEqual(len(self.server.refused), 1)
        n.ended(n.send(other, "both", title="Hello"), "accepted")
        self.assertIsNone(self.suppression(n, other))

    def test_an_address_that_its_app_registers_anew_is_used_again(self):
        n = self.stand()
        person = n.contact("fcm_token", "gone", registered_at=ago(3600))
        n.ended(n.send(person, "both", title="Hello"), "rejected")
        self.assertEqual(self.suppression(n, person)["reason"], "retired_token")
        self.assertEqual(n.contact("fcm_token", "gone", registered_at=ago(1800)), person)
        self.assertEqual(self.suppression(n, person)["reason"], "retired_token")  # that was before it died
        self.assertEqual(self.reach(n, "gone", registered_at=ago(-60)), person)
        self.assertIsNone(self.suppression(n, person))
        n.ended(n.send(person, "both", title="Hello"), "accepted")

    def test_what_the_message_is_refused_for_ends_it_whatever_profiles_are_left(self):
        self.each(OF_THE_MESSAGE, "rejected", [("push", "rejected", "message")])

    def test_what_the_address_is_refused_for_ends_it_and_retires_nothing_without_fcms_word(self):
        self.each(OF_THE_ADDRESS, "rejected", [("push", "rejected", "recipient")])

    def test_what_the_account_is_refused_for_goes_to_the_next_profile(self):
        self.each(OF_THE_ACCOUNT, "accepted", [("push", "rejected", "provider"), ("spare", "accepted", None)])

    def test_what_is_over_soon_is_tried_again_at_the_same_profile(self):
        self.each(OVER_SOON, "accepted", [("push", "retryable", None), ("push", "accepted", None)])

    def test_an_error_that_leaves_open_whether_it_was_taken_is_a_doubt(self):
        self.each(UNKNOWN, "ambiguous", [("push", "ambiguous", None)])

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

    def test_a_quota_that_is_exceeded_is_waited_for_a_minute_where_fcm_says_nothing(self):
        n = self.stand()
        self.server.planned = [refusal(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")]
        made = n.send(self.reach(n), "both", title="Hello")
        wait_until(lambda: n.show(made)["history"] and n.state(made) == "queued", 60, "it waits")
        shown = n.show(made)
        first, = shown["history"]
        self.assertGreaterEqual(moment(shown["due_at"]) - moment(first["submitted_at"]), 60)
        self.assertEqual((first["error_class"], shown["profile"], self.came()), ("QUOTA_EXCEEDED", "push", 0))


class FcmDoubts(Doubts, Fcm):
    pass


if __name__ == "__main__":
    world.main()
