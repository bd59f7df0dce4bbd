"""Tokens that are signed by ES256 (RFC 7515, 7518), and their keys in the texts they travel in. Needs Python's
cryptography package."""

import base64
import json
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("foreign characters")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def pem_of(key):
    """PKCS#8, not encrypted."""
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                             serialization.NoEncryption()).decode()


def public_key_at(point):
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def read_token(token, public_key):
    """Header and claims; nothing where the key did not sign them."""
    try:
        header, claims, signature = token.split(".")
        raw = from_base64url(signature)
        if len(raw) != 64:
            return None
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public_key.verify(der, f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        return json.loads(from_base64url(header)), json.loads(from_base64url(claims))
    except (ValueError, InvalidSignature):
        return None
