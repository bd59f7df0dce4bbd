"""APNs over HTTP/2: what the real one refuses, it refuses. From Apple's "Sending notification requests to APNs" and
"Establishing a token-based connection to APNs"."""

import collections
import json
import re
import time
import uuid

from es256 import new_key, pem_of, read_token
from http2_server import Http2Server
from provider_server import Refusal

# What a device got: its token, the headers, the JSON.
Arrived = collections.namedtuple("Arrived", "device headers content")

TOPIC = "com.example.app"
HOUR = 3600


def refusal(status, reason, headers=None, **more):
    return Refusal(status, {"reason": reason, **more}, headers)


class ApnsServer(Http2Server):
    """`dead` has the devices that lost the app, by token: since when, in milliseconds."""

    def __init__(self, tls):
        self.key = new_key()
        self.key_id, self.team_id = "KEY4567890", "TEAM567890"
        self.dead = {}
        self.arrived = []
        self.tokens = []  # of the provider, each once
        super().__init__(tls)

    def settings(self):
        return {"base_url": self.url, "topic": TOPIC, "key_id": self.key_id, "team_id": self.team_id}

    def credentials(self):
        return {"private_key": pem_of(self.key)}

    def answer(self, headers, body):
        self.check_token(headers.get("authorization", ""))
        device = headers[":path"].removeprefix("/3/device/")
        self.check(headers, device, body)
        plan = self.plan()
        with self.lock:
            self.arrived.append(Arrived(device, headers, json.loads(body)))
        return 200, {"apns-id": headers.get("apns-id", str(uuid.uuid4()))}, plan

    def check_token(self, authorization):
        scheme, _, token = authorization.partition(" ")
        if scheme != "bearer":
            raise refusal(403, "MissingProviderToken")
        header, claims = read_token(token, self.key.public_key()) or ({}, {})
        if (header.get("alg"), header.get("kid"), claims.get("iss")) != ("ES256", self.key_id, self.team_id):
            raise refusal(403, "InvalidProviderToken")
        if not -HOUR < claims.get("iat", 0) - time.time() <= 60:
            raise refusal(403, "ExpiredProviderToken")
        with self.lock:
            if token not in self.tokens:
                self.tokens.append(token)

    def check(self, headers, device, body):
        push_type, priority = headers.get("apns-push-type"), headers.get("apns-priority", "10")
        demands = (
            (headers[":method"] == "POST", 405, "MethodNotAllowed"),
            ("apns-topic" in headers, 400, "MissingTopic"),
            (headers.get("apns-topic") == TOPIC, 400, "TopicDisallowed"),
            (re.fullmatch(r"([0-9a-f]{2})+", device), 400, "BadDeviceToken"),
            (push_type in ("alert", "background"), 400, "InvalidPushType"),
            (priority in ("1", "5", "10") and (push_type, priority) != ("background", "10"), 400, "BadPriority"),
            (re.fullmatch(r"\d+", headers.get("apns-expiration", "0")), 400, "BadExpirationDate"),
            (len(headers.get("apns-collapse-id", "").encode()) <= 64, 400, "BadCollapseId"),
            (re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", headers.get("apns-id", str(uuid.uuid4()))), 400,
             "BadMessageId"),
            (len(body) <= 4096, 413, "PayloadTooLarge"),
            (json.loads(body or b"{}").get("aps"), 400, "PayloadEmpty"),
        )
        for holds, status, reason in demands:
            if not holds:
                raise refusal(status, reason)
        if device in self.dead:
            raise refusal(410, "Unregistered", timestamp=self.dead[device])
