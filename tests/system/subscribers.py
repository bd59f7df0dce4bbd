"""What the tests of subscriptions share: a node that serves its API, subscriptions to a receiver, published events."""

import http.client
import json
import re
import urllib.parse

import webhook_sender
import world
from receiver import Receiver

# Nothing waits longer than it must; a lapsed lease and a failed push are soon tried again.
SHORT_WAITS = {"fan_out_interval": "1s", "lease": "2s", "retry_schedule": ["200ms"] * 20}


class Api:
    """One connection to a node's API, kept open."""

    def __init__(self, node):
        host, _, port = re.search(r"api\.listening.* address=(\S+:\d+)", node.said())[1].rpartition(":")
        self.connection = http.client.HTTPConnection(host, int(port), timeout=60)

    def ask(self, method, path, body=None, **headers):
        """Status and document. `body` is bytes as they are, or what becomes JSON."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {world.API['token']}", **headers}
        if data is not None:
            sent["Content-Type"] = "application/json"
        self.connection.request(method, path, data, sent)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def must(self, method, path, body=None, **headers):
        status, document = self.ask(method, path, body, **headers)
        if status not in (200, 201, 202):
            raise AssertionError(f"{method} {path}: {status} {document}")
        return document

    def subscribe(self, name, url=None, **wanted):
        """A push subscription of acme's to the URL; without one it is pulled."""
        how = {"mode": "pull"} if url is None else {"url": url}
        return self.must("POST", "/v1/subscriptions", {"tenant": "acme", "name": name, **how, **wanted})

    def publish(self, kind, body, key=None):
        """The event's id."""
        headers = {"Idempotency-Key": key} if key else {}
        return self.must("POST", "/v1/events?" + urllib.parse.urlencode({"tenant": "acme", "type": kind}), body,
                         **headers)["id"]

    def show(self, subscription):
        return self.must("GET", f"/v1/subscriptions/{subscription['id']}")

    def deliveries(self, subscription, state=None):
        """The newest thousand."""
        path = f"/v1/subscriptions/{subscription['id']}/deliveries?limit=1000"
        return self.must("GET", path + (f"&state={state}" if state else ""))["deliveries"]


def world_of_subscribers(test, engine, connections=(), rules=(), subscriptions=None, **settings):
    """A world with the tenant "acme" and its source "shop", and a receiver."""
    w = test.world(engine, api=world.API, subscriptions={**SHORT_WAITS, **(subscriptions or {})}, **settings)
    w.apply(list(connections), list(rules))
    receiver = Receiver()
    test.addCleanup(receiver.close)
    return w, receiver


def delivered(w, count):
    """Whether so many deliveries are done and no attempt is open."""
    return (w.query("SELECT count(*) FROM event_deliveries WHERE state = 'delivered'") == [(str(count),)]
            and w.query("SELECT count(*) FROM delivery_attempts WHERE ended_at IS NULL") == [("0",)])


def signed_by(push, secrets):
    """Names of the secrets the push bears a signature of, by an implementation of Standard Webhooks that is not ours."""
    borne = push.headers["webhook-signature"].split(" ")
    return [name for name, secret in secrets.items()
            if webhook_sender.signature(secret, push.headers["webhook-id"], push.headers["webhook-timestamp"],
                                        push.body) in borne]
