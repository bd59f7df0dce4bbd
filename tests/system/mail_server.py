"""A mail server for tests: takes what RFC 5321 and RFC 5322 allow, notes what a strict one would refuse, plays faults.

`replies` has a reply by the command's verb, by GREETING or MESSAGE (the final dot), instead of the usual one; "hang" and
"close" do what they say, and "late" gives the usual one after `late_by` seconds."""

import base64
import email
import email.policy
import re
import socket
import ssl
import threading

LINE_BYTES_MAX = 998  # RFC 5322 section 2.1.1, without its CRLF
ONCE = ("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type")


class Ended(Exception):
    """The session is over."""


class Message:
    """One that was taken, with its envelope."""

    def __init__(self, sender, recipients, raw):
        self.sender, self.recipients, self.raw = sender, recipients, raw
        self.mail = email.message_from_bytes(raw, policy=email.policy.SMTP)

    def text(self, kind):
        """The part of type text/<kind>, decoded; None where there is none."""
        for part in self.mail.walk():
            if part.get_content_type() == f"text/{kind}":
                return part.get_content()
        return None

    def faults(self):
        head = self.raw.split(b"\r\n\r\n", 1)[0]
        if any(byte > 126 or byte < 9 for byte in head):
            yield "a header is not ASCII"
        if re.search(rb"(?<!\r)\n|\r(?!\n)|\x00", self.raw):
            yield "a bare CR, a bare LF or NUL"
        if any(len(line) > LINE_BYTES_MAX for line in self.raw.split(b"\r\n")):
            yield "a line is too long"
        for name in ONCE:
            if len(self.mail.get_all(name, [])) != 1:
                yield f"{name} does not stand once"
        for part in self.mail.walk():
            yield from (f"MIME: {type(defect).__name__}" for defect in part.defects)

    def bounced(self, action="failed", status="5.1.1", whole=True):
        """The delivery status notification (RFC 3464) a server would send to the envelope's sender."""
        returned = self.raw if whole else self.raw.split(b"\r\n\r\n", 1)[0] + b"\r\n\r\n"
        kind = "message/rfc822" if whole else "text/rfc822-headers"
        return "\r\n".join([
            "From: MAILER-DAEMON@mail.example", f"To: {self.sender}", "Date: Mon, 30 Nov 2026 22:00:00 +0000",
            "MIME-Version: 1.0", "Content-Type: multipart/report; report-type=delivery-status; boundary=bounce", "",
            "--bounce", "Content-Type: text/plain", "", "The message could not be delivered.", "",
            "--bounce", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mail.example", "",
            f"Final-Recipient: rfc822; {self.recipients[0]}", f"Action: {action}", f"Status: {status}", "",
            "--bounce", f"Content-Type: {kind}", "", ""]).encode() + returned + b"\r\n--bounce--\r\n"


class MailServer:
    """On 127.0.0.1, a thread a session. `certificate`: (certificate file, key file), for STARTTLS or from the start."""

    def __init__(self, certificate=None, from_the_start=False, credentials=None, replies=None):
        self.tls = None
        if certificate:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(*certificate)
        self.from_the_start, self.credentials, self.replies = from_the_start, credentials, replies or {}
        self.late_by = 1
        self.messages, self.commands, self.faults = [], [], []
        self.released = threading.Event()  # what hangs goes on hanging until then
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.released.set()
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            Session(self, client).run()
        except (Ended, OSError):
            pass


class Session:

    def __init__(self, server, client):
        self.server, self.client = server, client
        self.secure = self.known = False
        self.sender, self.recipients = None, []
        if server.from_the_start:
            self.secure_it()
        self.lines = self.client.makefile("rb")

    def secure_it(self):
        self.client = self.server.tls.wrap_socket(self.client, server_side=True)
        self.secure = True

    def line(self):
        line = self.lines.readline(1 << 20)
        if not line.endswith(b"\r\n"):
            self.client.close()
            raise Ended
        return line[:-2]

    def say(self, text):
        self.client.sendall(text.encode() + b"\r\n")

    def answer(self, verb, usual):
        """True when the usual reply was given."""
        reply = self.server.replies.get(verb, usual)
        if reply == "late":
            self.server.released.wait(self.server.late_by)
            reply = usual
        if reply == "hang":
            self.server.released.wait()
        if reply in ("hang", "close"):
            self.client.close()
            raise Ended
        self.say(reply)
        return reply == usual

    def run(self):
        self.answer("GREETING", "220 mail.example ESMTP")
        while True:
            command = self.line().decode("ascii", "replace")
            verb, _, rest = command.partition(" ")
            self.server.commands.append(command if verb.upper() != "AUTH" else "AUTH")
            getattr(self, "on_" + verb.lower(), self.on_unknown)(rest)

    def refuse(self, reply, fault):
        self.server.faults.append(fault)
        self.say(reply)

    def on_unknown(self, _):
        self.refuse("500 5.5.2 not understood", "an unknown command")

    def on_ehlo(self, name):
        if not re.fullmatch(r"[A-Za-z0-9.-]+|\[[^\]]+\]", name):
            self.server.faults.append("EHLO without a name")
        offers = ["mail.example", "SIZE 26214400", "8BITMIME", "ENHANCEDSTATUSCODES"]
        if self.server.tls and not self.secure:
            offers.append("STARTTLS")
        if self.server.credentials and (self.secure or not self.server.tls):
            offers.append("AUTH PLAIN LOGIN")
        usual = "\r\n".join([f"250-{offer}" for offer in offers[:-1]] + [f"250 {offers[-1]}"])
        self.answer("EHLO", usual)

    def on_starttls(self, _):
        if not self.server.tls or self.secure:
            return self.refuse("503 5.5.1 no", "STARTTLS where it is not offered")
        if self.answer("STARTTLS", "220 2.0.0 go on"):
            self.secure_it()
            self.lines = self.client.makefile("rb")
        return None

    def on_auth(self, rest):
        if self.server.tls and not self.secure:
            self.server.faults.append("credentials without TLS")
        mechanism, _, first = rest.partition(" ")
        if mechanism == "PLAIN":
            given = tuple(base64.b64decode(first or self.asked("")).decode().split("\0")[1:])
        else:
            given = tuple(base64.b64decode(self.asked(base64.b64encode(what).decode())).decode()
                          for what in (b"Username:", b"Password:"))
        self.known = given == self.server.credentials
        self.answer("AUTH", "235 2.7.0 welcome" if self.known else "535 5.7.8 not these credentials")

    def asked(self, what):
        self.say(f"334 {what}")
        return self.line()

    def on_mail(self, rest):
        path = re.fullmatch(r"FROM:<([^<>\s]*)>( \S+)*", rest)
        if self.server.credentials and not self.known:
            return self.refuse("530 5.7.0 log in first", "MAIL before AUTH")
        if not path or self.sender is not None:
            return self.refuse("501 5.1.7 no path", "MAIL without a path, or twice")
        if self.answer("MAIL", "250 2.1.0 fine"):
            self.sender, self.recipients = path[1], []
        return None

    def on_rcpt(self, rest):
        path = re.fullmatch(r"TO:<([^<>\s@]+@[^<>\s@]+)>( \S+)*", rest)
        if not path or self.sender is None:
            return self.refuse("501 5.1.3 no path", "RCPT without a path, or before MAIL")
        if self.answer("RCPT", "250 2.1.5 fine"):
            self.recipients.append(path[1])
        return None

    def on_data(self, _):
        if not self.recipients:
            return self.refuse("503 5.5.1 for whom?", "DATA without a recipient")
        if not self.answer("DATA", "354 go on"):
            return None
        raw = bytearray()
        while (line := self.line()) != b".":
            raw += (line[1:] if line.startswith(b".") else line) + b"\r\n"
        message = Message(self.sender, self.recipients, bytes(raw))
        self.sender, self.recipients = None, []
        self.server.faults.extend(message.faults())
        # Even where nobody hears of it: that is what an open outcome is.
        if not self.server.replies.get("MESSAGE", "250").startswith(("4", "5")):
            self.server.messages.append(message)
        self.answer("MESSAGE", f"250 2.0.0 queued as {len(self.server.messages)}")
        return None

    def on_rset(self, _):
        self.sender, self.recipients = None, []
        self.say("250 2.0.0 fine")

    def on_quit(self, _):
        self.answer("QUIT", "221 2.0.0 bye")
        self.client.close()
        raise Ended
