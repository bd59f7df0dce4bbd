#!/usr/bin/env -S python3 -B
"""Events whose JSON a parser would change or not hold: sent as they came, and filtered by what they say."""

import world
from subscribers import Api, delivered, signed_by, world_of_subscribers
from world import on_each_engine

LARGE = 256 << 10
# Bodies, and which of the filters below they pass.
ODD = {
    b'{"n":9007199254740993}': {"above", "equal"},
    b'{"n":9007199254740992}': {"above"},
    b'{"n":9007199254740993.0}': {"above", "equal"},
    b'{"n":9007199254740993000e-3}': {"above", "equal"},
    b'{"n":1E400}': {"above", "beyond"},
    b'{"n":1' + b"0" * 400 + b'}': {"above", "beyond"},
    b'{"n":-1e400}': set(),
    b'{"n":1e-400}': set(),
    b'{"n":-0}': set(),
    b'{"n":1,"n":9007199254740993}': {"above", "equal"},
    b'{"n":9007199254740993,"n":1}': set(),
    b'{"n":"9007199254740993"}': set(),
    b' {\r\n\t"n" : 1.10 , "\\u006e" : 2 }\n ': set(),
    '{"n":null,"ü":"\U0001f600 \\ud83d\\ude00"}'.encode(): set(),
    b"-0.0": set(),
    b"[]": set(),
    b'"' + b"x" * (LARGE - 2) + b'"': set(),
}
FILTERS = {
    "above": {"field": "/n", "at_least": 9007199254740992},
    "equal": {"field": "/n", "equals": 9007199254740993},
    "beyond": {"field": "/n", "more": 1.7e308},
}
# What is no event, and the place that is named.
WRONG = {
    b'{"a":1,}': "at byte 7",
    b"\xef\xbb\xbf{}": "at byte 0",
    b'"\xff"': "at byte 1",
    b'{"a":"b\0c"}': "at byte ",
    b'"\\u0000"': "at byte ",
    b"[" * 65 + b"]" * 65: "at byte 64",
    b"[1": "at byte 2",
    b"1 2": "at byte 2",
    b"": "at byte 0",
}


class OddEvents(world.SystemTest):

    @on_each_engine
    def test_they_arrive_byte_for_byte_signed_and_where_their_values_pass(self, engine):
        w, receiver = world_of_subscribers(self, engine)
        node = w.serve()
        api = Api(node)
        secrets = {"everything": api.subscribe("everything", receiver.url + "/everything")["secret"]}
        for name, wanted in FILTERS.items():
            secrets[name] = api.subscribe(name, f"{receiver.url}/{name}", filter=wanted)["secret"]
        published = {api.publish("orders.paid", body): body for body in ODD}
        pushes = len(ODD) + sum(map(len, ODD.values()))
        world.wait_until(lambda: node.alive() and delivered(w, pushes), 30, "all are delivered")
        for name, secret in secrets.items():
            arrived = receiver.pushes(f"/{name}")
            self.assertEqual({push.headers["webhook-id"]: push.body for push in arrived},
                             {event: body for event, body in published.items()
                              if name == "everything" or name in ODD[body]}, name)
            self.assertEqual([push.body for push in arrived if signed_by(push, {"its": secret}) != ["its"]], [])

    def test_what_is_no_event_is_refused_with_the_place_and_none_is_made(self):
        w, _ = world_of_subscribers(self, "sqlite")
        api = Api(w.serve())
        path = "/v1/events?tenant=acme&type=orders.paid"
        for body, place in WRONG.items():
            status, said = api.ask("POST", path, body)
            with self.subTest(body[:20]):
                self.assertEqual(status, 400)
                self.assertIn(place, said["detail"])
        status, said = api.ask("POST", path, b'"' + b"x" * (LARGE - 1) + b'"')
        self.assertEqual(status, 413)
        self.assertIn(str(LARGE), said["detail"])
        self.assertEqual(w.query("SELECT count(*) FROM change_events"), [("0",)])


if __name__ == "__main__":
    world.main()
