"""Firebase Cloud Messaging's HTTP v1 API and Google's token endpoint as far as Sluice calls them: they check what the
real ones check, the assertion's RS256 signature by plain arithmetic included."""

import base64
import email.utils
import hashlib
import json
import re
import subprocess
import time
import urllib.parse

from provider_server import ProviderServer, Refusal

SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
# RFC 8017 section 9.2: the DigestInfo of SHA-256 before the digest.
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
RESERVED = re.compile(r"from|message_type|google\..*|gcm\.notification\..*|")
MEMBERS = {"fid", "token", "notification", "data", "android", "apns", "webpush"}


def refusal(status, word, code=None, field=None, headers=None):
    details = []
    if code:
        details.append({"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code})
    if field:
        details.append({"@type": "type.googleapis.com/google.rpc.BadRequest",
                        "fieldViolations": [{"field": field, "description": "Invalid value"}]})
    return Refusal(status, {"error": {"code": status, "message": word, "status": word, "details": details}}, headers)


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True, text=True).stdout


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class FcmServer(ProviderServer):
    """`addresses` has the installations and tokens that are registered. `clock_ahead` is by how many seconds its clock
    goes before the machine's."""

    def __init__(self, project="my-app-1"):
        self.project = project
        self.email = f"push@{project}.iam.gserviceaccount.com"
        self.private_key = openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        modulus = openssl("rsa", "-noout", "-modulus", given=self.private_key)
        self.modulus = int(modulus.strip().partition("=")[2], 16)
        self.clock_ahead = 0
        self.lifetime = 3599  # of tokens, in seconds
        self.planned_tokens = []  # like `planned`, of requests for tokens
        self.tokens = []  # every one that was granted
        self.revoked = 0  # so many of them are good no more
        self.addresses = set()
        self.taken = []  # (name, message) in the order they came
        super().__init__()

    def key_file(self):
        return {"type": "service_account", "project_id": self.project, "private_key_id": "k1",
                "private_key": self.private_key, "client_email": self.email, "token_uri": self.url + "/token"}

    def now(self):
        return time.time() + self.clock_ahead

    def answer(self, method, target, headers, body):
        if (method, target) == ("POST", "/token"):
            form = urllib.parse.parse_qs(body.decode(), strict_parsing=True)
            return 200, self.grant(form), self.plan(self.planned_tokens)
        if (method, target) != ("POST", f"/v1/projects/{self.project}/messages:send"):
            raise refusal(404, "NOT_FOUND")
        if headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens[self.revoked:]:
            raise refusal(401, "UNAUTHENTICATED")
        return 200, *self.take(json.loads(body))

    def grant(self, form):
        if form.get("grant_type") != ["urn:ietf:params:oauth:grant-type:jwt-bearer"]:
            raise Refusal(400, {"error": "unsupported_grant_type"})
        if not self.is_good(*form["assertion"][0].split(".")):
            raise Refusal(400, {"error": "invalid_grant"}, {"Date": email.utils.formatdate(self.now(), usegmt=True)})
        with self.lock:
            self.tokens.append(f"ya29.{len(self.tokens) + 1}")
            return {"access_token": self.tokens[-1], "expires_in": self.lifetime, "token_type": "Bearer"}

    def revoke(self):
        self.revoked = len(self.tokens)

    def is_good(self, header, claims, signature):
        size = (self.modulus.bit_length() + 7) // 8
        found = pow(int.from_bytes(decoded(signature), "big"), 65537, self.modulus).to_bytes(size, "big")
        info = SHA256_INFO + hashlib.sha256(f"{header}.{claims}".encode()).digest()
        if found != b"\0\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info:
            return False
        said = json.loads(decoded(claims))
        now = self.now()
        return (json.loads(decoded(header))["alg"] == "RS256" and said["iss"] == self.email and said["scope"] == SCOPE
                and said["aud"] == self.url + "/token" and said["iat"] - 300 <= now <= said["exp"] + 300
                and said["exp"] - said["iat"] <= 3600)

    def take(self, body):
        message = body.get("message", {})
        self.check(body, message)
        address = message.get("fid") or message.get("token")
        if address not in self.addresses:
            raise refusal(404, "NOT_FOUND", "UNREGISTERED")
        plan = self.plan()
        with self.lock:
            name = f"projects/{self.project}/messages/0:{len(self.taken) + 1}%31bd1c96"
            self.taken.append((name, message))
            return {"name": name}, plan

    @staticmethod
    def check(body, message):
        def demand(holds, field):
            if not holds:
                raise refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", field)

        demand(set(body) == {"message"} and set(message) <= MEMBERS, "message")
        demand(("fid" in message) != ("token" in message), "message")
        data = message.get("data", {})
        demand(all(isinstance(value, str) for value in data.values()), "message.data")
        demand(not any(RESERVED.fullmatch(key) for key in data), "message.data")
        texts = list(data.items()) + list(message.get("notification", {}).items())
        demand(sum(len(key.encode()) + len(value.encode()) for key, value in data.items()) <= 4096 and texts,
               "message.data")
        demand(set(message.get("notification", {})) <= {"title", "body"}, "message.notification")
        android = message.get("android", {})
        demand(android.get("priority") in (None, "HIGH", "NORMAL"), "message.android.priority")
        ttl = re.fullmatch(r"(\d+)s", android.get("ttl", "0s"))
        demand(ttl and int(ttl[1]) <= 2419200, "message.android.ttl")
        for part in ("apns", "webpush"):
            headers = message.get(part, {}).get("headers", {})
            demand(all(isinstance(value, str) for value in headers.values()), f"message.{part}.headers")
