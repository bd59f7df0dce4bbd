"""What the tests of notifications share: a node that serves its API, profiles, contact points, and what became of a
message."""

import json
import re

import world
from processes import wait_until
from subscribers import Api

# Nothing waits longer than it must; a lapsed lease and a retry are soon looked at.
SHORT_WAITS = {"lease": "3s", "retry_schedule": ["200ms"] * 10}
KEYS = {"keys": ["test:" + "7" * 64], "fingerprint_keys": ["finds:" + "8" * 64]}
ENDED = ("accepted", "rejected", "ambiguous", "failed", "expired", "cancelled")


class Notifying:
    """A world with the tenant "acme" and a node. `settings` are of sections, as World takes them."""

    def __init__(self, test, engine="sqlite", notifications=None, **settings):
        self.test = test
        self.world = test.world(engine, **{"api": world.API, "keys": KEYS, **settings},
                                notifications={**SHORT_WAITS, **(notifications or {})})
        self.world.apply([], [])
        self.node = None
        self.api = None
        self.start()

    def start(self, environment=None, config=None):
        self.node = self.world.serve(config, environment)
        self.api = Api(self.node)

    def kill(self):
        """kill -9."""
        self.node.kill()

    def profile(self, name, provider, settings, credentials=None):
        """The profile's id."""
        return self.api.must("POST", "/v1/profiles", {"tenant": "acme", "name": name, "provider": provider,
                                                      "settings": settings, "credentials": credentials or {}})["id"]

    def route(self, name, *profiles):
        return self.api.must("POST", "/v1/routes", {"tenant": "acme", "name": name, "profiles": list(profiles)})["id"]

    def contact(self, kind, address, **more):
        """The contact point's id. An address that is no text is JSON."""
        text = address if isinstance(address, str) else json.dumps(address)
        return self.api.must("POST", "/v1/contact-points",
                             {"tenant": "acme", "kind": kind, "address": text, **more})["id"]

    def send(self, contact, route, key=None, **content):
        """The notification's id."""
        return self.api.must("POST", "/v1/notifications",
                             {"tenant": "acme", "contact": contact, "route": route, **content},
                             **({"Idempotency-Key": key} if key else {}))["id"]

    def show(self, notification):
        return self.api.must("GET", f"/v1/notifications/{notification}")

    def state(self, notification):
        return self.show(notification)["state"]

    def here(self, url, public):
        """Where an address that begins with `public` leads on this machine."""
        address = re.search(r"api\.listening.* address=(\S+)", self.node.said())[1]
        return url.replace(public, f"http://{address}")

    def ended(self, notification, state, seconds=60):
        """The notification, once it has come to rest; that must be in this state."""
        shown = wait_until(lambda: self.at_rest(notification), seconds, f"{notification} comes to rest")
        self.test.assertEqual(shown["state"], state, shown)
        return shown

    def at_rest(self, notification):
        shown = self.show(notification)
        return shown if shown["state"] in ENDED and not shown["in_flight"] else None

    def told(self, notification, word, seconds=60):
        """The notification, once its last attempt's projection has this word."""
        def now():
            shown = self.show(notification)
            return shown if shown["history"] and shown["history"][-1]["told"] == word else None
        return wait_until(now, seconds, f"{notification} is told of as {word}")

    def events(self, **asked):
        query = "&".join(f"{name}={value}" for name, value in {"limit": 1000, **asked}.items())
        return self.api.must("GET", f"/v1/provider-events?{query}")

    def refused(self):
        return self.api.must("GET", "/v1/refused-callbacks?limit=1000")
