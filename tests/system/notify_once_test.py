#!/usr/bin/env -S python3 -B
"""What is posted often is sent once, and what a broken projector left is made good by a replay."""

import collections
import threading

import world
from doubts import waits
from notifying import Notifying
from sns_telling import MAIL, Sns, bounce, complaint, delivery, event
from subscribers import Api
from twilio_server import TwilioServer
from world import on_each_engine

CALLS = 50

# A defect that every write of a projection meets.
DEFECT = {
    "sqlite": ["CREATE TRIGGER defect BEFORE INSERT ON attempt_projections BEGIN SELECT RAISE(ABORT, 'a defect'); END"],
    "postgresql": ["CREATE FUNCTION defect() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a defect'; END $$",
                   "CREATE TRIGGER defect BEFORE INSERT OR UPDATE ON attempt_projections FOR EACH ROW "
                   "EXECUTE FUNCTION defect()"],
}
STORIES = {"calm": (delivery,), "gone": (lambda of: bounce(of, "Permanent"), delivery),
           "cross": (complaint, delivery, lambda of: bounce(of, "Transient"))}
MENDED = {"sqlite": "DROP TRIGGER defect", "postgresql": "DROP TRIGGER defect ON attempt_projections"}


class Once(world.SystemTest):

    @on_each_engine
    def test_fifty_calls_at_once_under_one_key_are_one_notification_that_is_sent_once(self, engine):
        server = TwilioServer()
        self.addCleanup(server.close)
        n = Notifying(self, engine, **waits(20))
        n.profile("sms", "twilio", {"base_url": server.url, "account_sid": server.account, "from": "+15005550006"},
                  {"auth_token": server.token})
        n.route("codes", "sms")
        contact = n.contact("phone", "+442079460958")
        body = {"tenant": "acme", "contact": contact, "route": "codes", "text": "Your code is 4711"}
        answers = []
        gate = threading.Barrier(CALLS)

        def call():
            api = Api(n.node)
            gate.wait()
            answers.append(api.ask("POST", "/v1/notifications", body, **{"Idempotency-Key": "code-4711"}))

        callers = [threading.Thread(target=call) for _ in range(CALLS)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        self.assertEqual(len(answers), CALLS)
        self.assertEqual({status // 100 for status, _ in answers}, {2}, answers)
        made, = {document["id"] for _, document in answers}
        self.assertEqual(collections.Counter(document["repeated"] for _, document in answers),
                         {False: 1, True: CALLS - 1})
        self.assertEqual(len(n.ended(made, "accepted")["history"]), 1)
        self.assertEqual((server.count(), n.world.query("SELECT count(*) FROM notifications")), (1, [("1",)]))
        status, _ = n.api.ask("POST", "/v1/notifications", {**body, "text": "another"},
                              **{"Idempotency-Key": "code-4711"})
        self.assertEqual((status // 100, server.count()), (4, 1))


class Replay(Sns):

    def send_all(self, n):
        """Three people get two messages each. (person, number, the provider's id) of each message."""
        sent = []
        for person in STORIES:
            contact = n.contact("email", f"{person}@example.com")
            made = [n.ended(n.send(contact, "news", key=f"{person}-{number}", **MAIL), "accepted")
                    for number in range(2)]
            sent += [(person, number, one["history"][0]["provider_message_id"]) for number, one in enumerate(made)]
        return sent

    def tell_all(self, sent):
        """Of each message what its person's story is, every word twice; each callback is answered with 204."""
        for person, number, message_id in sent:
            for place, word in enumerate(STORIES[person]):
                for _ in range(2):
                    self.post(self.sns.envelope(event(*word(message_id)), MessageId=f"{person}-{number}-{place}"))

    def pending(self, n):
        return int(n.world.query("SELECT count(*) FROM pending_events")[0][0])

    def settled(self, n):
        world.wait_until(lambda: self.pending(n) == 0, 60, "all is projected")

    def outcome(self, n):
        """What became of each message and of each person."""
        messages = n.world.query(
            "SELECT x.idempotency_key, a.state, p.state, p.rank, p.at, e.event_id FROM notifications AS x "
            "JOIN notification_attempts AS a ON a.notification_id = x.id "
            "LEFT JOIN attempt_projections AS p ON p.attempt_id = a.id "
            "LEFT JOIN provider_events AS e ON e.id = p.event_id ORDER BY x.idempotency_key")
        people = n.world.query("SELECT id, suppressed_reason FROM contact_points ORDER BY id")
        return messages, people

    def sound_world(self, engine):
        n = self.stand(engine)
        self.tell_all(self.send_all(n))
        self.settled(n)
        return self.outcome(n)

    @on_each_engine
    def test_while_the_projector_fails_callbacks_keep_their_204_and_afterwards_all_is_as_if_it_never_had(self, engine):
        sound = self.sound_world(engine)
        n = self.stand(engine)
        sent = self.send_all(n)
        self.break_projector(n, engine)
        self.tell_all(sent)
        world.wait_until(lambda: "projector.failed" in n.node.said(), 60, "the log says so")
        events = n.events()["events"]
        self.assertEqual(len(events), 24)
        self.assertEqual(self.pending(n), 12)
        self.assertEqual(n.world.query("SELECT count(*) FROM attempt_projections"), [("0",)])
        listed = n.api.must("GET", "/v1/notifications")["notifications"]
        self.assertEqual({one["state"] for one in listed}, {"accepted"})
        n.world.query(MENDED[engine])
        n.world.operate(n.node, "callbacks", "replay")
        self.settled(n)
        self.assertEqual(self.outcome(n), sound)
        self.assertEqual(n.events()["events"], [{**one, "progress": "matched"} if one["progress"] == "pending" else one
                                                for one in events])

    def break_projector(self, n, engine):
        for statement in DEFECT[engine]:
            n.world.query(statement)

    @on_each_engine
    def test_a_node_that_ends_with_a_broken_projector_projects_after_its_next_start(self, engine):
        sound = self.sound_world(engine)
        n = self.stand(engine)
        sent = self.send_all(n)
        self.break_projector(n, engine)
        self.tell_all(sent)
        n.kill()
        n.world.query(MENDED[engine])
        n.start()
        self.settled(n)
        self.assertEqual(self.outcome(n), sound)

    @on_each_engine
    def test_what_a_wrong_projector_wrote_is_made_anew_by_a_replay(self, engine):
        n = self.stand(engine)
        self.tell_all(self.send_all(n))
        self.settled(n)
        sound = self.outcome(n)
        n.world.query("UPDATE attempt_projections SET state = 'complained', rank = 9 WHERE attempt_id <= 2")
        n.world.query("UPDATE attempt_projections SET state = 'sent', rank = 2, at = NULL WHERE attempt_id IN (3, 4)")
        n.world.query("DELETE FROM attempt_projections WHERE attempt_id >= 5")
        self.assertNotEqual(self.outcome(n), sound)
        done = n.world.operate(n.node, "callbacks", "replay")
        self.assertEqual((done["attempts"], self.outcome(n)), (6, sound))
        self.assertEqual(n.world.operate(n.node, "callbacks", "replay"), done)


if __name__ == "__main__":
    world.main()
