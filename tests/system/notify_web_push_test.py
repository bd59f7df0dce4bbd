#!/usr/bin/env -S python3 -B
"""Notifications by Web Push: what the browser decrypts, who sent it, and what each answer of a push service comes to."""

import time

import python_packages

python_packages.need("cryptography")
import world
from certificates import certificate_for
from es256 import new_key, pem_of, point_of, to_base64url
from processes import wait_until
from push_doubts import Doubts
from push_sending import Push, ago, moment
from web_push_server import WebPushServer, refusal

SUBJECT = "mailto:operations@example.com"


class WebPush(Push):

    def stand(self, engine="sqlite", timeout=20, **calls):
        self.certificate = certificate_for(self)
        self.key = new_key()
        self.server = self.service()
        account = ("web_push", {"subject": SUBJECT, "public_key": self.public(self.key)},
                   {"private_key": pem_of(self.key)})
        return self.node(engine, timeout, account, ca_file=str(self.certificate[0]), **calls)

    def service(self):
        made = WebPushServer(self.certificate)
        self.addCleanup(made.close)
        return made

    def public(self, key):
        return to_base64url(point_of(key.public_key()))

    def reach(self, n, browser="jane", server=None, **more):
        server = server or self.server
        if browser not in server.browsers:
            server.subscribe(browser, self.public(self.key))
        return n.contact("web_push", server.browsers[browser].subscription(), **more)

    def came(self):
        return len(self.server.arrived)


class Sending(WebPush):

    def test_the_browser_alone_reads_the_message_and_the_service_sees_how_long_and_how_urgent(self):
        n = self.stand()
        until = int(time.time()) + 7200
        made = n.send(self.reach(n), "one", title="Parcel", text="Grüße 📦", urgency="high", collapse_key="parcel-7",
                      data={"order": 7, "deep": {"a": [1, None]}},
                      expires_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until)))
        shown = n.ended(made, "accepted")
        came, = self.server.arrived
        self.assertEqual(came.content, {"id": made, "title": "Parcel", "body": "Grüße 📦", "tag": "parcel-7",
                                        "data": {"order": 7, "deep": {"a": [1, None]}}})
        self.assertEqual((came.headers["urgency"], 7000 < int(came.headers["ttl"]) <= 7200), ("high", True))
        self.assertNotIn("parcel", came.headers["topic"])
        self.assertEqual(shown["history"][0]["provider_message_id"], f"{self.server.url}/m/1")

    def test_a_hundred_messages_reach_a_browser_each_by_one_identification(self):
        n = self.stand()
        self.server.planned = ["late"] * 100
        self.server.late_by = 0.2
        made = [n.send(self.reach(n, f"browser-{number}"), "one", title=f"Hello {number}") for number in range(100)]
        for each in made:
            n.ended(each, "accepted")
        self.assertEqual(sorted((one.browser, one.content["title"]) for one in self.server.arrived),
                         sorted((f"browser-{number}", f"Hello {number}") for number in range(100)))
        self.assertEqual(len(self.server.tokens), 1)
        self.assertGreater(self.server.most_at_once, 4)

    def test_each_service_is_told_who_sends_by_a_token_of_its_own(self):
        n = self.stand()
        other = self.service()
        for server in (self.server, other):
            n.ended(n.send(self.reach(n, server=server), "one", title="Hello"), "accepted")
        self.assertEqual((len(self.server.tokens), len(other.tokens)), (1, 1))
        self.assertNotEqual(self.server.tokens, other.tokens)

    def test_padded_messages_do_not_show_how_long_they_are(self):
        n = self.stand()
        n.profile("padded", "web_push", {"subject": SUBJECT, "padded_size": 1000}, {"private_key": pem_of(self.key)})
        n.route("padded", "padded")
        for text in ("x", "x" * 900):
            n.ended(n.send(self.reach(n), "padded", text=text), "accepted")
        self.assertEqual([one.content["body"] for one in self.server.arrived], ["x", "x" * 900])
        self.assertEqual(len({one.headers["content-length"] for one in self.server.arrived}), 1)

    def test_a_subscription_made_for_another_key_is_left_to_the_profile_that_has_it(self):
        n = self.stand()
        n.profile("foreign", "web_push", {"subject": SUBJECT}, {"private_key": pem_of(new_key())})
        n.route("foreign first", "foreign", "push")
        self.assertEqual(self.ended(n, self.reach(n), [], "accepted", "foreign first"),
                         [("foreign", "rejected", "provider"), ("push", "accepted", None)])

    def test_an_endpoint_that_leads_inside_is_not_called(self):
        n = self.stand(allowed_networks=["127.0.0.2/32"])
        self.assertEqual(self.ended(n, self.reach(n), [], "rejected"), [("push", "rejected", "recipient")])
        self.assertEqual((self.came(), self.server.refused, self.server.most_at_once), (0, [], 0))


class Retiring(WebPush):

    def is_retired_by(self, status):
        n = self.stand()
        gone, other = self.reach(n, registered_at=ago(3600)), self.reach(n, "john")
        browser = self.server.browsers["jane"]
        browser.gone = status
        self.assertEqual(self.ended(n, gone, [], "rejected"), [("push", "rejected", "recipient")])
        self.assertEqual(self.suppression(n, gone)["reason"], "retired_token")
        self.assertEqual(n.ended(n.send(gone, "both", title="Hello"), "failed")["history"], [])
        self.assertEqual(len(self.server.refused), 1)
        n.ended(n.send(other, "both", title="Hello"), "accepted")
        self.assertIsNone(self.suppression(n, other))
        browser.gone = None
        self.assertEqual(self.reach(n, registered_at=ago(-60)), gone)
        self.assertIsNone(self.suppression(n, gone))
        n.ended(n.send(gone, "both", title="Hello"), "accepted")

    def test_404_retires_the_subscription_until_it_is_registered_anew(self):
        self.is_retired_by(404)

    def test_410_retires_the_subscription_until_it_is_registered_anew(self):
        self.is_retired_by(410)


class Answers(WebPush):

    def each(self, statuses, state, course):
        n = self.stand()
        person = self.reach(n)
        for status in statuses:
            with self.subTest(status):
                self.assertEqual(self.ended(n, person, [refusal(status, "")], state), course)
        self.assertIsNone(self.suppression(n, person))

    def test_what_the_message_is_refused_for_ends_it_whatever_profiles_are_left(self):
        self.each([400, 413], "rejected", [("push", "rejected", "message")])

    def test_what_the_sender_is_refused_for_goes_to_the_next_profile(self):
        self.each([401, 403, 405, 415], "accepted", [("push", "rejected", "provider"), ("spare", "accepted", None)])

    def test_what_is_over_soon_is_tried_again_at_the_same_profile(self):
        self.each([408, 425, 429, 500, 503], "accepted", [("push", "retryable", None), ("push", "accepted", None)])

    def test_a_gateways_error_leaves_a_doubt(self):
        self.each([502, 504], "ambiguous", [("push", "ambiguous", None)])

    def test_a_service_is_waited_for_as_long_as_it_says_and_the_others_go_on(self):
        n = self.stand()
        other = self.service()
        self.server.planned = [refusal(429, "", {"Retry-After": "6"})]
        made = n.send(self.reach(n), "both", title="Hello")
        wait_until(lambda: self.server.refused, 60, "it is told to wait")
        since = time.monotonic()
        wait_until(lambda: n.show(made)["history"] and n.state(made) == "queued", 60, "it waits")
        due_at = moment(n.show(made)["due_at"])
        meanwhile = n.send(self.reach(n, server=other), "both", title="Hello")
        n.ended(meanwhile, "accepted")
        shown = n.ended(made, "accepted")
        self.assertGreaterEqual(time.monotonic() - since, 5)
        self.assertGreaterEqual(due_at - moment(shown["history"][0]["submitted_at"]), 6)
        self.assertEqual(self.course(shown), [("push", "retryable", None), ("push", "accepted", None)])
        self.assertLess(moment(n.show(meanwhile)["history"][0]["ended_at"]), due_at)

    def test_a_redirect_is_not_followed(self):
        n = self.stand()
        self.reach(n, "john")
        elsewhere = {"Location": self.server.browsers["john"].endpoint}
        self.assertEqual(self.ended(n, self.reach(n), [refusal(307, "", elsewhere)] * 2, "rejected"),
                         [("push", "rejected", "provider"), ("spare", "rejected", "provider")])
        self.assertEqual(self.came(), 0)


class WebPushDoubts(Doubts, WebPush):
    pass


if __name__ == "__main__":
    world.main()
