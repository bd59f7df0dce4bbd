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

    def test_a_certificate_at_an_address_that_only_looks_right_is_never_fetched(self):
        n = self.stand()
        _, message_id = self.send(n, n.contact("email", "jane@example.com"))
        told = event(*complaint(message_id))
        genuine = self.sns.certificate_url
        path = genuine.removeprefix(f"https://{self.sns.host}")
        looks_right = ["https://s3.amazonaws.com" + path, f"https://s3.amazonaws.com/{self.sns.host}{path}",
                       "https://sns.us-east-1.amazonaws.com.example.test" + path,
                       "https://sns.example.test" + path, f"https://{self.sns.host}.{path}",
                       f"https://{self.sns.host}@127.0.0.1{path}", f"https://someone@{self.sns.host}{path}",
                       f"https://{self.sns.host}:443{path}", f"https://{self.sns.host}:8443{path}",
                       f"http://{self.sns.host}{path}", f"https://{self.sns.host}/other.pem", f"{genuine}?v=1",
                       f"https://{self.sns.host}/..{path}", "file:///etc/ssl/cert.pem", "https://127.0.0.1" + path]
        for url in looks_right:
            with self.subTest(url):
                self.post(self.sns.envelope(told, SigningCertURL=url), 403)
        self.assertEqual((self.sns.fetched, self.sns.strangers), ([], []))
        kept = n.refused()["refused"]
        self.assertEqual([one["kind"] for one in kept], ["bad_signature"] * len(looks_right))
        self.assertEqual(n.events()["events"], [])

    def test_a_redirect_is_no_certificate_and_is_not_followed(self):
        n = self.stand()
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        envelope = self.sns.envelope(event(*delivery(message_id)))
        path = self.sns.certificate_url.removeprefix(f"https://{self.sns.host}")
        for asked, to in enumerate(("https://s3.amazonaws.com" + path, self.sns.publish(self.folder / "signing.pem"))):
            self.sns.moved[path] = to
            self.post(envelope, 503)
            world.wait_until(lambda: post(self.address, envelope) == 503 and len(self.sns.fetched) > asked, 60,
                             "it is asked for")
        self.assertEqual((set(self.sns.fetched), self.sns.strangers), ({path}, []))
        self.assertEqual(n.events()["events"], [])
        self.sns.moved.clear()
        world.wait_until(lambda: post(self.address, envelope) == 204, 60, "it is fetched where it is")
        n.told(notification, "delivered")

    def test_a_subject_may_be_null_missing_or_anything_in_utf_8(self):
        n = self.stand()
        notification, message_id = self.send(n, n.contact("email", "jane@example.com"))
        told = event(*delivery(message_id))
        plain = self.sns.envelope(told)
        named = self.sns.envelope(told, Subject="Größe 📦 – «ok»")
        for taken in (plain, {**self.sns.envelope(told), "Subject": None}, named):
            self.post(taken)
        self.post({**plain, "Subject": "added"}, 403)
        self.post({name: value for name, value in named.items() if name != "Subject"}, 403)
        self.post({**named, "Subject": "Größe 📦 – «OK»"}, 403)
        n.told(notification, "delivered")
        self.assertEqual(len(n.events()["events"]), 3)

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
        for elsewhere in (f"https://{self.sns.host}/?Action=DeleteTopic&TopicArn={self.sns.topic}",
                          good["SubscribeURL"].replace("https:", "http:"),
                          good["SubscribeURL"].replace(self.sns.host, "169.254.169.254"),
                          good["SubscribeURL"].replace(f"https://{self.sns.host}", self.sent.url),
                          good["SubscribeURL"].replace(self.sns.host, self.sns.host + "@127.0.0.1"),
                          good["SubscribeURL"].replace(good["Token"], "0" * 64)):
            self.post(self.sns.envelope("", "SubscriptionConfirmation", SubscribeURL=elsewhere, Token=good["Token"]),
                      403)
        self.post(self.sns.envelope("", "SubscriptionConfirmation", TopicArn=self.sns.topic + "-of-others"), 403)
        self.assertEqual((self.sns.confirmed, self.sns.strangers), ([], []))
        self.post(good)
        world.wait_until(lambda: self.sns.confirmed, 60, "it is confirmed")
        self.assertEqual(self.sns.confirmed, [{"Action": "ConfirmSubscription", "TopicArn": self.sns.topic,
                                               "Token": good["Token"]}])
        world.wait_until(lambda: "callback.confirmed" in n.node.said(), 60, "the log says so")
        self.assertEqual(n.events()["events"], [])


class Meaning(Sns):

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
