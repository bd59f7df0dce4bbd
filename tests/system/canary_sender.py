"""Profiles of all seven providers, contact points they reach and a message, with whatever of it is nobody else's to see."""

import base64
import subprocess

import world
from echo_server import TOKEN
from fcm_server import openssl
from webhook_sender import secret_of

LOCAL, DOMAIN, PHONE = "Canary.Contact.Q8zV4", "canary-q8zv4.example.org", "+442079460958"
EMAIL = f"{LOCAL}@{DOMAIN}"
CONTENT = {"subject": "Canary subject Q8zV4", "title": "Canary title Q8zV4", "text": "Canärie in the text Q8zV4",
           "html": "<p>Canary in HTML Q8zV4</p>", "data": {"canary_member_q8zv4": "canary value q8zv4"}}
# 32 bytes each, written as hex into the settings.
SEALING, FINGERPRINTS = "canary key that seals, Q8zV4 ...", "canary key that finds, Q8zV4 ..."
KEYS = {"keys": ["test:" + SEALING.encode().hex()], "fingerprint_keys": ["finds:" + FINGERPRINTS.encode().hex()]}


def private_key(algorithm, option):
    return openssl("genpkey", "-algorithm", algorithm, "-pkeyopt", option)


def curve_key():
    return private_key("EC", "ec_paramgen_curve:P-256")


def subscription(endpoint, auth):
    """What a browser gives for web push."""
    point = subprocess.run(["openssl", "pkey", "-pubout", "-outform", "DER"], input=curve_key().encode(),
                           capture_output=True, check=True).stdout[-65:]
    return {"endpoint": endpoint, "keys": {"p256dh": base64.urlsafe_b64encode(point).rstrip(b"=").decode(), "auth": auth}}


class Sender:
    """`secrets` has each of them by its name. `url` is where the providers are."""

    def __init__(self, url):
        auth = base64.urlsafe_b64encode(b"canary-auth-q8zv")[:22].decode()
        self.endpoint = f"{url}/push/canary-endpoint-q8zv4"
        tokens = {"other": "canary-other-contact-q8zv4", "fcm_token": "CanaryFcmToken-Q8zV4:APA91b",
                  "fcm_installation": "cCanaryInstallQ8zV4abc", "apns_token": "ca0a41e5" * 8}
        self.addresses = {"email": EMAIL, "phone": PHONE, **tokens, "web_push": subscription(self.endpoint, auth)}
        self.webhook_secret = secret_of(b"canary webhook secret q8zv4 32 b")
        self.twilio = "canaryauthtokenq8zv4canaryautht0"
        self.login = {"username": "CanaryUserName-Q8zV4", "password": "CanaryPassword-Q8zV4"}
        fcm, apns, vapid = private_key("RSA", "rsa_keygen_bits:2048"), curve_key(), curve_key()
        # Name: provider, settings, credentials, kinds of contact points.
        self.profiles = {
            "ses": ("ses", {"region": "eu-central-1", "from": "news@example.com", "base_url": url},
                    {"access_key_id": "AKIACANARYQ8ZV4", "secret_access_key": "CanarySecretAccessKey/Q8zV4"}, ["email"]),
            "twilio": ("twilio", {"base_url": url, "account_sid": "AC" + "1" * 32, "from": "+15005550006"},
                       {"auth_token": self.twilio}, ["phone"]),
            "fcm": ("fcm", {"base_url": url},
                    {"type": "service_account", "project_id": "canary-1", "private_key_id": "k1", "private_key": fcm,
                     "client_email": "push@canary-1.iam.gserviceaccount.com", "token_uri": url + "/token"},
                    ["fcm_token", "fcm_installation"]),
            "apns": ("apns", {"base_url": url, "topic": "com.example.app", "key_id": "ABCDE12345",
                              "team_id": "TEAM123456"}, {"private_key": apns}, ["apns_token"]),
            "web-push": ("web_push", {"subject": "mailto:push@example.com"}, {"private_key": vapid}, ["web_push"]),
            "webhook": ("webhook", {"url": url + "/notify"},
                        {"secrets": [self.webhook_secret], "authorization": "Bearer Canary-Authorization-Q8zV4"},
                        ["other", "email"])}
        self.secrets = {
            "local part": LOCAL, "domain": DOMAIN, "phone number": PHONE[1:], "endpoint": "canary-endpoint-q8zv4",
            "auth secret": auth, **tokens, "subject": CONTENT["subject"], "title": CONTENT["title"],
            "text": CONTENT["text"], "html": CONTENT["html"], "data's name": "canary_member_q8zv4",
            "data's value": "canary value q8zv4", "key id of SES": "AKIACANARYQ8ZV4",
            "key of SES": "CanarySecretAccessKey/Q8zV4", "key of Twilio": self.twilio,
            "key of FCM": fcm.splitlines()[9], "key of APNs": apns.splitlines()[1], "key of VAPID": vapid.splitlines()[1],
            "webhook secret": "canary webhook secret q8zv4 32 b", "authorization": "Canary-Authorization-Q8zV4",
            "user name": self.login["username"], "password": self.login["password"], "access token": TOKEN,
            "sealing key": SEALING, "fingerprint key": FINGERPRINTS, "token of the API": world.API["token"]}

    def echoed(self):
        """What a provider's answer may have in it of what it was asked."""
        return [EMAIL, PHONE, self.endpoint, *[text for text in self.secrets.values() if text.isascii()]]


def content_for(provider):
    """As much of the message as that provider takes."""
    names = {"ses": ("subject", "text", "html"), "smtp": ("subject", "text", "html"), "twilio": ("text",)}
    return {name: CONTENT[name] for name in names.get(provider, ("title", "text", "data"))}
