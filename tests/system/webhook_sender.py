"""A sender of Standard Webhooks that owes nothing to the program under test."""

import base64
import hashlib
import hmac
import http.client
import time

# The example of Standard Webhooks' reference libraries: a secret, what it signs, and the signature.
PUBLISHED = {
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "timestamp": 1614265330,
    "body": b'{"test": 2432232314}',
    "signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


def secret_of(key):
    return "whsec_" + base64.b64encode(key).decode()


def signature(secret, id, timestamp, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def headers(secrets, id, body, timestamp=None):
    timestamp = int(time.time()) if timestamp is None else timestamp
    return {"webhook-id": id, "webhook-timestamp": str(timestamp),
            "webhook-signature": " ".join(signature(secret, id, timestamp, body) for secret in secrets)}


def post(address, body, sent, path="/hook", seconds=30):
    """The answer's status and Retry-After; no status where the connection ended without an answer."""
    connection = http.client.HTTPConnection(address, timeout=seconds)
    try:
        connection.request("POST", path, body, sent)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Retry-After")
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return None, None
    finally:
        connection.close()
