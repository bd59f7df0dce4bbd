#!/usr/bin/env -S python3 -B
"""What happens to the records of a source is told to who subscribes to them, as often as it happens and no more."""

import collections
import json

import world
from subscribers import Api, delivered, world_of_subscribers
from world import on_each_engine

DIGITS = b'"balance":18.00,"serial":123456789012345678901234567890'


def customers(count, name):
    return "".join(f'{{"id":"c{number}","name":"{name}",{DIGITS.decode()}}}\n' for number in range(count))


class MirrorEvents(world.SystemTest):

    def serving(self, engine):
        """Nothing is looked for but what is hinted at."""
        w, receiver = world_of_subscribers(self, engine, subscriptions={"fan_out_interval": "1h"})
        node = w.serve()
        Api(node).subscribe("hook", receiver.url + "/hook", event_types=["customers.*"],
                            ordered_by="/data/source_id")
        return w, receiver, node

    @staticmethod
    def told(receiver):
        """The types of the events of each record, in the order they came."""
        types = collections.defaultdict(list)
        for push in receiver.pushes("/hook"):
            event = json.loads(push.body)
            types[event["data"]["source_id"]].append(event["type"].removeprefix("customers."))
        return types

    @on_each_engine
    def test_new_changed_deleted_and_returned_records_are_told_in_their_order(self, engine):
        w, receiver, node = self.serving(engine)
        w.must_import("customers", customers(20, "Ann"))
        world.wait_until(lambda: node.alive() and delivered(w, 20), 30, "the new ones are told")
        w.must_import("customers", customers(20, "Ann"))  # the same again is no change
        w.must_import("orders", customers(5, "nobody subscribes to them"))
        w.must_import("customers", customers(10, "Bob"))
        w.must_import("customers", customers(5, "Bob"), "--deleted")
        w.must_import("customers", customers(2, "Cid"))
        world.wait_until(lambda: node.alive() and delivered(w, 37), 30, "what changed is told")

        self.assertEqual(node.terminate(), 0)
        told = self.told(receiver)
        self.assertEqual(told["c0"], ["created", "updated", "deleted", "created"])
        self.assertEqual(told["c4"], ["created", "updated", "deleted"])
        self.assertEqual(told["c9"], ["created", "updated"])
        self.assertEqual(told["c19"], ["created"])
        self.assertEqual((len(told), sum(map(len, told.values()))), (20, 37))
        self.assertEqual(w.query("SELECT count(*) FROM change_events WHERE domain <> 'customers'"), [("0",)])

    def test_the_record_is_told_as_it_is_stored_and_a_deleted_one_as_it_was(self):
        w, receiver, node = self.serving("sqlite")
        w.must_import("customers", customers(1, "Ann"))
        w.must_import("customers", customers(1, "Ann"), "--deleted")
        world.wait_until(lambda: node.alive() and delivered(w, 2), 30, "both are told")
        for push, kind in zip(receiver.pushes("/hook"), ("customers.created", "customers.deleted")):
            event = json.loads(push.body)
            self.assertEqual((event["type"], event["data"]["source_id"], event["data"]["record"]["name"]),
                             (kind, "c0", "Ann"))
            self.assertIn(DIGITS, push.body)
            self.assertRegex(event["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")

    @on_each_engine
    def test_a_disconnect_and_a_reconnect_tell_nothing(self, engine):
        w, receiver, node = self.serving(engine)
        w.must_import("customers", customers(10, "Ann"))
        world.wait_until(lambda: node.alive() and delivered(w, 10), 30, "the new ones are told")
        w.must_run("connections", "disconnect", "shop")
        self.assertEqual(w.query("SELECT count(*) FROM mirror_records WHERE deleted_at IS NULL"), [("0",)])
        w.must_run("connections", "reconnect", "shop")
        self.assertEqual(w.query("SELECT count(*) FROM mirror_records WHERE deleted_at IS NULL"), [("10",)])
        w.must_import("customers", customers(1, "Bob"))
        world.wait_until(lambda: node.alive() and delivered(w, 11), 30, "the change behind it is told")
        self.assertEqual(self.told(receiver), {"c0": ["created", "updated"],
                                               **{f"c{number}": ["created"] for number in range(1, 10)}})
        self.assertEqual(w.query("SELECT count(*) FROM change_events"), [("11",)])


if __name__ == "__main__":
    world.main()
