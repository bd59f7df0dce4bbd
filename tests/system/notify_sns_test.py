#!/usr/bin/env -S python3 -B
"""What Amazon SES tells by SNS: envelopes of both versions, what is refused, and what becomes of messages and
addresses."""

import datetime
import itertools
import json

import world
from sns_server import made_authority, made_certificate, post
from sns_telling import MAIL, Sns, bounce, complaint, delivery, event
from world import on_each_engine


class Envelopes(Sns):

    def test_both_versions_are_verified_by_one_certificate_that_is_fetched_once(self):
        n = self.stand()
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        for version in ("1", "2"):
            for _ in range(3):
                self.tell(message_id, "Send", "send", {}, version=version, Subject="Amazon SES")
        n.told(notification, "sent")
        self.assertEqual(len(n.events()["events"]), 6)
        self.assertEqual(len(self.sns.fetched), 1)
        self.assertEqual(n.refused()["refused"], [])

    def test_without_a_pinned_authority_what_sns_serves_under_its_own_name_is_believed(self):
        n = self.stand(pinned=False)
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        other = made_certificate(self.folder, "other", self.sns.authority, "example.amazonaws.com")
        told = event(*delivery(message_id))
        self.post(self.sns.envelope(told, key=other.with_suffix(".key"), SigningCertURL=self.sns.publish(other)), 403)
        self.post(self.sns.envelope(told))
        n.told(notification, "delivered")

    def test_an_envelope_told_twice_is_kept_as_a_duplicate(self):
        n = self.stand()
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        envelope = self.sns.envelope(event(*delivery(message_id)))
        self.post(envelope)
        self.post(envelope)
        n.told(notification, "delivered")
        second, first = sorted(n.events()["events"], key=lambda one: -one["id"])
        self.assertEqual((first["duplicate_of"], second["duplicate_of"]), (None, first["id"]))

    def test_what_snss_certificate_did_not_sign_is_refused_and_never_in_the_ledger(self):
        n = self.stand()
        _, message_id = self.send(n, n.contact("email", "jane@example.com"))
        told = event(*complaint(message_id))
        good = self.sns.envelope(told)
        stranger = made_authority(self.folder, "stranger")
        forged = made_certificate(self.folder, "forged", stranger, self.sns.host)
        other = made_certificate(self.folder, "other", self.sns.authority, "example.amazonaws.com")
        late = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=2)
        by = lambda certificate: self.sns.envelope(told, key=certificate.with_suffix(".key"),
                                                   SigningCertURL=self.sns.publish(certificate))
        refused = [
            ("bad_signature", {**good, "Message": json.dumps({**told, "more": 1})}),
            ("bad_signature", {**good, "SignatureVersion": "2"}),
            ("bad_signature", {**good, "SignatureVersion": "3"}),
            ("bad_signature", {**good, "SigningCertURL": "https://sns.example.com/SimpleNotificationService-ab.pem"}),
            ("bad_signature", {**good, "SigningCertURL": self.sns.certificate_url.replace("https:", "http:")}),
            ("bad_signature", {**good, "SigningCertURL": f"https://{self.sns.host}/other.pem"}),
            ("bad_signature", {**good, "SigningCertURL": f"https://{self.sns.host}/SimpleNotificationService-00.pem"}),
            ("bad_signature", by(forged)),
            ("bad_signature", by(other)),
            ("unexpected_sender", self.sns.envelope(told, TopicArn=self.sns.topic + "-of-others")),
            ("stale", self.sns.envelope(told, Timestamp=late.strftime("%Y-%m-%dT%H:%M:%SZ"))),
        ]
        for kind, envelope in refused:
            self.post(envelope, 403)
        world.wait_until(lambda: len(n.refused()["refused"]) == len(refused), 60, "the audit has them all")
        self.assertEqual([one["kind"] for one in sorted(n.refused()["refused"], key=lambda one: one["id"])],
                         [kind for kind, _ in refused])
        self.assertEqual(n.events()["events"], [])
        self.assertEqual({one["source"].split(":")[0] for one in n.refused()["refused"]}, {"127.0.0.1"})
        self.post(good)  # and the genuine one counts all the same

    def test_a_certificate_that_cannot_be_had_now_is_asked_for_again(self):
        n = self.stand()
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        envelope = self.sns.envelope(event(*delivery(message_id)))
        host, self.sns.host = self.sns.host, "nowhere.example.com"
        self.post(envelope, 503)
        self.sns.host = host
        world.wait_until(lambda: post(self.address, envelope) == 204, 60, "it is fetched")
        n.told(notification, "delivered")
        self.assertEqual(n.refused()["refused"], [])

    def test_a_subscription_is_confirmed_once_it_was_verified_and_not_before(self):
        n = self.stand()
        good = self.sns.envelope("You have chosen to subscribe", "SubscriptionConfirmation")
        self.post({**good, "Token": "0" * 64}, 403)
        elsewhere = f"https://sns.us-east-1.amazonaws.com/?Action=DeleteTopic&TopicArn={self.sns.topic}"
        self.post(self.sns.envelope("", "SubscriptionConfirmation", SubscribeURL=elsewhere), 403)
        self.post(self.sns.envelope("", "SubscriptionConfirmation", TopicArn=self.sns.topic + "-of-others"), 403)
        self.assertEqual(self.sns.confirmed, [])
        self.post(good)
        world.wait_until(lambda: self.sns.confirmed, 60, "it is confirmed")
        self.assertEqual(self.sns.confirmed, [{"Action": "ConfirmSubscription", "TopicArn": self.sns.topic,
                                               "Token": good["Token"]}])
        world.wait_until(lambda: "callback.confirmed" in n.node.said(), 60, "the log says so")
        self.assertEqual(n.events()["events"], [])


class Meaning(Sns):

    @on_each_engine
    def test_bounce_after_delivered_and_delivered_after_worse_the_ranks_hold_and_all_raw_events_stay(self, engine):
        """Bounce after delivered, delivered after bounce, complaint and then a late delivered."""
        n = self.stand(engine)
        histories = {
            "bounce after delivered": (("delivered", "bounced"), "bounced"),
            "delivered after bounce": (("bounced", "delivered"), "bounced"),
            "complaint, then late delivered": (("complained", "delivered"), "complained"),
        }
        words = {"delivered": delivery, "bounced": lambda of, after: bounce(of, "Permanent", after),
                 "complained": complaint}
        for number, (name, (came, ends)) in enumerate(histories.items()):
            with self.subTest(name):
                notification, message_id = self.send(n, n.contact("email", f"person{number}@example.com"))
                for after, word in enumerate(came):
                    self.tell(*words[word](message_id, after))
                    n.told(notification, max(came[:after + 1], key=["delivered", "bounced", "complained"].index))
                world.wait_until(lambda: n.world.query("SELECT count(*) FROM pending_events") == [("0",)], 60,
                                 "all are looked at")
                shown = n.told(notification, ends)
                self.assertEqual(shown["state"], "accepted")  # what was told changes no submission
                mine = [one for one in n.events()["events"] if one["provider_message_id"] == message_id]
                self.assertEqual([one["type"] for one in sorted(mine, key=lambda one: one["id"])], list(came))
                self.assertEqual([one["progress"] for one in mine], ["matched"] * len(came))

    def test_every_order_of_four_words_each_told_twice_ends_the_same(self):
        n = self.stand()
        words = (delivery, lambda of: bounce(of, "Transient"), complaint,
                 lambda of: (of, "DeliveryDelay", "deliveryDelay", {"delayType": "General", "delayedRecipients": []}))
        orders = list(itertools.permutations(words))
        sent = [self.send(n, n.contact("email", f"person{number}@example.com")) for number in range(len(orders))]
        for (_, message_id), order in zip(sent, orders):
            for word in order:
                envelope = self.sns.envelope(event(*word(message_id)))
                self.post(envelope)
                self.post(envelope)
        for notification, _ in sent:
            n.told(notification, "complained")
        kept = n.world.query("SELECT count(*), sum(CASE WHEN duplicate_of IS NULL THEN 1 ELSE 0 END) "
                             "FROM provider_events")
        self.assertEqual(kept, [(str(8 * len(orders)), str(4 * len(orders)))])

    @on_each_engine
    def test_a_hard_bounce_and_a_complaint_suppress_the_address_and_a_soft_bounce_does_not(self, engine):
        n = self.stand(engine)
        for word, told, reason in ((lambda of: bounce(of, "Permanent"), "bounced", "hard_bounce"),
                                   (complaint, "complained", "complaint"),
                                   (lambda of: bounce(of, "Transient"), "soft_bounced", None)):
            with self.subTest(told):
                contact = n.contact("email", f"{told}@example.com")
                notification, message_id = self.send(n, contact)
                self.tell(*word(message_id))
                n.told(notification, told)
                kept = n.api.must("GET", f"/v1/contact-points/{contact}")["suppression"]
                self.assertEqual(kept and kept["reason"], reason)
                if reason:
                    taken = len(self.sent.taken)
                    shown = n.ended(n.send(contact, "news", **MAIL), "failed")
                    self.assertEqual((shown["history"], len(self.sent.taken)), ([], taken))
                    self.assertIn(reason, shown["error"])
        self.send(n, contact)  # whose bounce was soft

    def test_what_is_told_before_the_answer_came_is_matched_when_it_does(self):
        n = self.stand()
        self.sent.late_by = 3
        self.sent.planned = ["late"]
        notification = n.send(n.contact("email", "jane@example.com"), "news", **MAIL)
        world.wait_until(lambda: self.sent.taken, 60, "SES has it")
        self.tell(*delivery(self.sent.taken[0][0]))
        n.ended(notification, "accepted")
        n.told(notification, "delivered")

    def test_the_attempt_is_found_by_its_tag_where_the_message_id_is_not_known(self):
        n = self.stand()
        notification, _ = self.send(n, n.contact("email", "jane@example.com"))
        told = event(*delivery("0100-another-id"))
        told["mail"]["tags"] = {"sluice-attempt": [n.show(notification)["history"][0]["id"]]}
        self.post(self.sns.envelope(told))
        n.told(notification, "delivered")

    def test_what_names_no_message_is_refused_and_unknown_words_and_fields_are_kept(self):
        n = self.stand()
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        nameless = event(*delivery(message_id))
        del nameless["mail"]["messageId"]
        self.post(self.sns.envelope(nameless), 422)
        self.tell(message_id, "Something Later", "later", {"deep": [{"of": "the future"}]})
        world.wait_until(lambda: [one["type"] for one in n.events()["events"]] == ["other"], 60, "it is kept")
        self.assertIsNone(n.show(notification)["history"][0]["told"])
        self.post(self.sns.envelope("Successfully validated SNS topic for Amazon SES event publishing."))
        self.assertEqual([one["kind"] for one in n.refused()["refused"]], ["unidentified"])


if __name__ == "__main__":
    world.main()
