#!/usr/bin/env -S python3 -B
"""Addresses, contents and credentials that cannot be mistaken go every way there is, and are then looked for wherever
something is written, told or shown: they are nowhere, but where an admin has an address revealed."""

import base64
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile

import canaries
import world
from echo_server import TOKEN, EchoServer
from fcm_server import openssl
from mail_server import MailServer
from notifying import Notifying
from processes import wait_until
from subscribers import Api
from tls_test import made_certificate
from twilio_server import TwilioServer, signature
from webhook_receiver import told_back
from webhook_sender import secret_of
from world import on_each_engine

PUBLIC = "https://sluice.example.com"
SECONDS = 2  # a call
MODES = ("well", 200, "malformed", 302, 400, 401, 404, 410, 429, 500, "cut")
LOCAL, DOMAIN, PHONE = "Canary.Contact.Q8zV4", "canary-q8zv4.example.org", "+442079460958"
CONTENT = {"subject": "Canary subject Q8zV4", "title": "Canary title Q8zV4", "text": "Canärie in the text Q8zV4",
           "html": "<p>Canary in HTML Q8zV4</p>", "data": {"canary_member_q8zv4": "canary value q8zv4"}}
SEALING, FINGERPRINTS = "7" * 64, "8" * 64


def private_key(algorithm, option):
    return openssl("genpkey", "-algorithm", algorithm, "-pkeyopt", option)


class Sender:
    """Profiles of all providers, the contact points they reach, and everything in it that is secret."""

    def __init__(self, url):
        fcm, apns = private_key("RSA", "rsa_keygen_bits:2048"), private_key("EC", "ec_paramgen_curve:P-256")
        browser = subprocess.run(["openssl", "pkey", "-pubout", "-outform", "DER"], input=apns.encode(),
                                 capture_output=True, check=True).stdout[-65:]
        vapid = private_key("EC", "ec_paramgen_curve:P-256")
        auth = base64.urlsafe_b64encode(b"canary-auth-q8zv")[:22].decode()
        self.endpoint = f"{url}/push/canary-endpoint-q8zv4"
        self.addresses = {
            "email": f"{LOCAL}@{DOMAIN}", "phone": PHONE, "other": "canary-other-contact-q8zv4",
            "fcm_token": "CanaryFcmToken-Q8zV4:APA91b", "fcm_installation": "cCanaryInstallQ8zV4abc",
            "apns_token": "ca0a41e5" * 8,
            "web_push": {"endpoint": self.endpoint, "keys": {
                "p256dh": base64.urlsafe_b64encode(browser).rstrip(b"=").decode(), "auth": auth}}}
        self.webhook_secret = secret_of(b"canary webhook secret q8zv4 32 b")
        self.twilio = "canaryauthtokenq8zv4canaryautht0"
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
        self.login = ("CanaryUserName-Q8zV4", "CanaryPassword-Q8zV4")
        self.secrets = {
            "local part": LOCAL, "domain": DOMAIN, "phone number": PHONE[1:], "endpoint": "canary-endpoint-q8zv4",
            "auth secret": auth, **{kind: address for kind, address in self.addresses.items()
                                    if kind in ("other", "fcm_token", "fcm_installation", "apns_token")},
            "subject": CONTENT["subject"], "title": CONTENT["title"], "text": CONTENT["text"], "html": CONTENT["html"],
            "data's name": "canary_member_q8zv4", "data's value": "canary value q8zv4",
            "key id of SES": "AKIACANARYQ8ZV4", "key of SES": "CanarySecretAccessKey/Q8zV4", "key of Twilio": self.twilio,
            "key of FCM": fcm.splitlines()[9], "key of APNs": apns.splitlines()[1], "key of VAPID": vapid.splitlines()[1],
            "webhook secret": self.webhook_secret[6:30], "authorization": "Canary-Authorization-Q8zV4",
            "user name": self.login[0], "password": self.login[1], "access token": TOKEN,
            "sealing key": SEALING, "fingerprint key": FINGERPRINTS, "token of the API": world.API["token"]}

    def echoed(self):
        """What an answer may have in it of what it was asked."""
        return [self.addresses["email"], PHONE, self.endpoint, *[text for text in self.secrets.values() if text.isascii()]]


class NotifyCanary(world.SystemTest):

    def prepare(self, engine):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-canary-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        made = made_certificate(self.folder, "echo")
        self.echo = EchoServer(made["tls_certificate_file"], made["tls_key_file"], [])
        self.mail, self.twilio = MailServer((made["tls_certificate_file"], made["tls_key_file"])), TwilioServer()
        for server in (self.echo, self.mail, self.twilio):
            self.addCleanup(server.close)
        self.sender = Sender(self.echo.url)
        self.echo.texts = self.sender.echoed()
        self.mail.credentials = self.sender.login
        self.twilio.keys[self.twilio.account] = self.twilio.token = self.sender.twilio
        self.shown = {}  # what was told and shown, by what asked for it
        self.node = Notifying(self, engine, {"lease": f"{3 * SECONDS}s", "retry_schedule": ["100ms"]},
                              calls={"ca_file": made["tls_certificate_file"], "call_timeout": f"{SECONDS}s",
                                     "connect_timeout": f"{SECONDS}s"},
                              delivery={"settle_after": f"{SECONDS}s"}, log={"level": "debug"},
                              callbacks={"public_url": PUBLIC})
        self.listen()
        self.profiles = {name: self.node.profile(name, *what[:3]) for name, what in self.sender.profiles.items()}
        self.node.profile("smtp", "smtp", {"host": "127.0.0.1", "port": self.mail.port, "from": "news@example.com"},
                          dict(zip(("username", "password"), self.sender.login)))
        self.profiles["texts"] = self.node.profile(
            "texts", "twilio", {"base_url": self.twilio.url, "account_sid": self.twilio.account, "from": "+15005550006"},
            {"auth_token": self.twilio.token})
        for name in (*self.sender.profiles, "smtp", "texts"):
            self.node.route(name, name)
        self.contacts = {kind: self.node.contact(kind, address) for kind, address in self.sender.addresses.items()}
        self.ways = [(name, kind) for name, what in self.sender.profiles.items() for kind in what[3]]

    def note(self, asked, told):
        self.shown.setdefault(asked, []).append(told if isinstance(told, str) else json.dumps(told, ensure_ascii=False))

    def listen(self):
        """Whatever the API answers is noted."""
        api = self.node.api
        ask = type(api).ask.__get__(api)

        def noting(method, path, *rest, **headers):
            status, document = ask(method, path, *rest, **headers)
            self.note(f"{method} {path.split('?')[0]}", document)
            return status, document
        api.ask = noting

    def start(self):
        self.node.start()
        self.listen()

    def send(self, route, kind):
        content = {name: CONTENT[name] for name in ("subject", "text", "html")} if route in ("ses", "smtp") else (
            {"text": CONTENT["text"]} if route in ("twilio", "texts") else {
                name: CONTENT[name] for name in ("title", "text", "data")})
        contact = self.contacts[kind]
        if self.node.api.must("GET", f"/v1/contact-points/{contact}")["suppression"]:
            self.node.api.must("POST", f"/v1/contact-points/{contact}/lift", {"reason": "it is there"})
        return self.node.send(contact, route, **content)

    def go_every_way(self):
        outcomes = {}
        for mode in MODES:
            self.echo.mode = mode
            for id, way in [(self.send(*way), way) for way in self.ways]:
                outcomes[mode, way] = wait_until(lambda id=id: self.node.at_rest(id), 120, f"{mode} {way}")["state"]
        self.assertEqual({outcomes["well", way] for way in self.ways}, {"accepted"}, outcomes)
        self.assertEqual({outcomes["cut", way] for way in self.ways}, {"ambiguous"}, outcomes)
        self.assertLessEqual({"accepted", "rejected", "ambiguous", "failed"}, set(outcomes.values()))
        address = self.sender.addresses["email"]
        for replies in ({}, {"RCPT": f"550 5.1.1 <{address}>: no such mailbox"}, {"RCPT": f"550 {address}"},
                        {"MAIL": f"451 4.3.0 {address} {self.sender.login[1]}"}, {"AUTH": f"535 {self.sender.login[1]}"},
                        {"MESSAGE": f"554 5.7.1 {CONTENT['subject']} for {address}"}, {"RCPT": f"what {address}?"},
                        {"GREETING": f"hello {address}"}, {"MESSAGE": "close"}):
            self.mail.replies = replies
            id = self.send("smtp", "email")
            wait_until(lambda id=id: self.node.at_rest(id), 120, f"{replies}")
        self.assertEqual(self.mail.messages[0].mail["Subject"], CONTENT["subject"])

    def crash(self):
        """With messages out, by both ways of ending at once; no core dump is made of either."""
        for number in (signal.SIGKILL, signal.SIGABRT):
            self.echo.mode, self.mail.replies = "hang", {"MESSAGE": "hang"}
            before, mails = len(self.echo.came), len(self.mail.messages)
            ids = [self.send(*way) for way in self.ways] + [self.send("smtp", "email")]
            wait_until(lambda: len(self.echo.came) > before and len(self.mail.messages) > mails, 60, "they are out")
            self.assertEqual(self.ended_by(self.node.node.child, number), os.CLD_KILLED, "a core dump was made")
            self.start()
            self.echo.mode, self.mail.replies = "well", {}
            for id in ids:
                wait_until(lambda id=id: self.node.at_rest(id), 120, "what was out is known to be open")

    @staticmethod
    def ended_by(child, number):
        """How the process that may write as large a core dump as it likes ended."""
        resource.prlimit(child.pid, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        child.send_signal(number)
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT).si_code

    def tell(self):
        """Callbacks with the address in them: genuine ones, and those that are refused."""
        at = self.node.here("", "").removeprefix("http://")
        bodies = [{"id": "wh-1", "state": "delivered", "to": self.sender.addresses}, {"state": self.sender.addresses["email"]},
                  json.dumps(self.sender.addresses).encode()[:-1]]
        for secret in (self.sender.webhook_secret, secret_of(b"of somebody else" * 2)):
            for number, body in enumerate(bodies):
                self.note("a callback", str(told_back(at, self.profiles["webhook"], f"e{number}", body, [secret])))
        id = self.send("texts", "phone")
        self.node.ended(id, "accepted")
        sid = self.twilio.messages[-1]["sid"]
        where = self.node.here(self.twilio.callbacks[sid], PUBLIC)
        self.assertEqual(self.twilio.tell(sid, "sent", token="of somebody else", to=where), 403)
        self.assertIn(self.twilio.tell(sid, "delivered", to=where), (200, 204))
        self.node.told(id, "delivered")
        wait_until(lambda: len(self.node.refused()["refused"]) >= 5, 60, "what was refused is in the audit")

    def look_everywhere(self):
        token = self.node.api.must("POST", "/v1/tokens", {"name": "onlooker", "role": "viewer", "tenant": "acme"})["token"]
        ids = {"contact": self.contacts.values(), "profile": self.profiles.values(),
               "notification": [one["id"] for one in
                                self.node.api.must("GET", "/v1/notifications?limit=1000")["notifications"]]}
        paths = self.node.api.must("GET", "/v1/openapi.json")["paths"]
        for path in [path for path, methods in paths.items() if "get" in methods and path not in ("/v1/live", "/metrics")]:
            name = (re.findall(r"\{(\w+)\}", path) or [None])[0]
            for one in ids.get(name, [None]):
                target = path if one is None else path.replace(f"{{{name}}}", one)
                for who in (world.API["token"], token):
                    if "{" not in target:
                        self.node.api.ask("GET", target, Authorization=f"Bearer {who}")
        self.stream("/v1/live", token)
        self.stream("/metrics", world.API["token"])
        self.look_by_command()

    def stream(self, path, token):
        connection = http.client.HTTPConnection(self.node.here("", "").removeprefix("http://"), timeout=5)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        try:
            while text := answer.read1(1 << 16):
                self.note(path, text.decode())
        except (socket.timeout, TimeoutError):
            pass
        connection.close()
        self.assertEqual(answer.status, 200)
        self.assertTrue(self.shown.get(path))

    def look_by_command(self):
        at = ["--api", self.node.here("", "").removeprefix("http://")]
        id = self.node.api.must("GET", "/v1/notifications")["notifications"][0]["id"]
        for command in ("profiles list", *[f"profiles show {name}" for name in (*self.sender.profiles, "smtp")],
                        "routes list", "contacts list", *[f"contacts show {one}" for one in self.contacts.values()],
                        "notifications list", f"notifications show {id}", "callbacks list", "callbacks refused", "keys list",
                        "status", "doctor", "config check", "config default"):
            for form in ([], ["--json"]):
                done = self.node.world.run(*form, *at, *command.split())
                self.note(f"sluice {command}", done.out + done.err)
                self.assertTrue(done.code == 0 or command == "doctor", f"{command}: {done.err}")

    def written(self):
        """By the place, everything that was written: files, and each column of each table."""
        w = self.node.world
        kept = {str(path): path.read_bytes() for path in w.folder.rglob("*") if path.is_file() and path != w.config}
        if w.engine == "postgresql":
            kept["the dump"] = subprocess.run(["pg_dump", "--inserts", "-d", w.conninfo], capture_output=True, check=True).stdout
        else:
            with sqlite3.connect(w.database.removeprefix("sqlite:")) as connection:
                kept["the dump"] = "\n".join(connection.iterdump()).encode()
        return kept

    @on_each_engine
    def test_no_address_content_or_credential_is_anywhere_but_where_an_admin_has_one_revealed(self, engine):
        self.prepare(engine)
        self.go_every_way()
        self.tell()
        self.crash()
        self.look_everywhere()
        search = canaries.Canaries(self.sender.secrets)
        kept = self.written()
        self.node.node.terminate()
        kept |= self.written()
        self.assertIn(b"INSERT INTO", kept["the dump"])
        self.assertGreater(len([path for path in kept if path.endswith(".log")]), 2)
        told = {asked: "\n".join(texts).encode() for asked, texts in self.shown.items()}
        found = {place: names for place, content in {**kept, **told}.items()
                 if (names := search.found_in(content))}
        self.assertEqual(found, {})

    def test_an_admin_has_an_address_revealed_and_the_audit_has_who_asked(self):
        self.prepare("sqlite")
        contact = self.contacts["email"]
        viewer = self.node.api.must("POST", "/v1/tokens", {"name": "onlooker", "role": "viewer", "tenant": "acme"})["token"]
        path = f"/v1/contact-points/{contact}/reveal"
        status, _ = self.node.api.ask("POST", path, {}, Authorization=f"Bearer {viewer}")
        self.assertEqual(status, 403)
        search = canaries.Canaries(self.sender.secrets)
        self.assertEqual(search.found_in("\n".join(text for told in self.shown.values() for text in told)), [])
        self.assertEqual(self.node.api.must("POST", path, {})["address"], self.sender.addresses["email"])
        self.assertEqual(search.found_in(self.shown[f"POST {path}"][-1]), ["domain", "local part"])
        audit = self.node.api.must("GET", "/v1/audit")["entries"]
        self.assertTrue([one for one in audit if "reveal" in json.dumps(one)])

    def test_what_is_planted_is_found_in_every_form(self):
        sender = Sender("https://127.0.0.1:1")
        search = canaries.Canaries(sender.secrets)
        self.assertEqual(search.found_in(b"nothing of it is here " * 100), [])
        for name, text in sender.secrets.items():
            for place in canaries.hiding_places(text):
                with self.subTest(what=name, place=place):
                    self.assertIn(name, search.found_in(b"\x00\xff" + place + b"\xfe"))

    def test_a_core_dump_would_be_noticed(self):
        pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text()
        folder = tempfile.mkdtemp(prefix="sluice-canary-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd=folder)
        self.addCleanup(child.communicate)
        if self.ended_by(child, signal.SIGABRT) != os.CLD_DUMPED:
            self.skipTest(f"this machine makes no core dumps ({pattern.strip()})")


if __name__ == "__main__":
    world.main()
