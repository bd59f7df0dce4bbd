"""Amazon SES as far as Sluice calls it: it checks what SES checks (the signature by its own reading of AWS Signature
Version 4, its age, the message's fields) and answers as SES does, or as badly as it is told to."""

import datetime
import email.utils
import hashlib
import hmac
import http.server
import json
import re
import threading
import time
import urllib.parse

from target import Server

PATH = "/v2/email/outbound-emails"
AUTHORIZATION = re.compile(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, "
                           r"SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})")
TAG = re.compile(r"[A-Za-z0-9_-]{1,256}")
HEADER = re.compile(r"[!-9;-@A-~]{1,126}")
HEADER_VALUE = re.compile(r"[ -~]{0,870}")
KNOWN = {"FromEmailAddress", "Destination", "ReplyToAddresses", "FeedbackForwardingEmailAddress", "Content", "EmailTags",
         "ConfigurationSetName"}


class Refusal(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


def keyed(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class SesServer:
    """`secrets` has the secret access key of each access key id. `clock_ahead` is by how many seconds its clock goes
    before the machine's. `planned` has what the next calls get, in order: a Refusal, "hang" (taken, never answered),
    "cut" (taken, then the connection ends) or "late" (taken, answered after `late_by` seconds)."""

    def __init__(self, region="eu-central-1", secrets=None, token=None):
        self.region, self.token = region, token
        self.secrets = secrets or {"AKIDEXAMPLE": "secret"}
        self.clock_ahead = 0
        self.late_by = 5
        self.planned = []
        self.taken = []  # (MessageId, body) of every message, in the order they came
        self.refused = []  # (code, message)
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        ses = self

        class Handler(RequestHandler):
            def __init__(self, *arguments):
                self.ses = ses
                super().__init__(*arguments)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    def now(self):
        return datetime.datetime.fromtimestamp(time.time() + self.clock_ahead, datetime.timezone.utc)

    def take(self, body):
        with self.lock:
            message_id = f"0100018f{len(self.taken) + 1:08x}-sluice-000000"
            self.taken.append((message_id, body))
            return message_id

    def check_signature(self, method, target, headers, body):
        found = AUTHORIZATION.fullmatch(headers.get("Authorization", ""))
        if not found:
            raise Refusal(403, "IncompleteSignature", "Authorization header is not of AWS Signature Version 4")
        key_id, day, region, service, signed, signature = found.groups()
        if key_id not in self.secrets:
            raise Refusal(403, "UnrecognizedClientException", "The security token included in the request is invalid.")
        names = signed.split(";")
        date = headers.get("X-Amz-Date", "")
        if names != sorted(names) or not {"host", "x-amz-date"} <= set(names) or date[:8] != day:
            raise Refusal(403, "IncompleteSignature", "'Host' and 'X-Amz-Date' must be signed")
        if (region, service) != (self.region, "ses"):
            raise Refusal(403, "InvalidSignatureException", "Credential should be scoped to a valid region.")
        if headers.get("X-Amz-Security-Token") != self.token or (self.token and "x-amz-security-token" not in names):
            raise Refusal(403, "UnrecognizedClientException", "The security token included in the request is invalid.")
        self.check_age(date)
        path, _, query = target.partition("?")
        lines = "".join(f"{name}:{' '.join(headers[name].split())}\n" for name in names)
        canonical = "\n".join([method, urllib.parse.quote(path, safe="/~"), query, lines, signed,
                               hashlib.sha256(body).hexdigest()])
        scope = f"{day}/{region}/{service}/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = ("AWS4" + self.secrets[key_id]).encode()
        for part in (day, region, service, "aws4_request"):
            key = keyed(key, part)
        if not hmac.compare_digest(keyed(key, text).hex(), signature):
            raise Refusal(403, "SignatureDoesNotMatch", "The request signature we calculated does not match the "
                                                        "signature you provided.")

    def check_age(self, date):
        signed_at = datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
        difference = (self.now() - signed_at).total_seconds()
        if difference > 300:
            raise Refusal(403, "InvalidSignatureException", f"Signature expired: {date} is now earlier than now - 5 min.")
        if difference < -300:
            raise Refusal(403, "InvalidSignatureException", f"Signature not yet current: {date} is still later than now "
                                                            "+ 5 min.")

    @staticmethod
    def check_message(message):
        def demand(holds, what):
            if not holds:
                raise Refusal(400, "BadRequestException", what)

        demand(set(message) <= KNOWN, "unknown member")
        addresses = [one for kind in message["Destination"].values() for one in kind]
        demand(0 < len(addresses) <= 50 and all(one.isascii() and "@" in one for one in addresses), "Destination")
        simple = message["Content"]["Simple"]
        demand(simple["Subject"]["Data"] and set(simple["Body"]) <= {"Text", "Html"} and simple["Body"], "Content")
        headers = simple.get("Headers", [])
        demand(len(headers) <= 15 and all(HEADER.fullmatch(one["Name"]) and HEADER_VALUE.fullmatch(one["Value"])
                                          for one in headers), "Headers")
        demand(all(TAG.fullmatch(one["Name"]) and TAG.fullmatch(one["Value"]) for one in message.get("EmailTags", [])),
               "EmailTags")


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body go as two writes
    ses = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            if self.path.partition("?")[0] != PATH:
                raise Refusal(404, "UnknownOperationException", "There is no such operation")
            self.ses.check_signature("POST", self.path, self.headers, body)
            message = json.loads(body)
            self.ses.check_message(message)
            plan = self.ses.planned.pop(0) if self.ses.planned else None
            if isinstance(plan, Refusal):
                raise plan
            self.answer_taken(self.ses.take(message), plan)
        except Refusal as refusal:
            with self.ses.lock:
                self.ses.refused.append((refusal.code, refusal.message))
            self.answer(refusal.status, {"message": refusal.message}, {"x-amzn-ErrorType": refusal.code})

    def answer_taken(self, message_id, plan):
        if plan in ("hang", "cut"):
            self.ses.stopped.wait(0 if plan == "cut" else None)
            self.close_connection = True
            return
        if plan == "late":
            self.ses.stopped.wait(self.ses.late_by)
        self.answer(200, {"MessageId": message_id}, {})

    def answer(self, status, content, headers):
        body = json.dumps(content).encode()
        try:
            self.send_response_only(status)
            self.send_header("Date", email.utils.format_datetime(self.ses.now(), usegmt=True))
            for name, value in {**headers, "Content-Type": "application/json", "Content-Length": len(body)}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(body)
        except OSError:  # the client has left
            self.close_connection = True

    def log_message(self, *_):
        pass
