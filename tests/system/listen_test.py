#!/usr/bin/env -S python3 -B
"""`sluice listen`: what it shows of the webhooks it is sent, how it meets them, how it ends."""

import json
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import processes
import webhook_sender as sender
import world

SECRET = sender.secret_of(bytes(range(32)))
OLDER = sender.PUBLISHED["secret"]
BODY = b'{"type":"customers.updated","data":{"name":"Ann"}}'


class Listen(world.SystemTest):

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="listen-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def listen(self, *options):
        """The process and its address; it says one JSON document a line."""
        made = processes.Process([processes.BINARY, "listen", "--json", *options], self.folder / "listen.log")
        self.addCleanup(lambda: made.child.poll() is None and made.kill())
        made.address = self.next(made)["listening"]
        return made

    def next(self, listener):
        return json.loads(listener.child.stdout.readline())

    def send(self, listener, id, secrets=(SECRET,), body=BODY, **changes):
        return sender.post(listener.address, body, {**sender.headers(secrets, id, body), **changes})

    def run_once(self, *options):
        return subprocess.run([processes.BINARY, "listen", *options], capture_output=True, text=True, timeout=30,
                              check=False)

    def test_webhooks_are_shown_with_what_their_signatures_are_by_and_counted_at_the_end(self):
        file = self.folder / "secret"
        file.write_text(OLDER + "\n")
        listener = self.listen("--secret", SECRET, "--secret-file", str(file), "-v")
        self.assertEqual(self.send(listener, "e1"), (204, None))
        shown = self.next(listener)
        self.assertEqual((shown["id"], shown["type"], shown["path"]), ("e1", "customers.updated", "/hook"))
        self.assertEqual((shown["signature"], shown["signed_by"], shown["why_bad"]), ("good", "secret 1", None))
        self.assertEqual((shown["times_seen"], shown["bytes"], shown["status"]), (1, len(BODY), 204))
        self.assertIn(shown["age_seconds"], (0, 1, 2))
        self.assertEqual(shown["body"].encode(), BODY)
        self.send(listener, "e1", (OLDER,))
        shown = self.next(listener)
        self.assertEqual((shown["times_seen"], shown["signed_by"]), (2, str(file)))
        self.send(listener, "e2", **{"webhook-id": "e3"})
        shown = self.next(listener)
        self.assertEqual((shown["signature"], shown["signed_by"]), ("bad", None))
        self.assertIn("no signature is by this key", shown["why_bad"])
        sender.post(listener.address, b"not signed at all", {})
        self.assertEqual((self.next(listener)["id"], listener.alive()), (None, True))
        listener.send(signal.SIGINT)
        self.assertEqual(self.next(listener)["summary"], {"received": 4, "distinct_ids": 2, "repeats": 1,
                                                          "without_id": 1, "bad_signatures": 2})
        self.assertEqual(listener.wait(10), 0)
        self.assertNotIn(SECRET, listener.said())

    def test_the_published_example_verifies_but_for_its_age(self):
        listener = self.listen("--secret", OLDER)
        published = sender.PUBLISHED
        sender.post(listener.address, published["body"], {"webhook-id": published["id"],
                                                          "webhook-timestamp": str(published["timestamp"]),
                                                          "webhook-signature": published["signature"]})
        shown = self.next(listener)
        self.assertIn("webhook-timestamp is more than 5m away", shown["why_bad"])
        self.assertGreater(shown["age_seconds"], 86400 * 365)
        self.assertEqual(listener.terminate(), 0)

    def test_it_answers_as_it_is_told(self):
        listener = self.listen("--status", "429", "--retry-after", "30", "--latency", "40ms")
        since = time.monotonic()
        self.assertEqual(self.send(listener, "e1"), (429, "30"))
        self.assertGreaterEqual(time.monotonic() - since, 0.04)
        self.assertEqual(self.next(listener)["signature"], "unchecked")
        cutting = self.listen("--cut")
        self.assertEqual(self.send(cutting, "e1"), (None, None))
        shown = self.next(cutting)
        self.assertEqual((shown["reaction"], shown["status"]), ("cut", None))
        hanging = self.listen("--hang")
        with self.assertRaises(TimeoutError):
            sender.post(hanging.address, BODY, {}, seconds=0.3)
        self.assertEqual(self.next(hanging)["reaction"], "hang")
        self.assertEqual(hanging.terminate(), 0)

    def test_the_same_seed_draws_the_same_failures(self):
        drawn = []
        for seed in ("7", "7", "8"):
            listener = self.listen("--fail", "503:0.4", "--fail", "cut:0.2", "--seed", seed, "--limit", "40")
            drawn.append([self.send(listener, f"e{number}")[0] for number in range(40)])
            self.assertEqual(listener.wait(10), 0)  # the limit has ended it
        self.assertEqual(drawn[0], drawn[1])
        self.assertNotEqual(drawn[0], drawn[2])
        self.assertEqual(set(drawn[0]), {204, 503, None})

    def test_people_are_shown_a_line_and_no_control_character(self):
        listener = processes.Process([processes.BINARY, "listen", "--secret", SECRET, "--limit", "1", "--verbose"],
                                     self.folder / "listen.log")
        listener.address = listener.child.stdout.readline().decode().split()[1]
        self.send(listener, "e1", body=b'{"type":"a\\u001b[31m"}\n\x1b[2J')
        said = listener.child.stdout.read().decode()
        self.assertEqual(listener.wait(10), 0)
        self.assertIn("  e1  new  signed by secret 1  ", said)
        self.assertIn("  answered 204\n", said)
        self.assertIn("1 received, 1 distinct ids, 0 repeats, 0 without an id, 0 bad signatures", said)
        self.assertNotIn("\x1b", said)

    def test_only_posts_are_webhooks(self):
        listener = self.listen("--limit", "1")
        with socket.create_connection(tuple(listener.address.split(":"))) as asked:
            asked.sendall(b"GET /hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            answer = b"".join(iter(lambda: asked.recv(4096), b""))
        self.assertIn(b"405", answer.split(b"\r\n")[0])
        self.assertIn(b"Allow: POST", answer)
        self.send(listener, "e1")
        self.assertEqual(self.next(listener)["id"], "e1")
        self.assertEqual(listener.wait(10), 0)
        self.assertIn("GET /hook was answered 405", listener.said())

    def test_what_it_cannot_do_is_refused_with_what_is_allowed(self):
        nobody = str(self.folder / "nobody")
        for options, said in (
                (("--listen", "0.0.0.0:0"), "add --allow-any"),
                (("--listen", "[::]:0"), "add --allow-any"),
                (("--port", "x"), "allowed is ADDRESS:PORT"),
                (("--secret", "whsec_c2hvcnQ="), "secret 1: a secret of 5 bytes is none"),
                (("--secret", "hunter2"), 'a secret begins with "whsec_"'),
                (("--secret-file", nobody), nobody),
                (("--fail", "503"), "ends with no share"),
                (("--fail", "0.2"), "a status of 200 to 599, cut and hang"),
                (("--fail", "503:0.6", "--fail", "cut:0.6"), "more than 1 together"),
                (("--status", "600"), "range 200 to 599"),
                (("--hang", "--cut"), "excludes"),
                (("--latency", "soon"), "--latency"),
                (("--retry-after", "-1"), "--retry-after"),
                (("--limit", "0"), "--limit")):
            with self.subTest(options=options):
                done = self.run_once(*options)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertNotIn("hunter2", done.stderr)
        taken = self.listen()
        done = self.run_once("--listen", taken.address)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot listen on " + taken.address, done.stderr)

    def test_it_listens_on_every_address_when_asked_to(self):
        listener = self.listen("--listen", "0.0.0.0:0", "--allow-any")
        self.assertTrue(listener.address.startswith("0.0.0.0:"))
        self.assertEqual(listener.terminate(), 0)


if __name__ == "__main__":
    world.main()
