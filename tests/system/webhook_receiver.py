"""A receiver of notifications by webhook: it verifies each by an implementation of Standard Webhooks that is not ours,
keeps what it took, and posts back signed in the same way."""

import json
import threading
import time
import urllib.parse

import webhook_sender
from provider_server import ProviderServer, Refusal

KEY = b"a key of thirty-two bytes, or so"


class WebhookReceiver(ProviderServer):
    """`taken` has the messages in the order they came, each with its `webhook-id`; `known` what a status query is told
    by attempt id. `on_taken` is called with a message before its answer leaves."""

    def __init__(self, secrets=None, authorization=None, answers=None):
        self.secrets = secrets or [webhook_sender.secret_of(KEY)]
        self.authorization = authorization
        self.make_answer = answers or (lambda number: {"id": f"wh-{number}"})
        self.taken, self.asked, self.known, self.faults = [], [], {}, []
        self.hold = threading.Event()
        self.hold.set()
        super().__init__()

    def answer(self, method, target, headers, body):
        path = urllib.parse.urlsplit(target).path
        if self.authorization and headers.get("Authorization") != self.authorization:
            raise Refusal(401, {"error": "who is it?"})
        if method == "GET" and path.startswith("/status/"):
            attempt = urllib.parse.unquote(path.removeprefix("/status/"))
            self.asked.append(attempt)
            if attempt not in self.known:
                raise Refusal(404, {"error": "no such message"})
            return 200, self.known[attempt], None
        if method != "POST" or path != "/notify":
            raise Refusal(404, {"error": "nothing is here"})
        return 200, *self.take(headers, body)

    def take(self, headers, body):
        id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
        borne = headers.get("webhook-signature", "").split(" ")
        if borne != [webhook_sender.signature(secret, id, at, body) for secret in self.secrets]:
            self.faults.append("a signature is not ours")
            raise Refusal(403, {"error": "not signed"})
        if abs(time.time() - int(at)) > 300:
            self.faults.append("the timestamp")
        if headers.get("Content-Type") != "application/json":
            self.faults.append("the content type")
        plan = self.plan()
        message = {**json.loads(body), "webhook-id": id}
        with self.lock:
            self.taken.append(message)
            number = len(self.taken)
        self.hold.wait()
        return self.make_answer(number), plan

    def count(self):
        with self.lock:
            return len(self.taken)

    @property
    def credentials(self):
        return {"secrets": self.secrets, **({"authorization": self.authorization} if self.authorization else {})}

    def settings(self, **more):
        return {"url": self.url + "/notify", **more}


def told_back(address, profile, event_id, document, secrets=None, timestamp=None, **headers):
    """Posts a callback of the profile's to a node; the answer's status. A document that is bytes goes as it is."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    secrets = secrets or [webhook_sender.secret_of(KEY)]
    sent = {"Content-Type": "application/json", **webhook_sender.headers(secrets, event_id, body, timestamp), **headers}
    return webhook_sender.post(address, body, sent, f"/v1/callbacks/{profile}")[0]
