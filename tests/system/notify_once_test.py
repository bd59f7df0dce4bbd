#!/usr/bin/env -S python3 -B
"""What is posted often is sent once."""

import collections
import threading

import world
from doubts import waits
from notifying import Notifying
from subscribers import Api
from twilio_server import TwilioServer
from world import on_each_engine

CALLS = 50


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


if __name__ == "__main__":
    world.main()
