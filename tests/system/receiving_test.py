#!/usr/bin/env -S python3 -B
"""The functions of docs/receiving.md, each run as it stands there, on webhooks that are good and that are not.

An argument names one language: Python, JavaScript, Ruby, PHP, Go, Shell or Ed25519. One whose program is not on this
machine is skipped."""

import base64
import copy
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import processes
import webhook_sender as sender
import world

SECRET = sender.secret_of(bytes(range(255, 223, -1)))
OTHER = sender.secret_of(b"another secret of the sender")
BODY = '{"type":"customers.updated","data":{"name":"Ännchen"}}\r\n'.encode() + b"\0\xff"
FIVE_MINUTES = 300
MINUTES_AGO = 600


def block(heading):
    """The first block of code under a heading of the page."""
    page = (processes.SOURCES / "docs" / "receiving.md").read_text()
    return re.search(rf"\n### {heading}\n.*?```\w+\n(.*?)```", page, re.DOTALL)[1]


class Webhook:
    """What a receiver was sent, and when it looks: `now` is its own clock where none is given."""

    def __init__(self, id="evt_1", body=BODY, secrets=(SECRET,), signed_at=None, secret=SECRET, now=""):
        sent = sender.headers(secrets, id, body, signed_at)
        self.secret = secret
        self.id = id
        self.timestamp = sent["webhook-timestamp"]
        self.signatures = sent["webhook-signature"]
        self.body = body
        self.now = str(now)

    def changed(self, **changes):
        made = copy.copy(self)
        vars(made).update(changes)
        return made


def published(now=sender.PUBLISHED["timestamp"]):
    made = Webhook(now=now)
    return made.changed(**{name: sender.PUBLISHED[name] for name in ("secret", "id", "body")},
                        signatures=sender.PUBLISHED["signature"], timestamp=str(sender.PUBLISHED["timestamp"]))


class Verifying(unittest.TestCase):
    """What every language's function must say. The words a program ends with, "yes" or "no", are its answer."""

    programs = ()  # must be on the machine; what runs the file
    heading = None  # of the page
    file = None
    wrapping = "{block}"

    @classmethod
    def setUpClass(cls):
        cls.missing = [name for name in cls.programs if not shutil.which(name)]
        if cls.missing:
            return
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="receiving-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / cls.file).write_text(cls.wrapping.replace("{block}", block(cls.heading)))
        cls.command = cls.prepare()

    @classmethod
    def prepare(cls):
        return [*cls.programs, str(cls.folder / cls.file)]

    def setUp(self):
        if self.missing:
            self.skipTest(f"there is no {self.missing[0]} on this machine: {self.heading} was not run")

    def answer(self, webhook):
        body = self.folder / "body"
        body.write_bytes(webhook.body)
        done = subprocess.run([*self.command, webhook.secret, webhook.id, webhook.timestamp, webhook.signatures,
                               str(body), webhook.now], capture_output=True, text=True, timeout=60, check=False)
        self.said = done.stdout + done.stderr
        return done.stdout.strip()

    def accepts(self, webhook):
        self.assertEqual(self.answer(webhook), "yes", self.said)

    def refuses(self, webhook):
        self.assertEqual(self.answer(webhook), "no", self.said)

    def test_a_good_webhook_is_accepted_whatever_its_bytes(self):
        self.accepts(Webhook())
        self.accepts(Webhook(body=b""))
        self.accepts(Webhook(body=b"%s \\n $x `id` " * 1000))

    def test_one_that_was_changed_is_refused(self):
        self.refuses(Webhook().changed(body=BODY + b" "))
        self.refuses(Webhook().changed(body=BODY.replace(b"updated", b"deleted")))
        self.refuses(Webhook().changed(id="evt_2"))
        moved = Webhook(signed_at=int(time.time()) - 10)
        self.refuses(moved.changed(timestamp=str(int(moved.timestamp) + 5)))

    def test_one_that_is_old_or_from_the_future_is_refused(self):
        now = int(time.time())
        self.refuses(Webhook(signed_at=now - MINUTES_AGO))
        self.refuses(Webhook(signed_at=now + MINUTES_AGO))
        self.accepts(Webhook(signed_at=now - MINUTES_AGO, now=now - MINUTES_AGO + FIVE_MINUTES))
        self.refuses(Webhook(signed_at=now - MINUTES_AGO, now=now - MINUTES_AGO + FIVE_MINUTES + 1))
        self.refuses(Webhook(signed_at=now - MINUTES_AGO, now=now - MINUTES_AGO - FIVE_MINUTES - 1))

    def test_one_of_several_signatures_is_enough(self):
        self.accepts(Webhook(secrets=(OTHER, SECRET)))
        self.accepts(Webhook(secrets=(SECRET, OTHER)))
        good = Webhook()
        self.accepts(good.changed(signatures="v1a,AAAA v1,short v7,new " + good.signatures))
        self.refuses(Webhook(secrets=(OTHER,)))

    def test_a_timestamp_or_a_signature_that_is_none_is_refused(self):
        for timestamp in ("", "soon", "-1", "9" * 5000):
            with self.subTest(timestamp=timestamp[:20]):
                self.refuses(Webhook().changed(timestamp=timestamp))
        good = Webhook()
        mark, _, bare = good.signatures.partition(",")
        for signatures in ("", " ", mark + ",", bare, mark.replace("1", "2") + "," + bare, f"{mark},{bare[:-4]}", f"{mark},AAAA{bare}"):
            with self.subTest(signatures=signatures):
                self.refuses(good.changed(signatures=signatures))


class Secret(Verifying):
    """What the functions that hold the secret must say besides."""

    def test_the_published_example_verifies_at_its_time_and_never_again(self):
        self.accepts(published())
        self.refuses(published(now=""))
        self.refuses(published().changed(body=b'{"test": 2432232315}'))

    def test_an_empty_secret_verifies_nothing(self):
        for nothing in ("whsec_", "", "whsec_AAAA", "whsec_!!!!"):
            with self.subTest(secret=nothing):
                forged = Webhook(secrets=(nothing.replace("!", ""),), secret=nothing)
                self.assertNotIn("yes", self.answer(forged))


class Python(Secret):
    programs, heading, file = (sys.executable,), "Python", "verify.py"
    wrapping = """{block}
import pathlib, sys
*texts, file, now = sys.argv[1:]
said = verify(*texts, pathlib.Path(file).read_bytes(), *([int(now)] if now else []))
print("yes" if said is True else "no" if said is False else said)
"""


class JavaScript(Secret):
    programs, heading, file = ("node",), "JavaScript", "verify.js"
    wrapping = """{block}
const [file, now] = process.argv.slice(6);
const said = verify(...process.argv.slice(2, 6), require("node:fs").readFileSync(file), ...(now ? [Number(now)] : []));
console.log(said === true ? "yes" : said === false ? "no" : said);
"""


class Ruby(Secret):
    programs, heading, file = ("ruby",), "Ruby", "verify.rb"
    wrapping = """{block}
*texts, file, now = ARGV
said = verify(*texts, File.binread(file), *(now.empty? ? [] : [Integer(now)]))
puts said == true ? "yes" : said == false ? "no" : said.inspect
"""


class Php(Secret):
    programs, heading, file = ("php",), "PHP", "verify.php"
    wrapping = """<?php
declare(strict_types=1);
{block}
$now = $argv[6] === '' ? [] : [(int) $argv[6]];
echo verify($argv[1], $argv[2], $argv[3], $argv[4], file_get_contents($argv[5]), ...$now) ? "yes" : "no", "\\n";
"""


class Go(Secret):
    programs, heading, file = ("go",), "Go", "verify.go"
    wrapping = "package main\n\n{block}"
    around = """package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	body, err := os.ReadFile(os.Args[5])
	if err != nil {
		panic(err)
	}
	now := time.Now()
	if os.Args[6] != "" {
		seconds, _ := strconv.ParseInt(os.Args[6], 10, 64)
		now = time.Unix(seconds, 0)
	}
	if verify(os.Args[1], os.Args[2], os.Args[3], os.Args[4], body, now) {
		fmt.Println("yes")
	} else {
		fmt.Println("no")
	}
}
"""

    @classmethod
    def prepare(cls):
        (cls.folder / "main.go").write_text(cls.around)
        binary = cls.folder / "verify"
        subprocess.run(["go", "build", "-o", binary, "verify.go", "main.go"], cwd=cls.folder, timeout=300, check=True)
        return [str(binary)]


class Shell(Secret):
    programs, heading, file = ("sh", "openssl"), "A shell", "verify.sh"
    wrapping = """{block}
if verify "$1" "$2" "$3" "$4" "$5" ${6:+"$6"}; then echo yes; else echo no; fi
"""

    @classmethod
    def prepare(cls):
        return ["sh", str(cls.folder / cls.file)]


class Ed25519(Verifying):
    """The one by the public key; OpenSSL makes the keys and signs."""

    programs, heading, file = ("node", "openssl"), "ed25519", "verify.js"
    wrapping = JavaScript.wrapping.replace("verify(", "verifyByPublicKey(")

    @classmethod
    def prepare(cls):
        cls.keys = {secret: cls.make_key(name) for secret, name in ((SECRET, "ours"), (OTHER, "other"))}
        return ["node", str(cls.folder / cls.file)]

    @classmethod
    def make_key(cls, name):
        """The file of a new private key, and the public key as a receiver holds it."""
        file = cls.folder / (name + ".pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file], check=True, timeout=60)
        public = subprocess.run(["openssl", "pkey", "-in", file, "-pubout", "-outform", "DER"], check=True, timeout=60,
                                capture_output=True).stdout[-32:]
        return file, "whpk_" + base64.b64encode(public).decode()

    def sign(self, secret, id, timestamp, body):
        signed = self.folder / "signed"
        signed.write_bytes(f"{id}.{timestamp}.".encode() + body)
        made = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.keys[secret][0], "-in",
                               signed], check=True, timeout=60, capture_output=True).stdout
        return "v1a," + base64.b64encode(made).decode()

    def setUp(self):
        super().setUp()
        by_hmac = sender.signature
        sender.signature = self.sign
        self.addCleanup(setattr, sender, "signature", by_hmac)

    def answer(self, webhook):
        return super().answer(webhook.changed(secret=self.keys[webhook.secret][1]))


def load_tests(loader, tests, _):
    del tests
    languages = (Python, JavaScript, Ruby, Php, Go, Shell, Ed25519)
    return unittest.TestSuite(loader.loadTestsFromTestCase(language) for language in languages)


if __name__ == "__main__":
    world.main()
