"""What the tests of push providers share: a node whose messages go over two profiles of one account."""

import datetime
import time

import world
from doubts import waits
from notifying import Notifying


class Push(world.SystemTest):

    def node(self, engine, timeout, account, **calls):
        """`account`: the provider's word, settings and credentials."""
        n = Notifying(self, engine, **world.merged(waits(timeout), {"calls": calls}))
        for name in ("push", "spare"):
            n.profile(name, *account)
        n.route("both", "push", "spare")
        n.route("one", "push")
        return n

    def ended(self, n, contact, refusals, state, route="both"):
        """The course of a message whose first submissions are refused so."""
        self.server.planned = list(refusals)
        shown = n.ended(n.send(contact, route, title="Hello"), state)
        self.assertEqual(self.server.planned, [])
        return self.course(shown)

    def course(self, shown):
        return [(one["profile"], one["state"], one["cause"]) for one in shown["history"]]

    def suppression(self, n, contact):
        return n.api.must("GET", f"/v1/contact-points/{contact}")["suppression"]


def moment(text):
    """Seconds since 1970."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def ago(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds))
