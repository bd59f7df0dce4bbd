"""A node whose mail goes by the stand-in of Amazon SES, and what that tells of messages by the stand-in of SNS."""

import datetime
import pathlib
import tempfile

import world
from doubts import waits
from notifying import Notifying
from ses_server import SesServer
from sns_server import SnsServer, post

PUBLIC = "https://sluice.example.com"
MAIL = {"subject": "Your order", "text": "It is there."}
NOON = datetime.datetime(2026, 6, 1, 12, tzinfo=datetime.timezone.utc)


class Sns(world.SystemTest):

    def stand(self, engine="sqlite", pinned=True, callbacks=None):
        self.sent = SesServer()
        self.addCleanup(self.sent.close)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sns = SnsServer(self.folder)
        self.addCleanup(self.sns.close)
        n = Notifying(self, engine, **world.merged(waits(20), {
            "calls": self.sns.settings(),
            "callbacks": {"public_url": PUBLIC, "certificate_retry": "1s", **(callbacks or {})}}))
        pin = {"signing_authorities": self.sns.authority.read_text()} if pinned else {}
        profile = n.profile("mail", "ses", {"base_url": self.sent.url, "region": "eu-central-1",
                                            "from": "news@example.com", "topics": [self.sns.topic], **pin},
                            {"access_key_id": "AKIDEXAMPLE", "secret_access_key": "secret"})
        n.route("news", "mail")
        self.address = n.here(f"{PUBLIC}/v1/callbacks/{profile}", PUBLIC)
        return n

    def send(self, n, contact):
        made = n.ended(n.send(contact, "news", **MAIL), "accepted")
        return made["id"], made["history"][0]["provider_message_id"]

    def post(self, envelope, status=204):
        self.assertEqual(post(self.address, envelope), status)

    def tell(self, message_id, word, part, contents, after=0, **how):
        """SES's word of a message; it happened so many minutes after noon."""
        self.post(self.sns.envelope(event(message_id, word, part, contents, after), **how))


def event(message_id, word, part, contents, after=0):
    at = (NOON + datetime.timedelta(minutes=after)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return {"eventType": word, "mail": {"messageId": message_id, "destination": ["jane@example.com"]},
            part: {"timestamp": at, **contents}}


def delivery(message_id, after=0):
    return message_id, "Delivery", "delivery", {"recipients": ["jane@example.com"]}, after


def bounce(message_id, kind, after=0):
    return message_id, "Bounce", "bounce", {"bounceType": kind, "bounceSubType": "General", "bouncedRecipients": [
        {"emailAddress": "jane@example.com", "status": "5.1.1"}]}, after


def complaint(message_id, after=0):
    return message_id, "Complaint", "complaint", {"complaintFeedbackType": "abuse", "complainedRecipients": [
        {"emailAddress": "jane@example.com"}]}, after
