#!/usr/bin/env -S python3 -B
"""Bounce reports by a mail server's pipe and by mailbox, and what the mail server is told by the exit code."""

import json
import re

import world
from world import rest_connection, rule

RECORDED, NEVER, COME_AGAIN = 0, 65, 75
ATTEMPT = "01890a5d-ac96-774b-bcce-b302099a80"


def bounce(number):
    return f"""Return-Path: <>
From: MAILER-DAEMON@mx.example.com
To: news@example.com
Subject: Undelivered Mail Returned to Sender
Date: Mon, 30 Nov 2026 10:00:{number % 60:02} +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: text/plain

From here on it could not be delivered.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ann@example.net
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user

--part
Content-Type: text/rfc822-headers

Message-ID: <{ATTEMPT}{number:02x}@example.com>

--part--
"""


def in_mailbox(mail):
    """As mboxrd keeps it."""
    lines = [">" + line if line.lstrip(">").startswith("From ") else line for line in mail.split("\n")]
    return "From MAILER-DAEMON Mon Nov 30 10:00:00 2026\n" + "\n".join(lines) + "\n"


class Bounces(world.SystemTest):

    def node(self, engine):
        w = self.world(engine, api=world.API)
        w.apply([rest_connection("crm", "http://127.0.0.1:9")], [rule()])
        node = w.serve()
        profile = w.write("profile.json", json.dumps({
            "tenant": "acme", "name": "mail", "provider": "smtp",
            "settings": {"host": "mx.example.com", "from": "news@example.com"}}))
        w.operate(node, "profiles", "set", profile)
        return w, node

    def deliver(self, w, node, mail, *more, config=None):
        address = re.search(r"api\.listening.* address=(\S+)", node.said())[1]
        return w.run("--api", address, "callbacks", "deliver", "--profile", "mail", *more,
                     config=config, given=mail.encode()).code

    def events(self, w):
        return int(w.query("SELECT count(*) FROM provider_events WHERE duplicate_of IS NULL")[0][0])

    @world.on_each_engine
    def test_a_pipe_is_told_what_became_of_each_mail(self, engine):
        w, node = self.node(engine)
        self.assertEqual(self.deliver(w, node, bounce(1), "--tenant", "acme"), RECORDED)
        self.assertEqual(self.deliver(w, node, "From MAILER-DAEMON Mon\n" + bounce(1)), RECORDED)
        self.assertEqual(self.events(w), 1)
        self.assertEqual(self.deliver(w, node, "Subject: away\n\nUntil Monday.\n"), NEVER)
        self.assertEqual(self.deliver(w, node, bounce(2), "--tenant", "nobody"), COME_AGAIN)
        faulty = w.write("faulty.toml", "[api]\nlisten = 7\n")
        self.assertEqual(self.deliver(w, node, bounce(2), config=faulty), COME_AGAIN)
        stranger = w.write("stranger.toml", '[api]\ntoken = "of-nobody-known-here"\nsocket = "none"\n')
        self.assertEqual(self.deliver(w, node, bounce(2), config=stranger), COME_AGAIN)
        node.terminate(30)
        self.assertEqual(self.deliver(w, node, bounce(2)), COME_AGAIN)
        self.assertEqual(self.events(w), 1)

    @world.on_each_engine
    def test_a_mailbox_is_recorded_once_however_often_it_is_read(self, engine):
        w, node = self.node(engine)
        box = w.write("bounces", "".join(in_mailbox(bounce(n)) for n in range(20)))
        self.assertEqual(self.deliver(w, node, "", "--mailbox", box), RECORDED)
        self.assertEqual(self.deliver(w, node, "", "--mailbox", box), RECORDED)
        self.assertEqual(self.deliver(w, node, bounce(3)), RECORDED)
        self.assertEqual(self.events(w), 20)
        more = w.write("more", in_mailbox("Subject: spam\n\nFrom me to you\n") + in_mailbox(bounce(20)))
        self.assertEqual(self.deliver(w, node, "", "--mailbox", more), NEVER)
        self.assertEqual(self.events(w), 21)


if __name__ == "__main__":
    world.main()
