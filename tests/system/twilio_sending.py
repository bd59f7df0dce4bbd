"""A node whose messages go by the stand-in of Twilio, over two profiles of one account."""

import world
from doubts import waits
from notifying import Notifying
from twilio_server import TwilioServer

PUBLIC = "https://sluice.example.com"
SENDER = "+15005550006"


class Twilio(world.SystemTest):

    def stand(self, engine="sqlite", timeout=20, public=PUBLIC, notifications=None):
        self.server = TwilioServer()
        self.addCleanup(self.server.close)
        n = Notifying(self, engine, **world.merged(waits(timeout, **(notifications or {})),
                                                   {"callbacks": {"public_url": public}}))
        for name in ("sms", "spare"):
            self.profile(n, name, {"from": SENDER})
        n.route("both", "sms", "spare")
        n.route("one", "sms")
        return n

    def profile(self, n, name, settings, **credentials):
        return n.profile(name, "twilio", {"base_url": self.server.url, "account_sid": self.server.account, **settings},
                         {"auth_token": self.server.token, **credentials})

    def send(self, n, contact=None, route="both", text="Your code is 4711", **content):
        return n.send(contact or n.contact("phone", "+442079460958"), route, text=text, **content)

    def course(self, shown):
        return [(one["profile"], one["state"], one["cause"]) for one in shown["history"]]

    def people(self, n, count):
        """Contact points of as many numbers."""
        return [n.contact("phone", f"+4420794609{number:02}") for number in range(count)]
