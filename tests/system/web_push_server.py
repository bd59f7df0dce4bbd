"""A Web Push service and its browsers: what a real one refuses, it refuses, and what arrives is decrypted with keys only
the browser has. From RFC 8030, 8188, 8291 and 8292, on Python's cryptography package."""

import collections
import json
import os
import re
import time

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from es256 import from_base64url, new_key, point_of, public_key_at, read_token, to_base64url
from provider_server import ProviderServer, Refusal

# What a browser got: its name, the headers with names in lower case, the JSON.
Arrived = collections.namedtuple("Arrived", "browser headers content")

DAY = 24 * 3600


def refusal(status, reason, headers=None):
    return Refusal(status, {"reason": reason}, headers)


class Browser:
    """One subscription and the keys only the browser has."""

    def __init__(self, endpoint, server_key=None):
        self.key = new_key()
        self.secret = os.urandom(16)
        self.endpoint = endpoint
        self.server_key = server_key  # base64url; RFC 8292 section 4: no other server may send
        self.gone = None  # 404 or 410

    def subscription(self):
        return json.dumps({"endpoint": self.endpoint, "expirationTime": None,
                           "keys": {"p256dh": to_base64url(point_of(self.key.public_key())),
                                    "auth": to_base64url(self.secret)}})

    def read(self, body):
        """The plain text of a message's only record."""
        if len(body) < 21 or body[20] != 65:
            raise refusal(400, "no key of the sender")
        salt, record_size, sender = body[:16], int.from_bytes(body[16:20], "big"), body[21:86]
        if len(body) - 86 > record_size:
            raise refusal(400, "more than one record")
        shared = self.key.exchange(ec.ECDH(), public_key_at(sender))
        info = b"WebPush: info\0" + point_of(self.key.public_key()) + sender
        material = derived(shared, self.secret, info, 32)
        key = derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
        try:
            record = AESGCM(key).decrypt(nonce, body[86:], b"").rstrip(b"\0")
        except InvalidTag as fault:
            raise refusal(400, "not for this browser") from fault
        if not record.endswith(b"\2"):
            raise refusal(400, "no last record")
        return record[:-1]


def derived(material, salt, info, size):
    return HKDF(algorithm=hashes.SHA256(), length=size, salt=salt, info=info).derive(material)


class WebPushServer(ProviderServer):
    def __init__(self, tls):
        self.browsers = {}
        self.arrived = []
        self.tokens = []  # of VAPID, each once
        super().__init__(tls)

    def subscribe(self, name, server_key=None):
        browser = self.browsers[name] = Browser(f"{self.url}/p/{name}", server_key)
        return browser

    def answer(self, method, target, headers, body):
        headers = {name.lower(): value for name, value in headers.items()}
        browser = self.browsers.get(target.removeprefix("/p/"))
        if method != "POST" or browser is None or browser.gone:
            raise refusal(browser.gone if browser else 404, "no such subscription")
        self.check_vapid(headers.get("authorization", ""), browser)
        self.check(headers, body)
        content = json.loads(browser.read(body))
        plan = self.plan()
        with self.lock:
            self.arrived.append(Arrived(target.removeprefix("/p/"), headers, content))
            return 201, None, plan, {"Location": f"{self.url}/m/{len(self.arrived)}", "TTL": headers["ttl"]}

    @staticmethod
    def check(headers, body):
        if not re.fullmatch(r"\d+", headers.get("ttl", "")):
            raise refusal(400, "TTL")
        if headers.get("urgency", "normal") not in ("very-low", "low", "normal", "high"):
            raise refusal(400, "Urgency")
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,32}", headers.get("topic", "")):
            raise refusal(400, "Topic")
        if headers.get("content-encoding") != "aes128gcm":
            raise refusal(415, "Content-Encoding")
        if len(body) > 4096:
            raise refusal(413, "over 4096 bytes")

    def check_vapid(self, authorization, browser):
        given = re.fullmatch(r"vapid t=([^,\s]+), ?k=([A-Za-z0-9_-]+)", authorization)
        if not given:
            raise refusal(401, "Authorization")
        if browser.server_key not in (None, given[2]):
            raise refusal(403, "the subscription is for another key")
        read = read_token(given[1], public_key_at(from_base64url(given[2])))
        if read is None:
            raise refusal(403, "the signature")
        header, claims = read
        if not (header.get("alg") == "ES256" and claims.get("aud") == self.url
                and time.time() < claims.get("exp", 0) <= time.time() + DAY
                and re.match(r"mailto:|https:", claims.get("sub", ""))):
            raise refusal(403, "the claims")
        with self.lock:
            if given[1] not in self.tokens:
                self.tokens.append(given[1])
