#!/usr/bin/env -S python3 -B
"""E-mail by whole processes: what arrives, what is demanded of a server before it gets anything, and what each of its
replies makes of the notification."""

import email
import email.policy
import json
import socket
import ssl
import sys
import time

import world
from mail_server import MailServer
from processes import wait_until
from smtp_sending import HASTY_S, HTML, LOGIN, SUBJECT, TEXT, Smtp
from world import on_each_engine

FORBIDDEN = {"CR": "\r", "LF": "\n", "NUL": "\x00", "CRLF": "\r\nRCPT TO:<else@example.com>\r\n"}

# By the command: a refusal for now, and what it is called.
FOR_NOW = {
    "GREETING": ("421 4.3.2 not now", "smtp_4.3.2"),
    "EHLO": ("421 4.3.2 not now", "smtp_4.3.2"),
    "STARTTLS": ("454 4.7.0 no TLS now", "smtp_4.7.0"),
    "AUTH": ("454 4.7.0 nobody knows you now", "smtp_4.7.0"),
    "MAIL": ("451 later", "smtp_451"),
    "RCPT": ("450 4.2.0 greylisted", "smtp_4.2.0"),
    "DATA": ("452 4.3.1 no room", "smtp_4.3.1"),
    "MESSAGE": ("451 4.7.1 later", "smtp_4.7.1"),
}
# A refusal for good: command, reply, whose fault it is, the class, whether the contact point is suppressed.
FOR_GOOD = [
    ("GREETING", "554 5.3.2 we take no mail", "provider", "smtp_5.3.2", False),
    ("EHLO", "550 5.7.1 not from you", "provider", "smtp_5.7.1", False),
    ("AUTH", "535 5.7.8 not these credentials", "provider", "smtp_5.7.8", False),
    ("MAIL", "550 5.7.1 not from there", "provider", "smtp_5.7.1", False),
    ("MAIL", "553 5.1.8 no such sender", "provider", "smtp_5.1.8", False),
    ("RCPT", "550 5.1.1 no such mailbox", "recipient", "smtp_5.1.1", True),
    ("RCPT", "550 no such mailbox", "recipient", "smtp_550", False),
    ("RCPT", "552 5.2.2 the mailbox is full", "recipient", "smtp_5.2.2", False),
    ("RCPT", "554 5.7.1 relay access denied", "provider", "smtp_5.7.1", False),
    ("DATA", "554 5.6.0 not this", "message", "smtp_5.6.0", False),
    ("MESSAGE", "554 5.7.1 spam", "message", "smtp_5.7.1", False),
    ("MESSAGE", "552 too big", "message", "smtp_552", False),
    ("MESSAGE", "550 5.7.26 not authenticated", "provider", "smtp_5.7.26", False),
]


class NotifySmtp(Smtp):

    def assert_whole(self, mail):
        self.assertEqual(mail["Subject"], SUBJECT)
        parts = {part.get_content_type(): part.get_content().replace("\r\n", "\n")
                 for part in mail.walk() if not part.is_multipart()}
        self.assertEqual(parts, {"text/plain": TEXT, "text/html": HTML})
        self.assertEqual(mail.get_content_type(), "multipart/alternative")

    def test_a_message_arrives_whole_with_starttls_and_a_login(self):
        node, server = self.node(), self.server()
        self.profile(node, server.port, from_name="Müller & Söhne, \"Versand\"", envelope_from="bounces@example.com",
                     reply_to="answers@example.com", list_unsubscribe="https://example.com/u/{notification_id}",
                     one_click=True)
        id = self.sent(node)
        shown = node.ended(id, "accepted")
        self.assertEqual(server.faults, [])
        (message,) = server.messages
        self.assert_whole(message.mail)
        self.assertEqual((message.sender, message.recipients), ("bounces@example.com", ["Somebody@example.org"]))
        (mailbox,) = message.mail["From"].addresses
        self.assertEqual((mailbox.display_name, mailbox.addr_spec), ("Müller & Söhne, \"Versand\"", "news@example.com"))
        self.assertEqual(message.mail["To"], "Somebody@example.org")
        self.assertEqual(message.mail["Reply-To"], "answers@example.com")
        self.assertEqual(message.mail["List-Unsubscribe"].strip(), f"<https://example.com/u/{id}>")
        self.assertEqual(message.mail["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click")
        self.assertEqual(message.mail["Message-ID"], f"<{shown['history'][0]['provider_message_id']}>")
        self.assertEqual(shown["history"][0]["told"], None)  # taken is not delivered
        self.assertEqual([command.split(" ")[0] for command in server.commands],
                         ["EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"])

    def test_a_message_arrives_over_tls_from_the_first_byte(self):
        node, server = self.node(), self.server(from_the_start=True)
        self.profile(node, server.port, tls="implicit")
        node.ended(self.sent(node), "accepted")
        self.assertEqual(server.faults, [])
        self.assert_whole(server.messages[0].mail)
        self.assertNotIn("STARTTLS", server.commands)

    def test_another_implementation_of_smtp_reads_the_same_message(self):
        sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, whichever Python runs the tests
        try:
            from aiosmtpd.controller import Controller
            from aiosmtpd.smtp import SMTP, AuthResult
        except ImportError:
            self.skipTest("python3-aiosmtpd is not installed")
        taken = []

        class Taker:
            async def handle_DATA(self, server, session, envelope):
                taken.append((session.ssl is not None, session.authenticated, envelope))
                return "250 2.0.0 taken"

        def login(server, session, envelope, mechanism, data):
            return AuthResult(success=(data.login.decode(), data.password.decode()) == LOGIN)

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate)

        class OnAnyPort(Controller):
            def factory(self):
                return SMTP(Taker(), tls_context=context, require_starttls=True, authenticator=login,
                            auth_required=True, hostname="mail.example")

            def address(self):
                return self.server.sockets[0].getsockname()

            def _trigger_server(self):  # it would connect to the port it was given, which is none
                with socket.create_connection(self.address()) as connection:
                    connection.recv(100)

        controller = OnAnyPort(Taker(), hostname="127.0.0.1", port=0)
        controller.start()
        self.addCleanup(controller.stop)
        node = self.node()
        self.profile(node, controller.address()[1], from_name="Müller")
        node.ended(self.sent(node), "accepted")
        ((secure, known, envelope),) = taken
        self.assertTrue(secure and known)
        self.assertEqual((envelope.mail_from, envelope.rcpt_tos), ("news@example.com", ["Somebody@example.org"]))
        self.assert_whole(email.message_from_bytes(envelope.content, policy=email.policy.SMTP))

    def test_without_tls_a_server_gets_nothing(self):
        """Neither the message nor who it is from or to, and no credentials."""
        node = self.node(trusted=False, retries=1)
        plain = MailServer(credentials=LOGIN)
        self.addCleanup(plain.close)
        servers = {"plain": plain, "refusing": self.server(replies={"STARTTLS": "502 5.5.1 no"}),
                   "untrusted": self.server(), "implicit": self.server(from_the_start=True)}
        for name, server in servers.items():
            self.profile(node, server.port, name, tls="implicit" if name == "implicit" else "starttls")
        ids = {name: self.sent(node, name) for name in servers}
        for name, id in ids.items():
            with self.subTest(server=name):
                shown = node.ended(id, "rejected" if name == "refusing" else "failed")
                self.assertEqual(servers[name].messages, [])
                said = {command.split(" ")[0] for command in servers[name].commands}
                self.assertLessEqual(said, {"EHLO", "STARTTLS", "QUIT"})
                self.assertNotIn(LOGIN[1], json.dumps(shown))
        self.assertIn("no TLS", node.show(ids["plain"])["error"])

    def test_what_could_begin_a_line_of_its_own_is_refused_at_the_api(self):
        node, server = self.node(), self.server()
        self.profile(node, server.port)
        contact = node.contact("email", "somebody@example.org")
        for name, text in FORBIDDEN.items():
            asked = {
                "address": ("/v1/contact-points", {"tenant": "acme", "kind": "email",
                                                   "address": f"some{text}body@example.org"}),
                "domain": ("/v1/contact-points", {"tenant": "acme", "kind": "email",
                                                  "address": f"somebody@example{text}.org"}),
                "subject": ("/v1/notifications", {"tenant": "acme", "contact": contact, "route": "mail",
                                                  "subject": f"Hello{text}there", "text": "x"}),
                **{setting: ("/v1/profiles", {"tenant": "acme", "name": "other", "provider": "smtp",
                                              "settings": {"host": "127.0.0.1", "from": "a@example.com",
                                                           setting: f"b{text}@example.com"}, "credentials": {}})
                   for setting in ("host", "from", "from_name", "reply_to", "envelope_from", "message_id_domain",
                                   "ehlo_name", "list_unsubscribe")},
                **{secret: ("/v1/profiles", {"tenant": "acme", "name": "other", "provider": "smtp",
                                             "settings": {"host": "127.0.0.1", "from": "a@example.com"},
                                             "credentials": {"username": "u", "password": "p", secret: f"b{text}c"}})
                   for secret in ("username", "password")},
            }
            for place, (path, body) in asked.items():
                with self.subTest(what=name, place=place):
                    status, problem = node.api.ask("POST", path, body)
                    self.assertIn(status, (400, 422), problem)
                    # Of an object with NUL nothing is read.
                    named = {"address": ["address"], "domain": ["address"]}.get(place, [place, "without NUL"])
                    self.assertTrue([one for one in named if one in json.dumps(problem)], problem)
                    self.assertNotIn("else@example.com", json.dumps(problem))
        self.assertEqual(server.commands, [])

    def test_a_refusal_for_now_is_tried_again_at_whatever_command(self):
        node = self.node(retries=100)
        servers = {verb: self.server(replies={verb: reply}) for verb, (reply, _) in FOR_NOW.items()}
        for verb, server in servers.items():
            self.profile(node, server.port, verb.lower())
        ids = {verb: self.sent(node, verb.lower()) for verb in servers}
        for verb, id in ids.items():
            with self.subTest(command=verb):
                first = wait_until(lambda id=id: node.show(id)["history"][1:] and node.show(id)["history"][0], 60,
                                   "it is tried again")
                self.assertEqual((first["state"], first["error_class"], first["cause"]),
                                 ("retryable", FOR_NOW[verb][1], None), first)
                self.assertEqual(servers[verb].messages, [])
                servers[verb].replies.clear()
                self.assertEqual(node.ended(id, "accepted")["history"][-1]["number"], node.show(id)["attempts"])
                self.assertEqual(len(servers[verb].messages), 1)
                self.assertEqual(servers[verb].faults, [])

    def test_a_refusal_for_good_ends_it_by_whose_fault_it_is(self):
        node = self.node()
        asked = []
        for number, (verb, reply, *expected) in enumerate(FOR_GOOD):
            address = f"n{number}@example.org"
            server = self.server(replies={verb: f"{reply} for {address}"})
            self.profile(node, server.port, f"p{number}")
            asked.append((server, address, self.sent(node, f"p{number}", address)))
        for (verb, reply, cause, error_class, suppressed), (server, address, id) in zip(FOR_GOOD, asked):
            with self.subTest(command=verb, reply=reply):
                shown = node.ended(id, "rejected")
                (attempt,) = shown["history"]
                self.assertEqual((attempt["state"], attempt["cause"], attempt["error_class"]),
                                 ("rejected", cause, error_class), attempt)
                self.assertIn(reply[:3], attempt["error"])
                self.assertNotIn(address, json.dumps(shown))
                self.assertEqual(server.messages, [])
                contact = node.api.must("GET", f"/v1/contact-points/{shown['contact']}")
                self.assertEqual((contact["suppression"] or {}).get("reason"), "hard_bounce" if suppressed else None)

    def test_nothing_more_is_sent_to_a_mailbox_that_does_not_exist(self):
        node, server = self.node(), self.server(replies={"RCPT": "550 5.1.1 no such mailbox"})
        self.profile(node, server.port)
        node.ended(self.sent(node), "rejected")
        sessions = len(server.commands)
        self.assertEqual(node.ended(self.sent(node, to="Somebody@EXAMPLE.org"), "failed")["history"], [])
        self.assertEqual(len(server.commands), sessions)

    @on_each_engine
    def test_silence_after_the_final_dot_is_never_sent_again_by_itself(self, engine):
        node = self.node(engine, patience=HASTY_S)
        servers = {plan: self.server(replies={"MESSAGE": plan}) for plan in ("hang", "close", "late")}
        servers["late"].late_by = 0.5
        for plan, server in servers.items():
            self.profile(node, server.port, plan)
        ids = {plan: self.sent(node, plan) for plan in servers}
        node.ended(ids.pop("late"), "accepted")
        for plan, id in ids.items():
            shown = node.ended(id, "ambiguous")
            self.assertEqual([one["state"] for one in shown["history"]], ["ambiguous"], shown)
            self.assertEqual(len(servers[plan].messages), 1)
        for server in servers.values():
            server.replies.clear()
        time.sleep(2)  # ten retries and a lapsed lease
        self.assertEqual([len(server.messages) for server in servers.values()], [1, 1, 1])
        listed = node.world.operate(node.node, "notifications", "list", "--state", "ambiguous")["notifications"]
        self.assertEqual({one["id"] for one in listed}, set(ids.values()))
        node.world.operate(node.node, "notifications", "settle", ids["hang"], "accepted", "--reason", "it is there")
        node.world.operate(node.node, "notifications", "settle", ids["close"], "not-sent", "--reason", "it is not")
        self.assertEqual([one["state"] for one in node.ended(ids["hang"], "accepted")["history"]], ["accepted"])
        self.assertEqual([one["state"] for one in node.ended(ids["close"], "accepted")["history"]],
                         ["retryable", "accepted"])
        self.assertEqual([len(servers[plan].messages) for plan in ("hang", "close")], [1, 2])
        self.assertNotEqual(*(message.mail["Message-ID"] for message in servers["close"].messages))

    def test_silence_before_the_final_dot_costs_an_attempt_and_nothing_else(self):
        node = self.node(patience=HASTY_S, retries=100)
        servers = {(verb, plan): self.server(replies={verb: plan}) for verb in ("GREETING", "AUTH", "RCPT", "DATA")
                   for plan in ("hang", "close")}
        for (verb, plan), server in servers.items():
            self.profile(node, server.port, f"{verb}-{plan}".lower())
        ids = {key: self.sent(node, "-".join(key).lower()) for key in servers}
        for key, id in ids.items():
            with self.subTest(at=key):
                wait_until(lambda id=id: node.show(id)["history"][1:], 60, "it is tried again")
                servers[key].replies.clear()
                shown = node.ended(id, "accepted")
                self.assertEqual({one["state"] for one in shown["history"][:-1]}, {"retryable"})
                self.assertEqual(len(servers[key].messages), 1)


if __name__ == "__main__":
    world.main()
