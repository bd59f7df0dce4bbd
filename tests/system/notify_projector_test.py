#!/usr/bin/env -S python3 -B
"""The projector: whatever order events come in the ranks hold, and what it failed at or did wrong is made good by a
replay. Nothing it does touches the events as they came."""

import world
from sns_telling import MAIL, Sns, bounce, complaint, delivery, event
from world import on_each_engine

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


class Ranks(Sns):

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


class Replay(Sns):

    def stand(self, engine):
        # What is told is projected at once, or when a replay is asked for: nothing else happens within a test.
        return super().stand(engine, callbacks={"project_interval": "1h"})

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
