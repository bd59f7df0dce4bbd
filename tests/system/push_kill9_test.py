#!/usr/bin/env -S python3 -B
"""kill -9 while events are fanned out and pushed. SLUICE_KILL_ROUNDS, SLUICE_KILL_DELIVERIES and SLUICE_KILL_SEED set
how many and when."""

import collections
import os
import random
import sys
import time

import world
from subscribers import Api, delivered, signed_by, world_of_subscribers
from world import on_each_engine, records

ROUNDS = int(os.environ.get("SLUICE_KILL_ROUNDS", "4"))
DELIVERIES = int(os.environ.get("SLUICE_KILL_DELIVERIES", "10000"))
SEED = int(os.environ.get("SLUICE_KILL_SEED", random.SystemRandom().randrange(1 << 30)))
SUBSCRIBERS = ("first", "second")

# Deliveries whose attempts are not those from 1 to as many as it counts.
GAPS = """
    SELECT count(*) FROM (
      SELECT d.subscription_id FROM event_deliveries AS d
      LEFT JOIN delivery_attempts AS a ON a.subscription_id = d.subscription_id AND a.position = d.position
      GROUP BY d.subscription_id, d.position, d.attempts
      HAVING count(a.number) <> d.attempts OR min(a.number) <> 1 OR max(a.number) <> d.attempts) AS gaps"""
ATTEMPTS = """
    SELECT s.name, e.public_id, d.attempts FROM event_deliveries AS d JOIN subscriptions AS s ON s.id = d.subscription_id
    JOIN change_events AS e ON e.position = d.position"""


class PushKill9(world.SystemTest):

    def prepare(self, engine):
        """Subscriptions, and events that nobody has looked at yet."""
        w, receiver = world_of_subscribers(self, engine)
        node = w.serve()
        api = Api(node)
        secrets = {name: api.subscribe(name, f"{receiver.url}/{name}", event_types=["customers.created"])["secret"]
                   for name in SUBSCRIBERS}
        self.assertEqual(node.terminate(), 0)
        w.must_import("customers", records(DELIVERIES // len(SUBSCRIBERS)))
        return w, receiver, secrets

    def kill_after(self, w, receiver, count, answers_are_lost):
        """Every other time the last pushes are received and never answered, whatever the moment."""
        if answers_are_lost:
            receiver.hold_at(count)
        node = w.launch()
        world.wait_until(lambda: node.alive() and receiver.count() >= count, 90, f"{count} pushes have come")
        if not answers_are_lost:
            time.sleep(self.moments.uniform(0, 0.05))  # where in a batch it happens is left to chance
        node.alive()
        node.kill()
        receiver.let_go()
        w.query("UPDATE ownership SET lease_until = 0")  # as when its lease has run out

    @on_each_engine
    def test_every_event_arrives_repeats_keep_their_id_and_attempts_have_no_gap(self, engine):
        print(f"SLUICE_KILL_SEED={SEED}", file=sys.stderr)
        self.moments = random.Random(SEED)
        w, receiver, secrets = self.prepare(engine)
        moments = sorted(self.moments.sample(range(1, DELIVERIES * 9 // 10), ROUNDS))
        for number, after in enumerate(moments):
            self.kill_after(w, receiver, max(after, receiver.count() + 1), number % 2 == 0)
        node = w.serve()
        world.wait_until(lambda: node.alive() and delivered(w, DELIVERIES), 120, "all are delivered")
        self.assertEqual(node.terminate(), 0)

        events = {row[0] for row in w.query("SELECT public_id FROM change_events")}
        self.assertEqual(len(events), DELIVERIES // len(SUBSCRIBERS))
        self.assertEqual(w.query(GAPS), [("0",)])
        attempts = {(name, event): int(count) for name, event, count in w.query(ATTEMPTS)}
        for name in SUBSCRIBERS:
            self.assert_whole(name, receiver.pushes("/" + name), events, secrets[name], attempts)
        self.assertGreater(receiver.count(), DELIVERIES)  # answers were lost
        self.assertGreater(sum(attempts.values()), DELIVERIES)

    def assert_whole(self, name, pushes, events, secret, attempts):
        bodies = collections.defaultdict(set)
        times = collections.Counter()
        for push in pushes:
            bodies[push.headers["webhook-id"]].add(push.body)
            times[push.headers["webhook-id"]] += 1
        self.assertEqual(bodies.keys(), events)
        self.assertEqual([event for event, each in bodies.items() if len(each) != 1], [])
        self.assertEqual([event for event, count in times.items() if count > attempts[name, event]], [])
        self.assertEqual([push.headers for push in pushes if not signed_by(push, {name: secret})], [])


if __name__ == "__main__":
    world.main()
