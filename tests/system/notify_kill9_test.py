#!/usr/bin/env -S python3 -B
"""kill -9 between a provider's acceptance and its record: nothing is sent again by itself, whatever was out."""

import collections
import json

import world
from doubts import looks, settle, settlements, stays_in_doubt, waits
from mail_server import MailServer
from notifying import Notifying
from provider_server import ProviderServer
from ses_server import SesServer
from twilio_server import TwilioServer
from webhook_sender import PUBLISHED
from world import on_each_engine

PUBLIC = "https://sluice.example.com"
MESSAGES = 200
ANSWERED = 60  # of them, before the stand-in holds its answers
HELD = 8  # at least, when the node is killed
TIMEOUT = 4  # seconds of a call; a lease has three of them


class Provider:
    """A stand-in, and how it is spoken of."""

    def hold(self, after=0):
        """So many messages are answered; those that come then are taken and never answered."""
        self.server.planned = [None] * after + ["hang"] * MESSAGES

    def go_on(self):
        """What comes from now on is answered."""
        self.server.planned = []


class Ses(Provider):
    name = "ses"
    content = {"subject": "Your order", "text": "It is there."}

    def __init__(self):
        self.server = SesServer()

    def profile(self, n, name):
        n.profile(name, "ses", {"base_url": self.server.url, "region": "eu-central-1", "from": "news@example.com"},
                  {"access_key_id": "AKIDEXAMPLE", "secret_access_key": "secret"})

    def contact(self, n, number):
        return n.contact("email", self.address(number))

    def address(self, number):
        return f"person{number}@example.com"

    def taken(self):
        """Addresses, as they came."""
        with self.server.lock:
            return [message["Destination"]["ToAddresses"][0] for _, message in self.server.taken]


class Smtp(Ses):
    name = "smtp"

    def __init__(self):
        self.server = MailServer()

    def hold(self):
        self.server.replies["MESSAGE"] = "hang"

    def go_on(self):
        self.server.replies.clear()

    def profile(self, n, name):
        n.profile(name, "smtp", {"host": "127.0.0.1", "port": self.server.port, "tls": "opportunistic",
                                 "from": "news@example.com"})

    def taken(self):
        return [message.recipients[0] for message in list(self.server.messages)]


class Twilio(Provider):
    name = "twilio"
    content = {"text": "Your code is 4711"}

    def __init__(self):
        self.server = TwilioServer()

    def profile(self, n, name):
        n.profile(name, "twilio", {"base_url": self.server.url, "account_sid": self.server.account,
                                   "from": "+15005550006"}, {"auth_token": self.server.token})

    def contact(self, n, number):
        return n.contact("phone", self.address(number))

    def address(self, number):
        return f"+4420794{number:05}"

    def taken(self):
        with self.server.lock:
            return [message["to"] for message in self.server.messages]


class WebhookServer(ProviderServer):

    def __init__(self):
        super().__init__()
        self.bodies = []

    def answer(self, method, target, headers, body):
        plan = self.plan()
        with self.lock:
            self.bodies.append(json.loads(body))
        return 200, {}, plan


class Webhook(Provider):
    name = "webhook"
    content = {"text": "It is there."}

    def __init__(self):
        self.server = WebhookServer()

    def profile(self, n, name):
        n.profile(name, "webhook", {"url": self.server.url + "/hook"},
                  {"secrets": [PUBLISHED["secret"]]})

    def contact(self, n, number):
        return n.contact("other", self.address(number))

    def address(self, number):
        return f"person-{number}"

    def taken(self):
        with self.server.lock:
            return [body["to"]["address"] for body in self.server.bodies]


class Kill9(world.SystemTest):

    def stand(self, engine, *providers):
        """Each provider has a route of its own, over two profiles: a fallback would arrive."""
        n = Notifying(self, engine, **world.merged(waits(TIMEOUT), {"callbacks": {"public_url": PUBLIC}}))
        for provider in providers:
            self.addCleanup(provider.server.close)
            names = [f"{provider.name}-{place}" for place in ("first", "spare")]
            for name in names:
                provider.profile(n, name)
            n.route(provider.name, *names)
        return n

    def send(self, n, provider, number):
        return n.send(provider.contact(n, number), provider.name, **provider.content)

    def kill_and_start(self, n, taken, *providers):
        """Killed once each has taken so many; those that are held then are never answered."""
        world.wait_until(lambda: all(len(one.taken()) >= taken for one in providers), 120, "they are with the provider")
        n.kill()
        for one in providers:
            one.go_on()
        n.start()


class One(Kill9):
    """A message that is with its provider when the node is killed."""

    @on_each_engine
    def test_what_ses_a_mail_server_a_webhook_or_twilio_took_is_never_sent_again_by_itself(self, engine):
        ses, smtp, webhook, twilio = everyone = Ses(), Smtp(), Webhook(), Twilio()
        n = self.stand(engine, *everyone)
        for one in everyone:
            one.hold()
        made = {one: self.send(n, one, 1) for one in everyone}
        self.kill_and_start(n, 1, *everyone)
        self.is_found(n, twilio, made[twilio])
        for one in (ses, smtp, webhook):
            stays_in_doubt(self, n, made[one])  # the lease and many times the retry's wait have passed by then
        self.assertEqual(looks(n), [("unsupported", "1")] * 3)
        self.assertEqual([len(one.taken()) for one in everyone], [1] * 4)
        for one in everyone:
            n.ended(self.send(n, one, 2), "accepted")  # its profile goes on
        for one, outcome, sent in ((ses, "accepted", 2), (smtp, "accepted", 2), (webhook, "not-sent", 3)):
            with self.subTest(one.name):
                self.is_settled_once(n, made[one], outcome)
                self.assertEqual(len(one.taken()), sent)
        self.assertEqual(len(twilio.taken()), 2)

    def is_found(self, n, twilio, notification):
        """By a question, and its callback is matched with it."""
        world.wait_until(lambda: n.state(notification) == "accepted", 90, "Twilio knows it")
        last, = n.show(notification)["history"]
        sid = twilio.server.messages[0]["sid"]
        self.assertEqual(last["provider_message_id"], sid)
        twilio.server.tell(sid, "delivered", to=n.here(twilio.server.callbacks[sid], PUBLIC))
        n.told(notification, "delivered")
        self.assertEqual(sorted(one["source"] for one in n.events()["events"]), ["callback", "reconciliation"])
        self.assertEqual(settlements(n, notification), [])

    def is_settled_once(self, n, notification, outcome):
        settle(n, notification, outcome)
        shown = n.ended(notification, "accepted")
        self.assertEqual([one["state"] for one in shown["history"]],
                         ["accepted"] if outcome == "accepted" else ["retryable", "accepted"])
        status, _ = n.api.ask("POST", f"/v1/notifications/{notification}/settle", {"outcome": outcome})
        self.assertEqual((status, settlements(n, notification)), (409, [outcome]))


class Many(Kill9):
    """A node that is killed with many messages out, and with more claimed that never left."""

    def many(self, provider, engine):
        """At rest again. The address of each notification."""
        n = self.stand(engine, provider)
        provider.hold(ANSWERED)
        n.world.operate(n.node, "stop", "--global", "--reason", "until all are posted")
        made = {self.send(n, provider, number): provider.address(number) for number in range(MESSAGES)}
        self.assertEqual(provider.taken(), [])
        n.world.operate(n.node, "resume", "--global")
        self.kill_and_start(n, ANSWERED + HELD, provider)
        world.wait_until(lambda: len(self.in_state(n, "accepted") | self.in_state(n, "ambiguous")) == MESSAGES, 180,
                         "all come to rest")
        self.assertEqual(max(collections.Counter(provider.taken()).values()), 1)
        return n, made

    def in_state(self, n, state):
        listed = n.api.must("GET", f"/v1/notifications?state={state}&limit=1000")["notifications"]
        return {one["id"] for one in listed}

    def settle_by_what_arrived(self, n, provider, made, doubted):
        """After which each has arrived once."""
        came = set(provider.taken())
        for one in doubted:
            n.api.must("POST", f"/v1/notifications/{one}/settle",
                       {"outcome": "accepted" if made[one] in came else "not-sent", "reason": "looked by hand"})
        world.wait_until(lambda: self.in_state(n, "accepted") == set(made), 120, "all are accepted")
        self.assertEqual(collections.Counter(provider.taken()), collections.Counter(made.values()))

    def without_a_question(self, provider, engine):
        n, made = self.many(provider, engine)
        doubted = self.in_state(n, "ambiguous")
        self.assertGreaterEqual(len(doubted), HELD)
        world.wait_until(lambda: looks(n) == [("unsupported", "1")] * len(doubted), 90, "all are a person's")
        self.settle_by_what_arrived(n, provider, made, doubted)

    def test_of_many_that_ses_may_have_taken_none_is_sent_again_on_sqlite(self):
        self.without_a_question(Ses(), "sqlite")

    def test_of_many_that_a_webhook_may_have_taken_none_is_sent_again_on_postgresql(self):
        self.without_a_question(Webhook(), "postgresql")

    @on_each_engine
    def test_of_many_that_twilio_may_have_taken_each_that_it_has_is_found_and_no_other(self, engine):
        twilio = Twilio()
        n, made = self.many(twilio, engine)
        came = set(twilio.taken())
        world.wait_until(lambda: {made[one] for one in self.in_state(n, "accepted")} >= came, 120, "all are found")
        doubted = self.in_state(n, "ambiguous")
        self.assertEqual({made[one] for one in doubted} & came, set())
        self.settle_by_what_arrived(n, twilio, made, doubted)
        rows = n.world.query("SELECT count(*), count(DISTINCT provider_message_id) FROM notification_attempts "
                             "WHERE state = 'accepted'")
        self.assertEqual(rows, [(str(MESSAGES), str(MESSAGES))])


if __name__ == "__main__":
    world.main()
