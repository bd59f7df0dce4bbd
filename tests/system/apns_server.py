"""APNs over HTTP/2: what the real one refuses, it refuses. From Apple's "Sending notification requests to APNs" and
"Establishing a token-based connection to APNs"."""

import collections
import json
import re
import threading
import time
import uuid

from es256 import new_key, pem_of, read_token
from http2_server import Http2Server

# What a device got: its token, the headers, the JSON.
Arrived = collections.namedtuple("Arrived", "device headers content")

TOPIC = "com.example.app"
HOUR = 3600


class Refused(Exception):
    def __init__(self, status, reason, headers=None, **more):
        super().__init__(reason)
        self.status, self.headers, self.content = status, headers or {}, {"reason": reason, **more}


class ApnsServer(Http2Server):
    """`planned` has what the next notifications get, in order: a Refused, "hang" (taken, never answered), "cut" (taken,
    then the connection ends) or "late" (taken, answered after `late_by` seconds). `dead` has the devices that lost the
    app, by token: since when, in milliseconds."""

    def __init__(self, tls):
        self.key = new_key()
        self.key_id, self.team_id = "KEY4567890", "TEAM567890"
        self.lock = threading.Lock()
        self.planned = []
        self.late_by = 5
        self.dead = {}
        self.arrived = []
        self.refused = []  # reasons, in order
        self.tokens = []  # of the provider, each once
        super().__init__(tls)

    def settings(self):
        return {"base_url": self.url, "topic": TOPIC, "key_id": self.key_id, "team_id": self.team_id}

    def credentials(self):
        return {"private_key": pem_of(self.key)}

    def answer(self, headers, body):
        try:
            return self.take(headers, body)
        except Refused as refused:
            self.refused.append(refused.content["reason"])
            return refused.status, refused.headers, json.dumps(refused.content).encode(), 0

    def take(self, headers, body):
        self.check_token(headers.get("authorization", ""))
        device = headers[":path"].removeprefix("/3/device/")
        self.check(headers, device, body)
        with self.lock:
            planned = self.planned.pop(0) if self.planned else None
            if isinstance(planned, Refused):
                raise planned
            self.arrived.append(Arrived(device, headers, json.loads(body)))
        wait = {"late": self.late_by, None: 0}.get(planned, planned)
        return 200, {"apns-id": headers.get("apns-id", str(uuid.uuid4()))}, b"", wait

    def check_token(self, authorization):
        scheme, _, token = authorization.partition(" ")
        if scheme != "bearer":
            raise Refused(403, "MissingProviderToken")
        header, claims = read_token(token, self.key.public_key()) or ({}, {})
        if (header.get("alg"), header.get("kid"), claims.get("iss")) != ("ES256", self.key_id, self.team_id):
            raise Refused(403, "InvalidProviderToken")
        if not -HOUR < claims.get("iat", 0) - time.time() <= 60:
            raise Refused(403, "ExpiredProviderToken")
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
                raise Refused(status, reason)
        if device in self.dead:
            raise Refused(410, "Unregistered", timestamp=self.dead[device])
