#!/usr/bin/env -S python3 -B
"""Notifications by Amazon SES: the message, the clock, and what each answer comes to."""

import datetime
import json
import time

import world
from doubts import settle, stays_in_doubt, waits
from notifying import Notifying
from ses_server import Refusal, SesServer
from world import on_each_engine

MAIL = {"subject": "Your order", "text": "It is there."}
CREDENTIALS = {"access_key_id": "AKIDEXAMPLE", "secret_access_key": "secret"}
QUOTA = Refusal(400, "LimitExceededException", "Daily message quota exceeded.")

# What SES refuses, and where that leaves the message: at the same profile again, nowhere, or at the next profile.
AGAIN = [Refusal(429, "TooManyRequestsException", "Maximum sending rate exceeded."),
         Refusal(400, "ThrottlingException", "Rate exceeded"),
         Refusal(503, "ServiceUnavailable", "Not now."),
         Refusal(408, "RequestTimeoutException", "Your socket was idle.")]
OF_THE_MESSAGE = [Refusal(400, "MessageRejected", "Message content contains a virus."),
                  Refusal(400, "BadRequestException", "Local address contains control or whitespace"),
                  Refusal(413, "RequestEntityTooLargeException", "Message length is too long.")]
OF_THE_ACCOUNT = [Refusal(400, "AccountSuspendedException", "Your account can no longer send."),
                  Refusal(400, "SendingPausedException", "Sending paused for this account."),
                  Refusal(400, "MailFromDomainNotVerifiedException", "MAIL FROM domain is not verified."),
                  Refusal(400, "LimitExceededException", "There are too many instances of something."),
                  Refusal(404, "NotFoundException", "Configuration set does not exist."),
                  Refusal(400, "MessageRejected", "Email address is not verified. The following identities failed the "
                                                  "check in region EU-CENTRAL-1: news@example.com"),
                  Refusal(403, "AccessDeniedException", "User is not authorized to perform ses:SendEmail"),
                  Refusal(403, "UnrecognizedClientException", "The security token is invalid."),
                  Refusal(403, "ExpiredTokenException", "The security token has expired."),
                  Refusal(403, "SignatureDoesNotMatch", "The signature we calculated does not match.")]
UNKNOWN = [Refusal(500, "InternalFailure", "Unknown error."), Refusal(502, "", "Bad gateway."),
           Refusal(400, "RequestAbortedException", "The request was aborted.")]


class Ses(world.SystemTest):

    def stand(self, engine="sqlite", timeout=20, **settings):
        self.server = SesServer()
        self.addCleanup(self.server.close)
        n = Notifying(self, engine, **waits(timeout))
        for name in ("mail", "spare"):
            n.profile(name, "ses", {"base_url": self.server.url, "region": "eu-central-1", "from": "news@example.com",
                                    **settings}, CREDENTIALS)
        n.route("both", "mail", "spare")
        return n

    def send(self, n, contact=None, **content):
        return n.send(contact or n.contact("email", "jane@example.com"), "both", **{**MAIL, **content})

    def course(self, shown):
        return [(one["profile"], one["state"], one["cause"]) for one in shown["history"]]


class Sending(Ses):

    @on_each_engine
    def test_the_message_is_signed_and_says_which_attempt_it_is(self, engine):
        n = self.stand(engine, configuration_set="watched", reply_to="desk@example.com", headers={"X-Shop": "acme"},
                       tags={"campaign": "spring"}, feedback_to="bounces@example.com")
        shown = n.ended(self.send(n, html="<p>Grüße 📦</p>", subject="Grüße"), "accepted")
        (message_id, message), = self.server.taken
        last, = shown["history"]
        self.assertEqual(last["provider_message_id"], message_id)
        self.assertIsNone(last["told"])  # accepted is not delivered
        text = lambda data: {"Data": data, "Charset": "UTF-8"}
        self.assertEqual(message, {
            "FromEmailAddress": "news@example.com", "Destination": {"ToAddresses": ["jane@example.com"]},
            "ReplyToAddresses": ["desk@example.com"], "FeedbackForwardingEmailAddress": "bounces@example.com",
            "ConfigurationSetName": "watched",
            "Content": {"Simple": {
                "Subject": text("Grüße"),
                "Body": {"Text": text("It is there."), "Html": text("<p>Grüße 📦</p>")},
                "Headers": [{"Name": "X-Shop", "Value": "acme"}, {"Name": "X-Sluice-Attempt", "Value": last["id"]}]}},
            "EmailTags": [{"Name": "campaign", "Value": "spring"}, {"Name": "sluice-attempt", "Value": last["id"]},
                          {"Name": "sluice-notification", "Value": shown["id"]}]})

    def test_a_session_token_is_signed_along(self):
        n = self.stand()
        self.server.token = "a-session"
        n.profile("session", "ses", {"base_url": self.server.url, "region": "eu-central-1", "from": "news@example.com"},
                  {**CREDENTIALS, "session_token": "a-session"})
        n.route("by session", "session")
        n.ended(n.send(n.contact("email", "jane@example.com"), "by session", **MAIL), "accepted")

    def test_a_clock_that_is_wrong_by_an_hour_is_corrected_once_and_the_message_goes(self):
        for ahead in (3600, -3600):
            with self.subTest(ahead=ahead):
                n = self.stand()
                self.server.clock_ahead = ahead
                shown = n.ended(self.send(n), "accepted")
                self.assertEqual(self.course(shown), [("mail", "accepted", None)])
                self.assertEqual((len(self.server.taken), len(self.server.refused)), (1, 1))
                self.assertIn("clock.corrected", n.node.said())

    def test_a_wrong_secret_and_a_wrong_region_are_the_accounts_fault(self):
        n = self.stand()
        base = {"base_url": self.server.url, "from": "news@example.com"}
        n.profile("stranger", "ses", {**base, "region": "eu-central-1"}, {**CREDENTIALS, "secret_access_key": "guess"})
        n.profile("elsewhere", "ses", {**base, "region": "us-east-1"}, CREDENTIALS)
        n.route("by detour", "stranger", "elsewhere", "mail")
        shown = n.ended(n.send(n.contact("email", "jane@example.com"), "by detour", **MAIL), "accepted")
        self.assertEqual(self.course(shown), [("stranger", "rejected", "provider"),
                                              ("elsewhere", "rejected", "provider"), ("mail", "accepted", None)])


class Answers(Ses):

    def answered(self, n, contact, refusal, state):
        self.server.planned = [refusal]
        return n.ended(self.send(n, contact), state)

    def test_what_is_over_soon_is_tried_again_at_the_same_profile(self):
        n = self.stand()
        contact = n.contact("email", "jane@example.com")
        for refusal in AGAIN:
            with self.subTest(refusal.code):
                shown = self.answered(n, contact, refusal, "accepted")
                self.assertEqual(self.course(shown), [("mail", "retryable", None), ("mail", "accepted", None)])
        self.assertEqual(len(self.server.taken), len(AGAIN))

    def test_a_quota_that_is_used_up_is_waited_for_and_the_others_wait_without_an_attempt(self):
        n = self.stand()
        self.server.planned = [QUOTA]
        first = self.send(n)
        world.wait_until(lambda: self.server.refused, 60, "the quota is used up")
        world.wait_until(lambda: n.state(first) == "queued", 60, "it waits")
        shown = n.show(first)
        self.assertGreater(seconds_until(shown["due_at"]), 300)
        other = self.send(n)
        time.sleep(2)  # that nothing happens can be seen by waiting alone
        self.assertEqual((n.show(other)["history"], n.state(other), self.server.taken), ([], "queued", []))

    def test_what_is_wrong_with_the_message_ends_it_whatever_profiles_are_left(self):
        n = self.stand()
        contact = n.contact("email", "jane@example.com")
        for refusal in OF_THE_MESSAGE:
            with self.subTest(refusal.code):
                self.assertEqual(self.course(self.answered(n, contact, refusal, "rejected")),
                                 [("mail", "rejected", "message")])
        self.assertEqual(self.server.taken, [])
        self.assertIsNone(n.api.must("GET", f"/v1/contact-points/{contact}")["suppression"])

    def test_what_the_account_is_refused_for_goes_to_the_next_profile(self):
        n = self.stand()
        contact = n.contact("email", "jane@example.com")
        for refusal in OF_THE_ACCOUNT:
            with self.subTest(refusal.message):
                self.assertEqual(self.course(self.answered(n, contact, refusal, "accepted")),
                                 [("mail", "rejected", "provider"), ("spare", "accepted", None)])
        self.assertEqual(len(self.server.taken), len(OF_THE_ACCOUNT))

    def test_an_error_that_leaves_open_whether_it_was_taken_is_a_doubt(self):
        n = self.stand()
        contact = n.contact("email", "jane@example.com")
        doubted = [self.answered(n, contact, refusal, "ambiguous")["id"] for refusal in UNKNOWN]
        for refusal, made in zip(UNKNOWN, doubted):
            with self.subTest(refusal.code or refusal.status):
                stays_in_doubt(self, n, made)
        self.assertEqual((self.server.taken, len(self.server.refused)), ([], len(UNKNOWN)))

    def test_no_error_of_ses_shows_whose_address_it_was_about(self):
        n = self.stand()
        shown = self.answered(n, n.contact("email", "jane@example.com"),
                              Refusal(400, "MessageRejected", "Address jane@example.com is on a list."), "rejected")
        self.assertNotIn("jane@", json.dumps(shown) + n.node.said())


class Doubts(Ses):

    @on_each_engine
    def test_an_answer_that_never_comes_leaves_a_doubt_until_a_person_has_it_sent_again(self, engine):
        n = self.stand(engine, timeout=4)
        self.server.planned = ["hang"]
        made = self.send(n)
        self.assertEqual(stays_in_doubt(self, n, made)["error_class"], "timed_out")
        self.assertEqual(len(self.server.taken), 1)
        settle(n, made, "not-sent")
        self.assertEqual([one["state"] for one in n.ended(made, "accepted")["history"]][1:], ["accepted"])
        self.assertEqual(len(self.server.taken), 2)

    def test_an_answer_that_is_cut_or_late_leaves_a_doubt_and_nothing_follows(self):
        n = self.stand(timeout=4)
        self.server.late_by = 7
        plans = {"cut": "cut", "late": "timed_out"}
        doubted = {}
        for plan in plans:
            self.server.planned = [plan]
            doubted[plan] = self.send(n)
            world.wait_until(lambda: len(self.server.taken) == len(doubted), 60, "SES has it")
        for plan, what in plans.items():
            with self.subTest(plan):
                self.assertEqual(stays_in_doubt(self, n, doubted[plan])["error_class"], what)
        self.assertEqual(len(self.server.taken), len(plans))


def seconds_until(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() - time.time()


if __name__ == "__main__":
    world.main()
