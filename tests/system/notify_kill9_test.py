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

    def __init__(self):
        self.server = MailServer()

    def hold(self):
        self.server.replies["MESSAGE"] = "hang"

    def go_on(self):
        self.server.replies.clear()

    def profile(self, n, name):
        n.profile(name, "smtp", {"host": "127.0.0.1", "port": self.server.port, "tls": "none",
                                 "from": "news@example.com"})

    def taken(self):
        return [message.recipients[0] for message in list(self.server.messages)]


class Twilio(Provider):
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

    def stand(self, provider, engine):
        self.provider = provider()
        self.addCleanup(self.provider.server.close)
        n = Notifying(self, engine, **world.merged(waits(TIMEOUT), {"callbacks": {"public_url": PUBLIC}}))
        for name in ("first", "spare"):
            self.provider.profile(n, name)
        n.route("both", "first", "spare")
        return n

    def send(self, n, number):
        return n.send(self.provider.contact(n, number), "both", **self.provider.content)

    def kill_and_start(self, n, taken):
        """Killed once so many are taken; those that are held then are never answered."""
        world.wait_until(lambda: len(self.provider.taken()) >= taken, 120, "they are with the provider")
        n.kill()
        self.provider.go_on()
        n.start()

    def stays_in_doubt(self, provider, engine, outcome):
        n = self.stand(provider, engine)
        self.provider.hold()
        made = self.send(n, 1)
        self.kill_and_start(n, 1)
        stays_in_doubt(self, n, made)  # the lease and many times the retry's wait have passed by then
        self.assertEqual(len(self.provider.taken()), 1)
        other = self.send(n, 2)
        n.ended(other, "accepted")  # the profile goes on
        settle(n, made, outcome)
        shown = n.ended(made, "accepted")
        self.assertEqual(settlements(n, made), [outcome])
        again = 1 if outcome == "not-sent" else 0
        self.assertEqual((len(shown["history"]), len(self.provider.taken())), (1 + again, 2 + again))
        done = n.world.run("--json", "--api", n.here(PUBLIC, PUBLIC).removeprefix("http://"), "notifications", "settle",
                           made, outcome)
        self.assertNotEqual(done.code, 0)  # what is settled is settled

    def many(self, provider, engine):
        """A node that is killed with many out, and with more claimed that never left: what is ambiguous then."""
        n = self.stand(provider, engine)
        self.provider.hold(ANSWERED)
        n.world.operate(n.node, "stop", "--global", "--reason", "until all are posted")
        made = {self.send(n, number): self.provider.address(number) for number in range(MESSAGES)}
        self.assertEqual(self.provider.taken(), [])
        n.world.operate(n.node, "resume", "--global")
        self.kill_and_start(n, ANSWERED + HELD)
        world.wait_until(lambda: all(n.at_rest(one) for one in made), 180, "all come to rest")
        self.assertEqual(max(collections.Counter(self.provider.taken()).values()), 1)
        return n, made

    def in_state(self, n, state):
        listed = n.api.must("GET", f"/v1/notifications?state={state}&limit=1000")["notifications"]
        return {one["id"] for one in listed}

    def settle_by_what_arrived(self, n, made, doubted):
        """After which each has arrived once."""
        came = set(self.provider.taken())
        for one in doubted:
            n.api.must("POST", f"/v1/notifications/{one}/settle",
                       {"outcome": "accepted" if made[one] in came else "not-sent", "reason": "looked by hand"})
        world.wait_until(lambda: self.in_state(n, "accepted") == set(made), 120, "all are accepted")
        self.assertEqual(collections.Counter(self.provider.taken()), collections.Counter(made.values()))


class One(Kill9):

    @on_each_engine
    def test_what_ses_took_stays_ambiguous_and_is_not_sent_again(self, engine):
        self.stays_in_doubt(Ses, engine, "accepted")

    @on_each_engine
    def test_what_a_mail_server_took_stays_ambiguous_and_is_not_sent_again(self, engine):
        self.stays_in_doubt(Smtp, engine, "accepted")

    @on_each_engine
    def test_what_a_webhook_took_is_sent_again_when_a_person_says_so_and_not_before(self, engine):
        self.stays_in_doubt(Webhook, engine, "not-sent")

    @on_each_engine
    def test_what_twilio_took_is_found_there_and_its_callback_is_matched(self, engine):
        n = self.stand(Twilio, engine)
        server = self.provider.server
        self.provider.hold()
        made = self.send(n, 1)
        self.kill_and_start(n, 1)
        world.wait_until(lambda: n.state(made) == "accepted", 90, "Twilio knows it")
        last, = n.show(made)["history"]
        self.assertEqual(last["provider_message_id"], server.messages[0]["sid"])
        sid = server.messages[0]["sid"]
        server.tell(sid, "delivered", to=n.here(server.callbacks[sid], PUBLIC))
        n.told(made, "delivered")
        self.assertEqual(sorted(one["source"] for one in n.events()["events"]), ["callback", "reconciliation"])
        self.assertEqual((server.count(), settlements(n, made), looks(n)), (1, [], []))


class Many(Kill9):

    def without_a_question(self, provider, engine):
        n, made = self.many(provider, engine)
        doubted = self.in_state(n, "ambiguous")
        self.assertGreaterEqual(len(doubted), HELD)
        self.assertEqual(self.in_state(n, "accepted"), set(made) - doubted)
        world.wait_until(lambda: looks(n) == [("unsupported", "1")] * len(doubted), 90, "all are a person's")
        self.settle_by_what_arrived(n, made, doubted)

    def test_of_many_that_ses_may_have_taken_none_is_sent_again_on_sqlite(self):
        self.without_a_question(Ses, "sqlite")

    def test_of_many_that_a_webhook_may_have_taken_none_is_sent_again_on_postgresql(self):
        self.without_a_question(Webhook, "postgresql")

    @on_each_engine
    def test_of_many_that_twilio_may_have_taken_each_that_it_has_is_found_and_no_other(self, engine):
        n, made = self.many(Twilio, engine)
        came = set(self.provider.taken())
        world.wait_until(lambda: {made[one] for one in self.in_state(n, "accepted")} >= came, 120, "all are found")
        doubted = self.in_state(n, "ambiguous")
        self.assertEqual({made[one] for one in doubted} & came, set())
        self.settle_by_what_arrived(n, made, doubted)
        rows = n.world.query("SELECT count(*), count(DISTINCT provider_message_id) FROM notification_attempts "
                             "WHERE state = 'accepted'")
        self.assertEqual(rows, [(str(MESSAGES), str(MESSAGES))])


if __name__ == "__main__":
    world.main()
