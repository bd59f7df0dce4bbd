#!/usr/bin/env -S python3 -B
"""Notifications by APNs: HTTP/2 over TLS, the provider token, the notification, and what each of its answers comes to."""

import json
import time

import python_packages

python_packages.need("h2", "cryptography")
import world
from apns_server import TOPIC, ApnsServer, refusal
from certificates import certificate_for
from es256 import new_key, pem_of
from processes import wait_until
from push_doubts import Doubts
from push_sending import Push, ago, moment

DEVICE = "a0" * 32
AT_ONCE = [("push", "retryable", None), ("push", "accepted", None)]

OF_THE_MESSAGE = [refusal(400, reason) for reason in
                  ("BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders",
                   "InvalidPushType", "PayloadEmpty")] + [refusal(413, "PayloadTooLarge")]
OF_THE_ADDRESS = [refusal(400, "BadDeviceToken"), refusal(400, "MissingDeviceToken"), refusal(410, "SomethingNew"),
                  refusal(400, "Unregistered")]
OF_THE_ACCOUNT = [refusal(status, reason) for status, reason in
                  ((400, "BadTopic"), (400, "DeviceTokenNotForTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"),
                   (403, "BadCertificate"), (403, "BadCertificateEnvironment"), (403, "Forbidden"),
                   (403, "InvalidProviderToken"), (403, "MissingProviderToken"), (403, "UnrelatedKeyIdInToken"),
                   (403, "BadEnvironmentKeyIdInToken"), (404, "BadPath"), (405, "MethodNotAllowed"),
                   (403, "SomethingNew"))]
OVER_SOON = [refusal(status, reason) for status, reason in
             ((400, "IdleTimeout"), (429, "TooManyRequests"), (500, "InternalServerError"), (503, "ServiceUnavailable"),
              (503, "Shutdown"))]


class Apns(Push):

    def stand(self, engine="sqlite", timeout=20):
        certificate, key = certificate_for(self)
        self.server = ApnsServer((certificate, key))
        self.addCleanup(self.server.close)
        account = ("apns", {**self.server.settings(), "sound": "default"}, self.server.credentials())
        return self.node(engine, timeout, account, ca_file=str(certificate))

    def reach(self, n, device=DEVICE, **more):
        return n.contact("apns_token", device, **more)

    def came(self):
        return len(self.server.arrived)


class Sending(Apns):

    def test_many_messages_share_one_connection_and_one_provider_token_and_each_arrives_once(self):
        n = self.stand()
        n.ended(n.send(self.reach(n), "one", title="Hello"), "accepted")
        self.server.planned = ["late"] * 100
        self.server.late_by = 0.5
        devices = [f"{number:064x}" for number in range(100)]
        made = [n.send(self.reach(n, device), "one", title="Hello") for device in devices]
        shown = [n.ended(each, "accepted") for each in made]
        self.assertEqual(sorted(one.device for one in self.server.arrived), sorted([DEVICE, *devices]))
        self.assertEqual((self.server.connections, len(self.server.tokens)), (1, 1))
        self.assertGreater(self.server.most_at_once, 4)
        ids = {one["history"][0]["provider_message_id"] for one in shown}
        self.assertEqual(ids, {one.headers["apns-id"] for one in self.server.arrived[1:]})
        self.assertEqual(ids, {one["history"][0]["id"] for one in shown})  # it is the attempt's own

    def test_a_connection_that_apns_ended_while_it_was_idle_is_opened_anew_without_a_doubt(self):
        n = self.stand()
        for number in range(1, 4):
            shown = n.ended(n.send(self.reach(n), "one", title="Hello"), "accepted")
            self.assertEqual((len(shown["history"]), self.came(), self.server.connections), (1, number, number))
            self.server.end_connections()
            wait_until(lambda: self.server.ended == number, 60, "the connection is ended")

    def test_an_alert_has_its_path_its_headers_and_apples_members(self):
        n = self.stand()
        until = int(time.time()) + 7200
        n.ended(n.send(self.reach(n, DEVICE.upper()), "one", title="Parcel", text="Grüße 📦", urgency="low",
                       collapse_key="parcel-7", data={"order": 7, "deep": {"a": [1, None]}},
                       expires_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until))), "accepted")
        came, = self.server.arrived
        self.assertEqual(came.headers[":path"], f"/3/device/{DEVICE}")
        self.assertEqual({name: came.headers[name] for name in ("apns-topic", "apns-push-type", "apns-priority",
                                                                "apns-expiration", "apns-collapse-id")},
                         {"apns-topic": TOPIC, "apns-push-type": "alert", "apns-priority": "5",
                          "apns-expiration": str(until), "apns-collapse-id": "parcel-7"})
        self.assertEqual(came.content, {"aps": {"alert": {"title": "Parcel", "body": "Grüße 📦"}, "sound": "default"},
                                        "order": 7, "deep": {"a": [1, None]}})

    def test_data_alone_goes_in_the_background(self):
        n = self.stand()
        n.ended(n.send(self.reach(n), "one", data={"order": 7}, collapse_key="x" * 65), "accepted")
        came, = self.server.arrived
        self.assertEqual((came.headers["apns-push-type"], came.headers["apns-priority"]), ("background", "5"))
        self.assertLessEqual(len(came.headers["apns-collapse-id"]), 64)
        self.assertEqual(came.content, {"aps": {"content-available": 1}, "order": 7})


class Token(Apns):

    def test_a_token_that_apns_calls_too_old_too_soon_is_kept_for_apple_wants_no_other_so_often(self):
        n = self.stand()
        course = self.ended(n, self.reach(n), [refusal(403, "ExpiredProviderToken")] * 2, "accepted")
        self.assertEqual(course, [("push", "retryable", None)] * 2 + [("push", "accepted", None)])
        self.assertEqual(len(self.server.tokens), 1)

    def test_apns_is_left_alone_for_long_where_tokens_change_too_often_for_it(self):
        n = self.stand()
        self.server.planned = [refusal(429, "TooManyProviderTokenUpdates")]
        first = n.send(self.reach(n), "one", title="Hello")
        wait_until(lambda: n.show(first)["history"] and n.state(first) == "queued", 60, "it waits")
        self.assertGreater(moment(n.show(first)["due_at"]), time.time() + 900)
        other = n.send(self.reach(n), "one", title="Hello")
        time.sleep(2)  # that nothing happens can be seen by waiting alone
        self.assertEqual((n.state(other), n.show(other)["history"], self.came()), ("queued", [], 0))

    def test_an_account_with_another_key_sends_nothing_and_the_next_profile_has_its_turn(self):
        n = self.stand()
        n.profile("foreign", "apns", self.server.settings(), {"private_key": pem_of(new_key())})
        n.route("foreign first", "foreign", "push")
        self.assertEqual(self.ended(n, self.reach(n), [], "accepted", "foreign first"),
                         [("foreign", "rejected", "provider"), ("push", "accepted", None)])
        self.assertEqual([one["reason"] for one in self.server.refused], ["InvalidProviderToken"])


class Retiring(Apns):

    def test_unregistered_retires_the_token_by_apples_time_and_costs_no_further_call(self):
        n = self.stand()
        gone, other = self.reach(n), self.reach(n, "b1" * 32)
        dead_at = int(time.time() * 1000) - 3_600_000
        self.server.dead[DEVICE] = dead_at
        shown = n.ended(n.send(gone, "both", title="Hello"), "rejected")
        last, = shown["history"]
        self.assertEqual((last["cause"], last["error_class"]), ("recipient", "Unregistered"))
        kept = self.suppression(n, gone)
        self.assertEqual(kept["reason"], "retired_token")
        self.assertEqual(round(moment(kept["retired_at"]) * 1000), dead_at)
        self.assertEqual(n.ended(n.send(gone, "both", title="Hello"), "failed")["history"], [])
        self.assertEqual(len(self.server.refused), 1)
        n.ended(n.send(other, "both", title="Hello"), "accepted")
        self.assertIsNone(self.suppression(n, other))

    def test_a_token_that_was_registered_after_apples_time_is_not_retired(self):
        n = self.stand()
        person = self.reach(n, registered_at=ago(1800))
        self.server.dead[DEVICE] = int((time.time() - 3600) * 1000)
        n.ended(n.send(person, "both", title="Hello"), "rejected")
        self.assertIsNone(self.suppression(n, person))
        self.server.dead[DEVICE] = int((time.time() - 600) * 1000)
        n.ended(n.send(person, "both", title="Hello"), "rejected")
        self.assertEqual(self.suppression(n, person)["reason"], "retired_token")
        self.server.dead.clear()
        self.assertEqual(self.reach(n, registered_at=ago(300)), person)
        self.assertIsNone(self.suppression(n, person))
        n.ended(n.send(person, "both", title="Hello"), "accepted")

    def test_a_token_that_expired_is_retired_too(self):
        n = self.stand()
        person = self.reach(n)
        self.assertEqual(self.ended(n, person, [refusal(410, "ExpiredToken")], "rejected"),
                         [("push", "rejected", "recipient")])
        self.assertEqual(self.suppression(n, person)["reason"], "retired_token")


class Answers(Apns):

    def each(self, refusals, state, course):
        n = self.stand()
        person = self.reach(n)
        for refused in refusals:
            with self.subTest(refused.body["reason"]):
                self.assertEqual(self.ended(n, person, [refused], state), course)
        self.assertIsNone(self.suppression(n, person))

    def test_what_the_message_is_refused_for_ends_it_whatever_profiles_are_left(self):
        self.each(OF_THE_MESSAGE, "rejected", [("push", "rejected", "message")])

    def test_what_the_address_is_refused_for_ends_it_and_retires_nothing_without_apples_word_and_status(self):
        self.each(OF_THE_ADDRESS, "rejected", [("push", "rejected", "recipient")])

    def test_what_the_account_is_refused_for_goes_to_the_next_profile(self):
        self.each(OF_THE_ACCOUNT, "accepted", [("push", "rejected", "provider"), ("spare", "accepted", None)])

    def test_what_is_over_soon_is_tried_again_at_the_same_profile(self):
        self.each(OVER_SOON, "accepted", AT_ONCE)

    def test_a_gateways_error_leaves_a_doubt(self):
        self.each([refusal(502, ""), refusal(504, "")], "ambiguous", [("push", "ambiguous", None)])

    def test_no_error_of_apns_shows_whose_token_it_was_about(self):
        n = self.stand()
        self.server.planned = [refusal(400, f"{DEVICE} is bad")]
        shown = n.ended(n.send(self.reach(n), "one", title="Hello"), "rejected")
        self.assertNotIn(DEVICE, json.dumps(shown) + n.node.said())


class ApnsDoubts(Doubts, Apns):
    pass


if __name__ == "__main__":
    world.main()
