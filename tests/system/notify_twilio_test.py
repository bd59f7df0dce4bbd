#!/usr/bin/env -S python3 -B
"""Notifications by Twilio: the form, what each answer comes to, and what Twilio is asked about messages."""

import json
import re
import time

import world
from doubts import settle, stays_in_doubt
from twilio_sending import PUBLIC, SENDER, Twilio
from twilio_server import refusal
from world import on_each_engine

AGAIN = [refusal(429, 20429, "Too Many Requests"), refusal(400, 21611, "The sender's queue is full"),
         refusal(503, 20503, "Service unavailable")]
OF_THE_RECIPIENT = [refusal(400, 21211, "The 'To' number +442079460958 is not valid."),
                    refusal(400, 21614, "'To' number is not a valid mobile number"),
                    refusal(400, 21265, "a short code")]
OF_THE_MESSAGE = [refusal(400, 21617, "The body exceeds the limit"), refusal(400, 21618, "The body cannot be sent")]
OF_THE_ACCOUNT = [refusal(401, 20003, "Authenticate"), refusal(400, 21606, "The 'From' number is not yours"),
                  refusal(400, 21408, "Permission to send has not been enabled for the region"),
                  refusal(400, 21608, "The number is unverified. Trial accounts cannot send to it.")]
UNKNOWN = [refusal(500, 20500, "Internal server error"), refusal(504, 20504, "Gateway timeout")]


class Sending(Twilio):

    @on_each_engine
    def test_the_form_has_the_recipient_the_text_and_where_to_tell_of_it(self, engine):
        n = self.stand(engine)
        until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 7200))
        shown = n.ended(self.send(n, text="It's 5 € & 10% off = Grüße 📦+1", expires_at=until), "accepted")
        made, = self.server.messages
        self.assertEqual((made["to"], made["from"], made["body"]),
                         ("+442079460958", SENDER, "It's 5 € & 10% off = Grüße 📦+1"))
        self.assertEqual(shown["history"][0]["provider_message_id"], made["sid"])
        self.assertIsNone(shown["history"][0]["told"])
        profile, attempt = re.fullmatch(rf"{PUBLIC}/v1/callbacks/([0-9a-f-]{{36}})\?\w+[-_]?\w*=([0-9a-f-]{{36}})",
                                        self.server.callbacks[made["sid"]]).groups()
        self.assertEqual(attempt, shown["history"][0]["id"])
        self.assertIn(profile, json.dumps(n.api.must("GET", "/v1/profiles")))

    def test_a_messaging_service_and_a_key_of_the_api_do_as_well(self):
        n = self.stand()
        key, service = "SK" + "2" * 32, "MG" + "3" * 32
        self.server.keys = {key: "half"}
        self.profile(n, "service", {"messaging_service_sid": service}, api_key=key, api_key_secret="half")
        n.route("by service", "service")
        n.ended(self.send(n, route="by service"), "accepted")
        self.assertEqual((self.server.messages[0]["messaging_service_sid"], self.server.messages[0]["from"]),
                         (service, None))


    def test_a_wrong_token_is_the_accounts_fault(self):
        n = self.stand()
        self.profile(n, "stranger", {"from": SENDER}, auth_token="a guess")
        n.route("by detour", "stranger", "sms")
        shown = n.ended(self.send(n, route="by detour"), "accepted")
        self.assertEqual(self.course(shown), [("stranger", "rejected", "provider"), ("sms", "accepted", None)])
        self.assertEqual([one["code"] for one in self.server.refused], [20003])


class Answers(Twilio):

    def answered(self, n, contact, planned, state):
        self.server.planned = [planned]
        return n.ended(self.send(n, contact), state)

    def test_each_refusal_leads_where_it_says(self):
        n = self.stand()
        contact = n.contact("phone", "+442079460958")
        ends = (
            (AGAIN, "accepted", [("sms", "retryable", None), ("sms", "accepted", None)]),
            (OF_THE_RECIPIENT, "rejected", [("sms", "rejected", "recipient")]),
            (OF_THE_MESSAGE, "rejected", [("sms", "rejected", "message")]),
            (OF_THE_ACCOUNT, "accepted", [("sms", "rejected", "provider"), ("spare", "accepted", None)]),
        )
        for refusals, state, course in ends:
            for one in refusals:
                with self.subTest(one.body["code"]):
                    self.assertEqual(self.course(self.answered(n, contact, one, state)), course)
        self.assertEqual(self.server.count(), len(AGAIN) + len(OF_THE_ACCOUNT))
        self.assertIsNone(n.api.must("GET", f"/v1/contact-points/{contact}")["suppression"])
        self.assertNotIn("2079460958", n.node.said())

    @on_each_engine
    def test_who_said_stop_is_suppressed_and_asked_for_no_more(self, engine):
        n = self.stand(engine)
        self.server.unsubscribed.add("+442079460958")
        contact = n.contact("phone", "+44 20 7946 0958")
        self.assertEqual(self.course(n.ended(self.send(n, contact), "rejected")), [("sms", "rejected", "recipient")])
        kept = n.api.must("GET", f"/v1/contact-points/{contact}")["suppression"]
        self.assertEqual(kept["reason"], "unsubscribed")
        asked = len(self.server.refused)
        shown = n.ended(self.send(n, contact), "failed")
        self.assertEqual((shown["history"], len(self.server.refused)), ([], asked))
        self.assertIn("unsubscribed", shown["error"])

    def test_who_said_stop_after_it_was_taken_is_suppressed_by_the_callback(self):
        n = self.stand()
        contact = n.contact("phone", "+442079460958")
        made = self.send(n, contact)
        sid = n.ended(made, "accepted")["history"][0]["provider_message_id"]
        self.server.tell(sid, "failed", 21610, to=n.here(self.server.callbacks[sid], PUBLIC))
        n.told(made, "undelivered")
        self.assertEqual(n.api.must("GET", f"/v1/contact-points/{contact}")["suppression"]["reason"], "unsubscribed")
        self.assertEqual(n.state(made), "accepted")


class Questions(Twilio):

    @on_each_engine
    def test_a_callback_that_does_not_come_is_asked_for_and_told_by_the_same_ledger(self, engine):
        n = self.stand(engine, notifications={"sms_callback_patience": "1m"})
        made = self.send(n)
        n.ended(made, "accepted")
        self.server.messages[0]["status"] = "delivered"
        # So that it is overdue.
        n.world.query("UPDATE notification_attempts SET submitted_at = submitted_at - 120000000")
        n.node.terminate()
        n.start()  # which searches at once
        n.told(made, "delivered")
        self.assertEqual([one["source"] for one in n.events()["events"]], ["reconciliation"])

    def test_a_doubt_is_ended_by_the_message_that_is_meant_and_by_no_other(self):
        """All are in doubt at once: each look is waited for once."""
        n = self.stand(timeout=4)
        stories = [story(n, f"+4420794609{number:02}") for number, story in enumerate((
            self.taken_and_silent, self.taken_and_cut, self.never_taken, self.the_same_text_twice,
            self.two_that_may_be_it))]
        for story in stories:
            next(story)
        for story in stories:
            with self.subTest(story.__name__):
                next(story, None)

    def doubt(self, n, number, plan, **content):
        """A notification whose call is out."""
        self.server.planned = [plan]
        made = self.send(n, n.contact("phone", number), **content)
        world.wait_until(lambda: not self.server.planned, 60, "Twilio has had the call")
        return made

    def sids(self, number):
        return [one["sid"] for one in self.server.messages if one["to"] == number]

    def is_found(self, n, notification, sid):
        world.wait_until(lambda: n.state(notification) == "accepted", 90, "Twilio knows it")
        last, = n.show(notification)["history"]
        self.assertEqual(last["provider_message_id"], sid)
        self.server.tell(sid, "delivered", to=n.here(self.server.callbacks[sid], PUBLIC))
        n.told(notification, "delivered")

    def taken_and_silent(self, n, number):
        made = self.doubt(n, number, "hang")
        yield
        self.is_found(n, made, *self.sids(number))

    def taken_and_cut(self, n, number):
        made = self.doubt(n, number, "cut")
        yield
        self.is_found(n, made, *self.sids(number))

    def never_taken(self, n, number):
        n.ended(self.send(n, n.contact("phone", number), text="Your code is 1"), "accepted")
        made = self.doubt(n, number, refusal(500, 20500, "Internal server error"), text="Your code is 2")
        yield
        # It may wait in Twilio's queue, so that it is not in the list proves nothing.
        stays_in_doubt(self, n, made, "unread")
        settle(n, made, "not-sent")
        n.ended(made, "accepted")
        self.assertEqual(len(self.sids(number)), 2)

    def the_same_text_twice(self, n, number):
        """They are told apart by what is known already."""
        first = n.ended(self.send(n, n.contact("phone", number)), "accepted")["history"][0]["provider_message_id"]
        made = self.doubt(n, number, "cut")
        yield
        known, other = self.sids(number)
        self.assertEqual(first, known)
        self.is_found(n, made, other)

    def two_that_may_be_it(self, n, number):
        made = self.doubt(n, number, "cut")
        mine = world.wait_until(lambda: self.sids(number), 60, "Twilio has it")[0]
        message, = [one for one in self.server.messages if one["sid"] == mine]
        self.server.messages.append({**message, "sid": "SM" + "f" * 32})  # somebody else's
        yield
        stays_in_doubt(self, n, made, "several")
        self.server.tell(mine, "sent", to=n.here(self.server.callbacks[mine], PUBLIC))
        world.wait_until(lambda: n.state(made) == "accepted", 60, "its callback proves that it was taken")
        n.told(made, "sent")


if __name__ == "__main__":
    world.main()
