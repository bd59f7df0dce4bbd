"""Stand-ins for a Web Push service with its browsers and for APNs, over TLS: what a real one refuses, they refuse.

They are written from RFC 8030, 8188, 8291 and 8292 and from Apple's documentation, on Python's cryptography package."""

import base64
import collections
import http.server
import json
import os
import re
import ssl
import threading
import time
import uuid

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

# What a device or browser got: the path it came to, the headers with names in lower case, the JSON.
Arrived = collections.namedtuple("Arrived", "path headers content")
# What is answered instead of the truth; `arrives` says whether the message is taken all the same.
Told = collections.namedtuple("Told", "status headers body arrives", defaults=({}, b"", False))

DAY = 24 * 3600


class Refused(Exception):
    """By status and, of APNs, by reason."""

    def __init__(self, status, reason, **more):
        super().__init__(reason)
        self.status, self.reason, self.more = status, reason, more


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("foreign characters")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def read_token(token, public_key, status, reason):
    """Header and claims of an ES256 token; refused where the key did not sign it."""
    try:
        header, claims, signature = token.split(".")
        raw = from_base64url(signature)
        if len(raw) != 64:
            raise ValueError("r and s have 32 bytes each")
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public_key.verify(der, f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        return json.loads(from_base64url(header)), json.loads(from_base64url(claims))
    except (ValueError, InvalidSignature) as fault:
        raise Refused(status, reason) from fault


class Browser:
    """One subscription and the keys only the browser has."""

    def __init__(self, endpoint, server_key=None):
        self.key = ec.generate_private_key(ec.SECP256R1())
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
            raise Refused(400, "no key of the sender")
        salt, record_size, sender = body[:16], int.from_bytes(body[16:20], "big"), body[21:86]
        if len(body) - 86 > record_size:
            raise Refused(400, "more than one record")
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point_of(self.key.public_key()) + sender
        material = derived(shared, self.secret, info, 32)
        key = derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
        try:
            record = AESGCM(key).decrypt(nonce, body[86:], b"").rstrip(b"\0")
        except InvalidTag as fault:
            raise Refused(400, "not for this browser") from fault
        if not record.endswith(b"\2"):
            raise Refused(400, "no last record")
        return record[:-1]


def derived(material, salt, info, size):
    return HKDF(algorithm=hashes.SHA256(), length=size, salt=salt, info=info).derive(material)


class PushServices:
    """`told` maps a path to what is answered there instead; `clock` is added to the time."""

    def __init__(self, certificate, key):
        self.lock = threading.Lock()
        self.browsers, self.told, self.kept, self.dead = {}, {}, [], {}
        self.apps = {}  # of APNs, topic to (key id, team id, public key)
        self.tokens = []  # of APNs, each provider token once
        self.clock = 0
        services = self

        class Handler(PushHandler):
            pass

        Handler.services = services
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def subscribe(self, name, server_key=None):
        browser = self.browsers[f"/p/{name}"] = Browser(f"{self.url}/p/{name}", server_key)
        return browser

    def arrived(self, path=None):
        with self.lock:
            return [one for one in self.kept if path in (None, one.path)]

    def keep(self, path, headers, content):
        with self.lock:
            self.kept.append(Arrived(path, headers, content))

    def now(self):
        return time.time() + self.clock

    def web_push(self, path, headers, body):
        browser = self.browsers.get(path)
        if browser is None or browser.gone:
            raise Refused(browser.gone if browser else 404, "no such subscription")
        self.check_vapid(headers.get("authorization", ""), browser)
        if not re.fullmatch(r"\d+", headers.get("ttl", "")):
            raise Refused(400, "TTL")
        if headers.get("urgency", "normal") not in ("very-low", "low", "normal", "high"):
            raise Refused(400, "Urgency")
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,32}", headers.get("topic", "")):
            raise Refused(400, "Topic")
        if headers.get("content-encoding") != "aes128gcm":
            raise Refused(415, "Content-Encoding")
        if len(body) > 4096:
            raise Refused(413, "over 4096 bytes")
        self.keep(path, headers, json.loads(browser.read(body)))
        return 201, {"Location": f"{self.url}/m/{uuid.uuid4()}", "TTL": headers["ttl"]}

    def check_vapid(self, authorization, browser):
        given = re.fullmatch(r"vapid t=([^,\s]+), ?k=([A-Za-z0-9_-]+)", authorization)
        if not given:
            raise Refused(401, "Authorization")
        if browser.server_key not in (None, given[2]):
            raise Refused(403, "the subscription is for another key")
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(given[2]))
        header, claims = read_token(given[1], key, 403, "the signature")
        good = (header.get("alg") == "ES256" and claims.get("aud") == self.url
                and self.now() < claims.get("exp", 0) <= self.now() + DAY
                and re.match(r"mailto:|https:", claims.get("sub", "")))
        if not good:
            raise Refused(403, "the claims")

    def apns(self, path, headers, body):
        topic = headers.get("apns-topic")
        if topic is None:
            raise Refused(400, "MissingTopic")
        if topic not in self.apps:
            raise Refused(400, "TopicDisallowed")
        self.check_provider_token(headers.get("authorization", ""), *self.apps[topic])
        token = path.removeprefix("/3/device/")
        if not re.fullmatch(r"([0-9a-f]{2})+", token):
            raise Refused(400, "BadDeviceToken")
        if token in self.dead:
            raise Refused(410, "Unregistered", timestamp=self.dead[token])
        push_type, priority = headers.get("apns-push-type"), headers.get("apns-priority", "10")
        if push_type not in ("alert", "background"):
            raise Refused(400, "InvalidPushType")
        if priority not in ("1", "5", "10") or (push_type, priority) == ("background", "10"):
            raise Refused(400, "BadPriority")
        if not re.fullmatch(r"\d+", headers.get("apns-expiration", "0")):
            raise Refused(400, "BadExpirationDate")
        if len(headers.get("apns-collapse-id", "").encode()) > 64:
            raise Refused(400, "BadCollapseId")
        sent_id = headers.get("apns-id", str(uuid.uuid4()))
        if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", sent_id):
            raise Refused(400, "BadMessageId")
        if len(body) > 4096:
            raise Refused(413, "PayloadTooLarge")
        if not json.loads(body or b"{}").get("aps"):
            raise Refused(400, "PayloadEmpty")
        self.keep(path, headers, json.loads(body))
        return 200, {"apns-id": sent_id}

    def check_provider_token(self, authorization, key_id, team_id, public_key):
        scheme, _, token = authorization.partition(" ")
        if scheme != "bearer":
            raise Refused(403, "MissingProviderToken")
        header, claims = read_token(token, public_key, 403, "InvalidProviderToken")
        if (header.get("alg"), header.get("kid"), claims.get("iss")) != ("ES256", key_id, team_id):
            raise Refused(403, "InvalidProviderToken")
        if not -3600 < claims.get("iat", 0) - self.now() <= 60:
            raise Refused(403, "ExpiredProviderToken")
        with self.lock:
            if token not in self.tokens:
                self.tokens.append(token)


class PushHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    services = None

    def log_message(self, *_):
        pass

    def do_POST(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        told = self.services.told.get(self.path)
        status, more, text = 0, {}, b""
        if told is None or told.arrives:
            status, more, text = self.truth(headers, body)
        if told is not None:
            status, more, text = told.status, told.headers, told.body
        self.send_response(status)
        for name, value in {**more, "Content-Length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def truth(self, headers, body):
        is_apns = self.path.startswith("/3/device/")
        try:
            status, more = (self.services.apns if is_apns else self.services.web_push)(self.path, headers, body)
        except Refused as refused:
            return refused.status, {}, json.dumps({"reason": refused.reason, **refused.more}).encode()
        return status, more, b""
