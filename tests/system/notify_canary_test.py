#!/usr/bin/env -S python3 -B
"""Addresses, contents and credentials that cannot be mistaken go every way there is, and are then looked for wherever
something is written, told or shown: they are nowhere, but where an admin has an address revealed."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

import canaries
import sns_server
import world
from canary_sender import CONTENT, DOMAIN, EMAIL, KEYS, LOCAL, Sender, content_for
from certificates import made_certificate
from echo_server import EchoServer
from mail_server import MailServer
from notifying import Notifying
from processes import wait_until
from shown_places import ShownPlaces
from sns_telling import Sns, bounce, complaint, event
from twilio_server import TwilioServer
from webhook_receiver import told_back
from webhook_sender import secret_of
from world import on_each_engine

PUBLIC = "https://sluice.example.com"
SECONDS = 3  # a call
MODES = ("no token", "well", 200, "malformed", 302, 400, 401, 404, 410, 429, 500, "cut")
SAYS_BACK = ({}, {"RCPT": f"550 5.1.1 <{EMAIL}>: no such mailbox"}, {"RCPT": f"550 {EMAIL}"},
             {"MAIL": f"451 4.3.0 {EMAIL}"}, {"AUTH": "535 CanaryUserName-Q8zV4 CanaryPassword-Q8zV4"},
             {"MESSAGE": f"554 5.7.1 {CONTENT['subject']} for {EMAIL}"}, {"RCPT": f"what {EMAIL}?"},
             {"MESSAGE": "close"})


def ended_by(child, number):
    """How the process ended, which might have written as large a core dump as it liked."""
    resource.prlimit(child.pid, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    child.send_signal(number)
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT).si_code


class Canary(world.SystemTest):

    def prepare(self, engine):
        """A node, and stand-ins of all providers that say back what they were told."""
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        certificate = made_certificate(self.folder)
        self.echo, self.mail, self.twilio = EchoServer(*certificate), MailServer(certificate), TwilioServer()
        for server in (self.echo, self.mail, self.twilio):
            self.addCleanup(server.close)
        self.sender = Sender(self.echo.url)
        self.echo.texts = self.sender.echoed()
        self.mail.credentials = tuple(self.sender.login.values())
        self.twilio.keys[self.twilio.account] = self.twilio.token = self.sender.twilio
        timeout = f"{SECONDS}s"
        self.node = Notifying(self, engine, {"lease": f"{3 * SECONDS}s", "retry_schedule": ["100ms"]}, keys=KEYS,
                              calls={"ca_file": str(certificate[0]), "call_timeout": timeout, "connect_timeout": timeout},
                              delivery={"settle_after": timeout}, log={"level": "debug"},
                              callbacks={"public_url": PUBLIC})
        self.places = ShownPlaces(self.node)
        self.make_profiles()
        self.contacts = {kind: self.node.contact(kind, address) for kind, address in self.sender.addresses.items()}
        self.ways = [(name, kind) for name, what in self.sender.profiles.items() for kind in what[3]]

    def make_profiles(self):
        wanted = {name: what[:3] for name, what in self.sender.profiles.items()} | {
            "smtp": ("smtp", {"host": "127.0.0.1", "port": self.mail.port, "from": "news@example.com"}, self.sender.login),
            "texts": ("twilio", {"base_url": self.twilio.url, "account_sid": self.twilio.account, "from": "+15005550006"},
                      {"auth_token": self.twilio.token})}
        self.profiles = {name: self.node.profile(name, *what) for name, what in wanted.items()}
        self.provider_of = {name: what[0] for name, what in wanted.items()}
        for name in wanted:
            self.node.route(name, name)

    def send(self, route, kind):
        contact = self.contacts[kind]
        if self.node.api.must("GET", f"/v1/contact-points/{contact}")["suppression"]:
            self.node.api.must("POST", f"/v1/contact-points/{contact}/lift", {"reason": "it is there"})
        return self.node.send(contact, route, **content_for(self.provider_of[route]))

    def go_every_way(self):
        """Each provider takes it, refuses it in every way and leaves it open; its answers have all canaries in them."""
        outcomes = {}
        for mode in MODES:
            self.echo.mode = mode
            for id, way in [(self.send(*way), way) for way in self.ways]:
                outcomes[mode, way] = wait_until(lambda id=id: self.node.at_rest(id), 120, f"{mode} {way}")["state"]
        self.assertEqual({outcomes["well", way] for way in self.ways}, {"accepted"}, outcomes)
        self.assertEqual({outcomes["cut", way] for way in self.ways}, {"ambiguous"}, outcomes)
        self.assertEqual(outcomes["no token", ("fcm", "fcm_token")], "rejected", outcomes)
        self.assertLessEqual({"rejected", "failed"}, set(outcomes.values()))
        states = []
        for self.mail.replies in SAYS_BACK:
            id = self.send("smtp", "email")
            states.append(wait_until(lambda id=id: self.node.at_rest(id), 120, f"{self.mail.replies}")["state"])
        self.assertEqual((states[0], states[-1]), ("accepted", "ambiguous"))
        self.assertLessEqual({"rejected", "failed"}, set(states))
        self.assertEqual(self.mail.messages[0].mail["Subject"], CONTENT["subject"])
        self.assertEqual(len(self.echo.tokens), 3)  # for FCM's assertion, APNs and web push

    def tell(self):
        """Callbacks with the addresses in them: genuine ones, and those that are refused."""
        addresses = self.sender.addresses
        bodies = [{"id": "wh-1", "state": "delivered", "to": addresses}, {"state": EMAIL}, json.dumps(addresses).encode()[:-1],
                  {"id": "wh-1", "state": EMAIL}]
        answers = {secret: [told_back(self.places.address(), self.profiles["webhook"], f"e{number}", body, [secret])
                            for number, body in enumerate(bodies)]
                   for secret in (self.sender.webhook_secret, secret_of(b"of somebody else" * 2))}
        self.assertEqual(list(answers.values()), [[204, 422, 400, 204], [403] * 4])
        id = self.send("texts", "phone")
        self.node.ended(id, "accepted")
        sid = self.twilio.messages[-1]["sid"]
        where = self.node.here(self.twilio.callbacks[sid], PUBLIC)
        self.assertEqual(self.twilio.tell(sid, "sent", token="of somebody else", to=where), 403)
        self.assertEqual(self.twilio.tell(sid, "delivered", to=where), 204)
        self.node.told(id, "delivered")
        report = self.mail.messages[0].bounced()
        of_nobody, no_report = report.replace(b"Message-ID: ", b"X-Message: "), self.mail.messages[0].raw
        codes = [self.places.command("callbacks", "deliver", "--profile", "smtp", given=mail).code
                 for mail in (report, report, of_nobody, no_report)]
        self.assertEqual(codes, [0, 0, 65, 65])
        wait_until(lambda: len(self.node.refused()["refused"]) >= 7, 60, "what was refused is in the audit")

    def mistake(self):
        """What people get wrong is told them without what nobody else may see."""
        points, profiles, sendings = "/v1/contact-points", "/v1/profiles", "/v1/notifications"
        contact = {"tenant": "acme", "kind": "email"}
        message = {"tenant": "acme", "contact": self.contacts["email"], "route": "ses", **content_for("ses")}
        wrong = [(points, {**contact, "address": EMAIL + "\r\n"}), (points, {**contact, "address": f"{LOCAL} at {DOMAIN}"}),
                 (points, {**contact, "kind": "phone", "address": EMAIL}),
                 (points, {**contact, "kind": "web_push", "address": json.dumps({"endpoint": self.sender.endpoint})}),
                 (points, json.dumps({**contact, "address": EMAIL}).encode()[:-1]),
                 (sendings, {**message, "subject": CONTENT["subject"] + "\r\nBcc: x@example.com"}),
                 (sendings, {**message, "route": "texts"}), (sendings, {**message, "data": CONTENT["text"]}),
                 (sendings, json.dumps(message).encode()[:-1])]
        for name, (provider, settings, credentials, _) in self.sender.profiles.items():
            text = json.dumps(credentials)
            wrong += [(profiles, {"tenant": "acme", "name": f"{name}-2", "provider": provider, "settings": settings,
                                  "credentials": {**credentials, **changed}})
                      for changed in ({"unknown": text}, dict.fromkeys(credentials, {"in": text}))]
        for path, body in wrong:
            self.assertIn(self.node.api.ask("POST", path, body)[0], (400, 422), (path, body))
        for token in (self.sender.twilio, EMAIL):
            self.assertEqual(self.node.api.ask("GET", points, Authorization=f"Bearer {token}")[0], 401)
        faulty = self.folder / "faulty.toml"
        faulty.write_text(f'[keys]\nkeys = ["test:{KEYS["keys"][0][5:]}0", "{self.sender.twilio}"]\n')
        file = self.folder / "profile.json"
        file.write_text(json.dumps(wrong[-1][1]))
        for arguments, options in ((("contacts", "add", "email", "-", "--tenant", "acme"), {"given": LOCAL.encode()}),
                                   (("profiles", "set", file), {}), (("config", "check"), {"config": faulty}),
                                   (("serve",), {"config": faulty})):
            self.assertNotEqual(self.places.command(*arguments, **options).code, 0, arguments)

    def crash(self):
        """With messages out, by both ways of ending at once; no core dump is made of either."""
        ids = []
        for number in (signal.SIGKILL, signal.SIGABRT):
            self.echo.mode, self.mail.replies = "hang", {"MESSAGE": "hang"}
            before, mails = len(self.echo.came), len(self.mail.messages)
            ids += [self.send(*way) for way in self.ways] + [self.send("smtp", "email")]
            wait_until(lambda: len(self.echo.came) > before and len(self.mail.messages) > mails, 60, "they are out")
            self.assertEqual(ended_by(self.node.node.child, number), os.CLD_KILLED, "a core dump was made")
            self.echo.mode, self.mail.replies = "well", {}
            self.node.start()
            self.places.listen()
        for id in ids:
            wait_until(lambda id=id: self.node.at_rest(id), 120, "what was out is known to be open")

    def look_by_command(self):
        id = self.node.api.must("GET", "/v1/notifications")["notifications"][0]["id"]
        for command in ("profiles list", *[f"profiles show {name}" for name in self.profiles], "routes list",
                        "contacts list", *[f"contacts show {one}" for one in self.contacts.values()],
                        "notifications list", f"notifications show {id}", "callbacks list", "callbacks refused",
                        "reconciliation", "keys list", "status", "config check", "config default"):
            for form in ([], ["--json"]):
                done = self.places.command(*form, *command.split())
                self.assertEqual(done.code, 0, f"{command}: {done.err}")
        self.places.command("doctor")

    @on_each_engine
    def test_no_address_content_or_credential_is_anywhere_but_where_an_admin_has_one_revealed(self, engine):
        self.prepare(engine)
        self.go_every_way()
        self.tell()
        self.mistake()
        self.crash()
        listed = self.node.api.must("GET", "/v1/notifications?limit=1000")["notifications"]
        self.places.ask_all({"contact": self.contacts.values(), "profile": self.profiles.values(),
                             "notification": [one["id"] for one in listed],
                             "kind": ["ambiguous_submission", "overdue_callback", "unmatched_event"]})
        self.look_by_command()
        search = canaries.Canaries({**self.sender.secrets, **self.echo.tokens})
        found = search.found_by_place({**self.places.shown, **self.places.written()})
        self.node.node.terminate(30)
        kept = self.places.written()
        self.assertEqual(found | search.found_by_place(kept), {})
        self.assertIn(b"INSERT INTO", kept["the dump"])
        self.assertGreater(len([path for path in kept if str(path).endswith(".log")]), 2)

    def test_an_admin_has_an_address_revealed_and_the_audit_has_who_asked(self):
        self.prepare("sqlite")
        viewer = self.node.api.must("POST", "/v1/tokens", {"name": "onlooker", "role": "viewer", "tenants": ["acme"]})["token"]
        path = f"/v1/contact-points/{self.contacts['email']}/reveal"
        self.assertEqual(self.node.api.ask("POST", path, {}, Authorization=f"Bearer {viewer}")[0], 403)
        search = canaries.Canaries(self.sender.secrets)
        self.assertEqual(search.found_by_place(self.places.shown), {})
        self.assertEqual(self.node.api.must("POST", path, {})["address"], EMAIL)
        self.assertEqual(search.found_by_place(self.places.shown), {f"POST {path}": ["domain", "local part"]})
        audit = self.node.api.must("GET", "/v1/audit")["entries"]
        self.assertEqual(len([one for one in audit if "reveal" in one["act"]]), 1)
        self.assertEqual(search.found_in(json.dumps(audit)), [])


class CanaryOfSns(Sns):

    @on_each_engine
    def test_what_sns_tells_genuine_or_forged_is_shown_nowhere(self, engine):
        n = self.stand(engine)
        places = ShownPlaces(n)
        contact = n.contact("email", EMAIL)
        notification, message_id = self.send(n, contact)
        confirmation = self.sns.envelope("Confirm", "SubscriptionConfirmation")
        told = [event(*telling) for telling in (bounce(message_id, "Permanent"), complaint(message_id))]
        told.append({**event(message_id, "Rendering", "failure", {"errorMessage": f"{EMAIL}: {CONTENT['text']}"})})
        told[0]["bounce"]["bouncedRecipients"][0].update(emailAddress=EMAIL, diagnosticCode=f"550 5.1.1 <{EMAIL}> is nobody")
        told[1]["complaint"]["complainedRecipients"][0]["emailAddress"] = EMAIL
        for one in told:
            one["mail"].update(destination=[EMAIL], commonHeaders={"to": [EMAIL], "subject": CONTENT["subject"]})
        forged = self.sns.envelope(told[0], key=sns_server.made_authority(self.folder, "stranger").with_suffix(".key"))
        self.post(forged, 403)
        self.post({**confirmation, "Token": confirmation["Token"][::-1]}, 403)
        self.post(confirmation)
        for one in told:
            self.post(self.sns.envelope(one))
        self.post(self.sns.envelope(EMAIL), 422)
        n.told(notification, "complained")
        wait_until(lambda: self.sns.confirmed and len(n.refused()["refused"]) == 3, 60, "all of it was looked at")
        places.ask_all({"contact": [contact], "notification": [notification], "kind": ["unmatched_event"]})
        search = canaries.Canaries({"local part": LOCAL, "domain": DOMAIN, "text": CONTENT["text"],
                                    "subject": CONTENT["subject"], "token": confirmation["Token"]})
        self.assertEqual(search.found_by_place({**places.shown, **places.written()}), {})


class Search(world.SystemTest):

    def test_what_is_planted_is_found_in_every_form(self):
        sender = Sender("https://127.0.0.1:1")
        search = canaries.Canaries(sender.secrets)
        self.assertEqual(search.found_in(b"nothing of it is here " * 100), [])
        for name, text in sender.secrets.items():
            for place in canaries.hiding_places(text):
                with self.subTest(what=name, place=place):
                    self.assertIn(name, search.found_in(b"\x00\xff" + place + b"\xfe"))

    def test_a_core_dump_would_be_noticed(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd=folder)
        self.addCleanup(child.communicate)
        if ended_by(child, signal.SIGABRT) != os.CLD_DUMPED:
            self.skipTest("this machine makes no core dumps of any program")


if __name__ == "__main__":
    world.main()
