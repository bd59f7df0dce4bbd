#!/usr/bin/env -S python3 -B
"""What Twilio tells by callbacks: how they are signed, what is refused, and what becomes of messages."""

import hashlib
import itertools
import json
import re
import urllib.error
import urllib.parse
import urllib.request

import world
from twilio_sending import PUBLIC, Twilio
from twilio_server import signature
from world import on_each_engine


class Callbacks(Twilio):

    def one(self, n):
        """A message that was taken: the notification and its callback's address."""
        made = self.send(n)
        self.sid = n.ended(made, "accepted")["history"][0]["provider_message_id"]
        return made, self.server.callbacks[self.sid]

    def form(self, status="delivered", *more):
        return [("MessageSid", self.sid), ("MessageStatus", status), ("AccountSid", self.server.account), *more]

    def post(self, n, url, parameters, signed=None, token=None, **headers):
        """Posts to the address; `signed` is the one the signature is made over. The answer's status."""
        body = parameters if isinstance(parameters, bytes) else urllib.parse.urlencode(parameters).encode()
        fields = [] if isinstance(parameters, bytes) else parameters
        here = n.here(url, url[:url.index("/v1/")])
        request = urllib.request.Request(here, body, method="POST", headers={
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Twilio-Signature": signature(token or self.server.token, signed or url, fields), **headers})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def genuine(self, n, made, posts):
        """Each post is taken, as an event of its own, and nothing is refused."""
        for number, one in enumerate(posts):
            with self.subTest(number):
                self.assertEqual(self.post(n, *one[:2], **one[2]), 204)
        n.told(made, "delivered")
        self.assertEqual((len(n.events()["events"]), n.refused()["refused"]), (len(posts), []))

    def test_the_address_is_signed_with_and_without_its_port(self):
        n = self.stand()
        made, url = self.one(n)
        self.genuine(n, made, [(url, self.form(), {}),
                               (url, self.form(), {"signed": url.replace(PUBLIC, PUBLIC + ":443")})])
        n = self.stand(public=PUBLIC + ":8443")
        made, url = self.one(n)
        self.assertTrue(url.startswith(PUBLIC + ":8443/"))
        self.genuine(n, made, [(url, self.form(), {}), (url, self.form(), {"signed": url.replace(":8443", "")})])

    def test_the_query_is_signed_as_it_was_sent_with_apostrophes_plus_signs_and_what_is_empty(self):
        n = self.stand()
        made, url = self.one(n)
        self.genuine(n, made, [
            (url + "&name=O%27Brien", self.form(), {}),
            (url + "&name=O%27Brien", self.form(), {"signed": url + "&name=O'Brien"}),
            (url + "&name=O'Brien", self.form(), {"signed": url + "&name=O%27Brien"}),
            (url + "&sum=1+1%2B2%20", self.form(), {}),
            (url + "&empty=&bare&same=1&same=1", self.form(), {}),
        ])

    def test_parameters_are_signed_whatever_is_in_them_repeated_or_empty(self):
        n = self.stand()
        made, url = self.one(n)
        self.genuine(n, made, [
            (url, self.form("delivered", ("FriendlyName", "O'Brien + Söhne & Co = 100%"), ("Plus", "a+b c")), {}),
            (url, self.form("delivered", ("Empty", ""), ("MediaUrl", "b"), ("MediaUrl", "a"), ("MediaUrl", "a")), {}),
            (url, self.form("delivered", ("SomethingNew", "of the future")), {}),
        ])

    def test_json_is_signed_by_its_digest_in_the_address(self):
        n = self.stand()
        made, url = self.one(n)
        body = json.dumps([{"id": "EV1", "data": {"messageSid": self.sid, "messageStatus": "delivered",
                                                  "accountSid": self.server.account}}]).encode()
        signed = f"{url}&bodySHA256={hashlib.sha256(body).hexdigest()}"
        how = {"Content-Type": "application/json"}
        self.assertEqual(self.post(n, signed, body.replace(b"EV1", b"EV2"), **how), 403)
        self.assertEqual(self.post(n, url, body, **how), 403)
        self.assertEqual(self.post(n, signed, body, **how), 204)
        n.told(made, "delivered")
        self.assertEqual([one["event_id"] for one in n.events()["events"]], ["EV1"])

    @on_each_engine
    def test_what_twilio_did_not_sign_is_in_the_audit_and_never_in_the_ledger(self, engine):
        n = self.stand(engine)
        made, url = self.one(n)
        evil = url.replace(PUBLIC, "https://evil.example.com")
        forged = {"X-Forwarded-Host": "evil.example.com", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7",
                  "X-Original-URL": evil, "Forwarded": "for=192.0.2.7;host=evil.example.com;proto=https"}
        other = url.replace(url[-36:], "00000000-0000-7000-8000-000000000000")
        refused = [
            ("bad_signature", {"token": "a guess"}),
            ("bad_signature", {"signed": evil, **forged}),
            ("bad_signature", {"signed": url.replace("https:", "http:"), "X-Forwarded-Proto": "http"}),
            ("bad_signature", {"signed": url + "&more=1"}),
            ("bad_signature", {"signed": other}),
            ("bad_signature", {"X-Twilio-Signature": ""}),
        ]
        for _, how in refused:
            self.assertEqual(self.post(n, url, self.form(), **how), 403)
        strangers = [("AccountSid", "AC" + "9" * 32), *self.form()[:2]]
        self.assertEqual(self.post(n, url, strangers), 403)
        self.assertEqual(self.post(n, url, self.form(), **{"Content-Type": "text/plain"}), 415)
        kinds = [kind for kind, _ in refused] + ["unexpected_sender", "content_type"]
        world.wait_until(lambda: len(n.refused()["refused"]) == len(kinds), 60, "the audit has them all")
        audit = sorted(n.refused()["refused"], key=lambda one: one["id"])
        self.assertEqual([one["kind"] for one in audit], kinds)
        self.assertEqual({one["source"].rpartition(":")[0] or one["source"] for one in audit}, {"127.0.0.1"})
        self.assertEqual(n.events()["events"], [])
        self.assertIsNone(n.show(made)["history"][0]["told"])
        self.assertEqual(self.post(n, url, self.form(), **forged), 204)  # what is genuine counts all the same
        n.told(made, "delivered")

    @on_each_engine
    def test_every_order_of_statuses_each_told_twice_ends_at_the_right_rank(self, engine):
        n = self.stand(engine)
        ends = {("queued", "sent", "delivered", "undelivered"): "undelivered",
                ("sending", "sent", "delivered"): "delivered", ("accepted", "sent", "failed"): "undelivered"}
        orders = [(order, told) for words, told in ends.items() for order in itertools.permutations(words)]
        sent = [(self.send(n, contact), *order) for contact, order in zip(self.people(n, len(orders)), orders)]
        for made, order, _ in sent:
            sid = n.ended(made, "accepted")["history"][0]["provider_message_id"]
            to = n.here(self.server.callbacks[sid], PUBLIC)
            for status in order:
                for _ in range(2):
                    code = 30003 if status in ("undelivered", "failed") else None
                    self.assertEqual(self.server.tell(sid, status, code, to=to), 204)
        for made, order, told in sent:
            with self.subTest(order):
                n.told(made, told)
        words = sum(len(order) for order, _ in orders)
        kept = n.world.query("SELECT count(*), sum(CASE WHEN duplicate_of IS NULL THEN 1 ELSE 0 END) "
                             "FROM provider_events")
        self.assertEqual(kept, [(str(2 * words), str(words))])
        self.assertEqual(n.world.query("SELECT count(*) FROM pending_events"), [("0",)])

    def test_a_token_that_is_being_changed_verifies_and_one_that_was_taken_away_does_not(self):
        n = self.stand()
        made, url = self.one(n)
        profile = re.search(r"/v1/callbacks/([0-9a-f-]{36})", url)[1]
        change = lambda **tokens: n.world.operate(n.node, "profiles", "set", n.world.write("sms.json", json.dumps(
            {"tenant": "acme", "name": "sms", "provider": "twilio", "credentials": tokens})))
        change(auth_token="new", secondary_auth_token=self.server.token)
        world.wait_until(lambda: self.post(n, url, self.form("sent"), token="new") == 204, 60, "the new one verifies")
        self.assertEqual(self.post(n, url, self.form()), 204)
        change(auth_token="new")
        world.wait_until(lambda: self.post(n, url, self.form("sent")) == 403, 60, "the old one does no more")
        n.told(made, "delivered")
        self.assertIn(profile, {one["profile"] for one in n.refused()["refused"]})


if __name__ == "__main__":
    world.main()
