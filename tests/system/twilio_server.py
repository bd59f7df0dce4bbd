"""Twilio's Messages API as far as Sluice calls it, and its status callbacks: it checks what Twilio checks, keeps the
messages it took, and signs callbacks by its own reading of "Secure webhooks"."""

import base64
import email.utils
import hashlib
import hmac
import re
import time
import urllib.error
import urllib.parse
import urllib.request

from provider_server import ProviderServer, Refusal

PHONE = re.compile(r"\+[1-9]\d{1,14}")
KNOWN = {"To", "From", "MessagingServiceSid", "Body", "StatusCallback", "ValidityPeriod"}


def refusal(status, code, message):
    return Refusal(status, {"code": code, "message": message, "status": status,
                            "more_info": f"https://www.twilio.com/docs/errors/{code}"})


def signature(token, url, parameters):
    text = url + "".join(name + value for name, value in sorted(set(parameters)))
    return base64.b64encode(hmac.new(token.encode(), text.encode(), hashlib.sha1).digest()).decode()


class TwilioServer(ProviderServer):
    """`keys` has the secret of each username that may call. `unsubscribed` has the numbers that said STOP."""

    def __init__(self, account="AC" + "1" * 32, token="token", senders=("+15005550006",)):
        self.account, self.token, self.senders = account, token, senders
        self.keys = {account: token}
        self.unsubscribed = set()
        self.messages = []  # Message resources, the newest last
        self.callbacks = {}  # the address each message's callbacks go to
        super().__init__()

    def answer(self, method, target, headers, body):
        self.check_caller(headers.get("Authorization", ""))
        path, _, query = target.partition("?")
        place = f"/2010-04-01/Accounts/{self.account}/Messages"
        if path == place + ".json" and method == "POST":
            return 201, *self.create(headers, body)
        if path == place + ".json" and method == "GET":
            return 200, self.list(dict(urllib.parse.parse_qsl(query, strict_parsing=True))), None
        if method == "GET" and path.startswith(place + "/") and path.endswith(".json"):
            sid = path[len(place) + 1:-len(".json")]
            found = [one for one in self.messages if one["sid"] == sid]
            if found:
                return 200, found[0], None
        raise refusal(404, 20404, f"The requested resource {path} was not found")

    def check_caller(self, authorization):
        scheme, _, text = authorization.partition(" ")
        name, _, secret = base64.b64decode(text).decode().partition(":")
        if scheme != "Basic" or self.keys.get(name) != secret:
            raise refusal(401, 20003, "Authenticate")

    def create(self, headers, body):
        if headers.get("Content-Type") != "application/x-www-form-urlencoded":
            raise refusal(400, 20001, "Content-Type is no form")
        pairs = urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True, errors="strict")
        form = dict(pairs)
        self.check(form, len(form) == len(pairs))
        plan = self.plan()
        date = email.utils.formatdate(time.time()).replace("-0000", "+0000")
        with self.lock:
            made = {"sid": f"SM{len(self.messages) + 1:032x}", "account_sid": self.account, "status": "queued",
                    "direction": "outbound-api", "to": form["To"], "from": form.get("From"), "body": form["Body"],
                    "messaging_service_sid": form.get("MessagingServiceSid"), "error_code": None,
                    "date_created": date, "date_updated": date, "date_sent": None}
            self.messages.append(made)
            self.callbacks[made["sid"]] = form.get("StatusCallback")
        return made, plan

    def check(self, form, once):
        if not once or not set(form) <= KNOWN:
            raise refusal(400, 20001, "a parameter is unknown or there twice")
        if not form.get("To"):
            raise refusal(400, 21604, "A 'To' phone number is required")
        if not PHONE.fullmatch(form["To"]):
            raise refusal(400, 21211, f"The 'To' number {form['To']} is not a valid phone number.")
        if form["To"] in self.unsubscribed:
            raise refusal(400, 21610, "Attempt to send to unsubscribed recipient")
        if ("From" in form) == ("MessagingServiceSid" in form):
            raise refusal(400, 21603, "A 'From' phone number is required")
        if "From" in form and form["From"] not in self.senders:
            raise refusal(400, 21606, "The 'From' phone number is not valid for your account")
        if not form.get("Body"):
            raise refusal(400, 21602, "Message body is required")
        if len(form["Body"]) > 1600:
            raise refusal(400, 21617, "The concatenated message body exceeds the 1600 character limit")
        if not 1 <= int(form.get("ValidityPeriod", 36000)) <= 36000:
            raise refusal(400, 20001, "ValidityPeriod is out of range")

    def list(self, asked):
        """By recipient and the day it was sent. The newest first."""
        if not set(asked) <= {"To", "DateSent>", "PageSize"} or not re.fullmatch(r"\d{4}-\d\d-\d\d", asked["DateSent>"]):
            raise refusal(400, 20001, "a filter is unknown")
        with self.lock:
            found = [one for one in reversed(self.messages) if one["to"] == asked["To"]
                     and email.utils.parsedate_to_datetime(one["date_created"]).strftime("%Y-%m-%d")
                     >= asked["DateSent>"]]
        size = int(asked.get("PageSize", 50))
        return {"messages": found[:size], "next_page_uri": None if len(found) <= size else "/2010-04-01/next"}

    def tell(self, sid, status, error_code=None, to=None, token=None):
        """Sets the message's status and posts the callback, signed over the address it was given; `to` is where that
        leads here. The answer's status."""
        message = next(one for one in self.messages if one["sid"] == sid)
        message.update(status=status, error_code=error_code)
        parameters = [("AccountSid", self.account), ("MessageSid", sid), ("MessageStatus", status), ("SmsSid", sid),
                      ("SmsStatus", status), ("To", message["to"]), ("From", message["from"] or ""),
                      ("ApiVersion", "2010-04-01")]
        if error_code:
            parameters.append(("ErrorCode", str(error_code)))
        url = self.callbacks[sid]
        request = urllib.request.Request(to or url, urllib.parse.urlencode(parameters).encode(), method="POST", headers={
            "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
            "X-Twilio-Signature": signature(token or self.token, url, parameters)})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def count(self):
        with self.lock:
            return len(self.messages)
