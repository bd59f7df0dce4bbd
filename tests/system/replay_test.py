#!/usr/bin/env -S python3 -B
"""A window replay goes on by itself after kill -9, and restarts each delivery once. SLUICE_KILL_SEED sets when."""

import datetime
import os
import random
import sys

import world
from subscribers import Api, delivered, world_of_subscribers
from world import on_each_engine, records

DELIVERIES = 3000
ROUNDS = 3
SEED = int(os.environ.get("SLUICE_KILL_SEED", random.SystemRandom().randrange(1 << 30)))


class Replay(world.SystemTest):

    def prepare(self, engine):
        """Deliveries that were pushed once and are dead."""
        w, receiver = world_of_subscribers(self, engine, subscriptions={"fan_out_deliveries_max": 5})
        node = w.serve()
        Api(node).subscribe("hook", receiver.url + "/hook", event_types=["customers.created"])
        w.must_import("customers", records(DELIVERIES))
        world.wait_until(lambda: node.alive() and delivered(w, DELIVERIES), 120, "all are delivered")
        self.assertEqual(node.terminate(), 0)
        w.query("UPDATE event_deliveries SET state = 'dead'")
        return w, receiver

    @on_each_engine
    def test_a_replay_of_a_node_that_is_killed_is_done_by_the_next_ones(self, engine):
        print(f"SLUICE_KILL_SEED={SEED}", file=sys.stderr)
        moments = random.Random(SEED)
        w, receiver = self.prepare(engine)
        an_hour_ago = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)

        node = w.serve()
        begun = w.operate(node, "replay", "hook", "--from", an_hour_ago.isoformat(), "--yes", "--no-wait")
        self.assertEqual((begun["count"], begun["job"]["counted"]), (DELIVERIES, DELIVERIES))
        for after in sorted(moments.sample(range(1, DELIVERIES * 8 // 10), ROUNDS)):
            world.wait_until(lambda count=after, node=node: node.alive() and self.done(w) >= count, 90,
                             f"{after} deliveries are replayed")
            node.kill()
            w.query("UPDATE ownership SET lease_until = 0")  # as when its lease has run out
            node = w.serve()

        world.wait_until(lambda: node.alive() and delivered(w, DELIVERIES), 120, "all are delivered again")
        self.assertEqual(w.query("SELECT counted, done, ending FROM replay_jobs"),
                         [(str(DELIVERIES), str(DELIVERIES), "completed")])
        self.assertEqual(w.operate(node, "replays", "hook")["replays"][0]["done"], DELIVERIES)
        self.assertEqual(node.terminate(), 0)
        self.assertEqual(w.query("SELECT count(*) FROM event_deliveries WHERE attempts < 2"), [("0",)])
        self.assert_pushed_twice(w, receiver)

    def done(self, w):
        return int(w.query("SELECT done FROM replay_jobs")[0][0])

    def assert_pushed_twice(self, w, receiver):
        """A push more, at the most, for each attempt that a kill interrupted."""
        pushes = [push.headers["webhook-id"] for push in receiver.pushes("/hook")]
        self.assertEqual(set(pushes), {row[0] for row in w.query("SELECT public_id FROM change_events")})
        attempts = int(w.query("SELECT sum(attempts) FROM event_deliveries")[0][0])
        self.assertGreaterEqual(len(pushes), 2 * DELIVERIES)
        self.assertLessEqual(len(pushes), attempts)


if __name__ == "__main__":
    world.main()
