#!/usr/bin/env -S python3 -B
"""Subscribers that answer badly or cannot be trusted: what is known is kept with the attempt, nothing is followed, and
nothing is sent to whom it is not meant for."""

import collections
import datetime
import email.utils
import itertools
import socketserver
import ssl
import subprocess
import threading
import time

import world
from subscribers import Api, world_of_subscribers
from target import Server

MEGABYTE = b"y" * (1 << 20)
CLOSE = b"Connection: close\r\n"
KEPT = 16 << 10
OWN_WAIT = 60
ASKED_BEYOND = 2 * 60 * 60

Expected = collections.namedtuple("Expected", "state error_class status answer cut", defaults=("retrying", "cut", None,
                                                                                               "", False))


def dripping():
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    for _ in range(1000):
        time.sleep(0.1)
        yield b"."


def silence():
    time.sleep(8)
    yield b""


# Of each subscriber what it says, piece by piece, and what is kept of the attempt. What is whole names its end: a
# connection that is kept and then closed by this end would be taken for the next push, and cut it.
SAID = {
    "large": (lambda: itertools.chain([b"HTTP/1.1 500 No\r\nContent-Length: 104857600\r\n\r\n"], [MEGABYTE] * 100),
              Expected(error_class="http_500", status=500, answer="y" * KEPT, cut=True)),
    "large-and-well": (lambda: itertools.chain([b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n"],
                                               [MEGABYTE] * 100),
                       Expected("delivered", None, 200, "y" * KEPT, True)),
    "endless": (lambda: itertools.chain([b"HTTP/1.1 503 Busy\r\n\r\n"], itertools.repeat(MEGABYTE)),
                Expected(error_class="http_503", status=503, answer="y" * KEPT, cut=True)),
    "dripping": (dripping, Expected(error_class="timed_out", status=200, answer=None)),
    "silent": (silence, Expected(error_class="timed_out")),
    "closing": (lambda: [], Expected()),
    "cut-in-status": (lambda: [b"HTTP/1.1 2"], Expected()),
    "cut-in-header": (lambda: [b"HTTP/1.1 200 OK\r\nContent-Le"], Expected(status=200)),
    "cut-in-body": (lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nfour"],
                    Expected(status=200, answer="four")),
    "cut-in-chunk": (lambda: [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour"],
                     Expected(status=200, answer="four")),
    "bad-chunk": (lambda: [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nfour"], Expected(status=200)),
    "bad-length": (lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nfour"], Expected(status=200)),
    "longer-than-said": (lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfourHTTP/1.1 500 No\r\n\r\n"],
                         Expected("delivered", None, 200, "four")),
    "long-header": (lambda: [b"HTTP/1.1 503 Busy\r\n" + CLOSE, b"X: xxxxxxxx\r\n" * 8000,
                             b"Content-Length: 2\r\n\r\nno"],
                    Expected(error_class="http_503", status=503, answer="no")),
    "endless-header": (lambda: itertools.chain([b"HTTP/1.1 200 OK\r\n"], itertools.repeat(b"X: xxxxxxxx\r\n" * 1000)),
                       Expected(status=200)),
    "announcing": (lambda: itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), Expected()),
    "no-http": (lambda: [b"220 mail ready\r\n"], Expected()),
    "redirecting": (lambda: [b"HTTP/1.1 302 Found\r\n" + CLOSE + b"Location: /elsewhere\r\nContent-Length: 4\r\n\r\n",
                             b"move"],
                    Expected(error_class="http_302", status=302, answer="move")),
    "no-text": (lambda: [b"HTTP/1.1 500 No\r\n" + CLOSE + b"Content-Length: 6\r\n\r\na\0b\xffc\n"],
                Expected(error_class="http_500", status=500, answer="a?b?c\n")),
    "well": (lambda: [b"HTTP/1.1 204 Done\r\n" + CLOSE + b"\r\n"], Expected("delivered", None, 204)),
}

# Of each Retry-After what it asks for, in seconds; nothing where it asks for less than the node waits by itself.
NOW = datetime.datetime.now(datetime.timezone.utc)


def in_seconds(seconds, form="%a, %d %b %Y %H:%M:%S GMT"):
    return (NOW + datetime.timedelta(seconds=seconds)).strftime(form)


ASKED = {
    "nought": (["0"], None),
    "negative": (["-5"], None),
    "exponent": (["1e30"], None),
    "garbage": (["soon"], None),
    "empty": ([""], None),
    "list": (["300, 600"], None),
    "past": ([in_seconds(-3600)], None),
    "seconds": (["300"], 300),
    "spaces": ([" \t 300 \t"], 300),
    "endless-digits": (["9" * 5000], OWN_WAIT + ASKED_BEYOND),
    "far": ([in_seconds(366 * 86400)], OWN_WAIT + ASKED_BEYOND),
    "date": ([email.utils.format_datetime(NOW + datetime.timedelta(seconds=3600), usegmt=True)], 3600),
    "date-of-rfc-850": ([in_seconds(3600, "%A, %d-%b-%y %H:%M:%S GMT")], 3600),
    "date-of-asctime": ([in_seconds(3600, "%a %b %e %H:%M:%S %Y")], 3600),
    "twice": (["300", "600"], 600),
    "twice-the-other-way": (["600", "300"], 600),
    "twice-with-garbage": (["300", "soon"], 300),
}


class Blunt:
    """Reads a push and writes what its path's entry makes, whatever that is. Over TLS with a context."""

    def __init__(self, test, answers, context=None):
        self.answers = answers
        self.pushed = collections.Counter()
        self.lock = threading.Lock()
        blunt = self

        class Handler(BluntHandler):
            def __init__(self, request, *more):
                self.blunt = blunt
                self.context = context
                super().__init__(request, *more)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)


class BluntHandler(socketserver.BaseRequestHandler):
    blunt = None
    context = None

    def handle(self):
        try:
            with self.context.wrap_socket(self.request, server_side=True) if self.context else self.request as peer:
                self.answer(peer)
        except OSError:  # the node has left, or does not trust this end
            pass

    def answer(self, peer):
        with peer.makefile("rb") as said:
            if said.peek(1)[:1] != b"P":
                peer.sendall(b"HTTP/1.1 400 No\r\n\r\n")
                return
            path = said.readline().split(b" ")[1].decode()
            length = 0
            while (line := said.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            said.read(length)
        with self.blunt.lock:
            self.blunt.pushed[path] += 1
        for piece in self.blunt.answers[path.strip("/")]():
            peer.sendall(piece)


def made_certificate(folder, name, host="127.0.0.1", expired=False):
    """Certificate and key, signed by itself."""
    certificate, key, request = (folder / f"{name}.{kind}" for kind in ("pem", "key", "csr"))
    (folder / f"{name}.cnf").write_text(
        f"[ca]\ndefault_ca = it\n[it]\ndatabase = {folder}/{name}.index\nrand_serial = yes\nnew_certs_dir = {folder}\n"
        "default_md = sha256\npolicy = any\nx509_extensions = its\n[any]\ncommonName = supplied\n"
        f"[its]\nsubjectAltName = IP:{host}\nbasicConstraints = CA:true\n")
    (folder / f"{name}.index").write_text("")
    until = ("20200101000000Z", "20200201000000Z") if expired else ("20200101000000Z", "20990101000000Z")
    for command in (["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                     f"/CN={name}", "-keyout", key, "-out", request],
                    ["ca", "-batch", "-selfsign", "-config", folder / f"{name}.cnf", "-keyfile", key, "-in", request,
                     "-out", certificate, "-notext", "-startdate", until[0], "-enddate", until[1]]):
        subprocess.run(["openssl", *map(str, command)], check=True, capture_output=True)
    return certificate, key


def tls(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


class BadSubscribers(world.SystemTest):

    def serve(self, **calls):
        w, _ = world_of_subscribers(self, "sqlite", calls={"connect_timeout": "3s", "call_timeout": "4s", **calls},
                                    delivery={"settle_after": "4s"},
                                    subscriptions={"lease": "20s", "retry_schedule": [f"{OWN_WAIT}s"]})
        node = w.serve()
        return node, Api(node)

    def push_to(self, node, api, urls):
        """One event to each; the delivery and its only attempt by name, once all are tried."""
        hooks = {name: api.subscribe(name, url, event_types=[f"to.{name}"]) for name, url in urls.items()}
        events = {name: api.publish(f"to.{name}", b'{"to":"%s"}' % name.encode()) for name in hooks}
        paths = {name: f"/v1/subscriptions/{hooks[name]['id']}/deliveries/{events[name]}" for name in hooks}

        def tried(name):
            shown = api.ask("GET", paths[name])[1]
            return shown if shown.get("state") not in (None, "pending") and not shown["in_flight"] else None
        done = {name: world.wait_until(lambda name=name: node.alive() and tried(name), 60, f"{name} was pushed to")
                for name in hooks}
        attempts = {name: api.must("GET", paths[name] + "/attempts")["attempts"] for name in hooks}
        self.assertEqual({name: len(each) for name, each in attempts.items()}, {name: 1 for name in hooks})
        return {name: (done[name], attempts[name][0]) for name in hooks}

    def test_of_each_bad_answer_is_kept_what_it_said_and_nothing_is_followed(self):
        node, api = self.serve()
        blunt = Blunt(self, {name: said for name, (said, _) in SAID.items()})
        found = self.push_to(node, api, {name: f"{blunt.url}/{name}" for name in SAID})
        for name, (_, expected) in SAID.items():
            delivery, attempt = found[name]
            kept = Expected(delivery["state"], attempt["error_class"], attempt["status"],
                            attempt["answer"] if expected.answer is not None else None, attempt["answer_cut"])
            with self.subTest(name):
                self.assertEqual(kept, expected)
                self.assertEqual(attempt["error"] is None, expected.state == "delivered")
        self.assertEqual(blunt.pushed, {f"/{name}": 1 for name in SAID})
        self.assertIn("never followed", found["redirecting"][1]["error"])
        self.assertIn("256 KiB", found["endless-header"][1]["error"])
        self.assertIsNone(node.child.poll())

    def test_of_each_retry_after_is_granted_what_makes_sense(self):
        node, api = self.serve()

        def busy(values):
            lines = "".join(f"Retry-After: {value}\r\n" for value in values)
            return lambda: [f"HTTP/1.1 503 Busy\r\n{lines}Connection: close\r\nContent-Length: 0\r\n\r\n".encode()]
        blunt = Blunt(self, {name: busy(values) for name, (values, _) in ASKED.items()})
        found = self.push_to(node, api, {name: f"{blunt.url}/{name}" for name in ASKED})
        for name, (_, asked) in ASKED.items():
            delivery, attempt = found[name]
            waits = (datetime.datetime.fromisoformat(delivery["due_at"].replace("Z", "+00:00"))
                     - datetime.datetime.fromisoformat(attempt["ended_at"].replace("Z", "+00:00"))).total_seconds()
            least = OWN_WAIT if asked is None else asked - 60 if name.startswith("date") else asked
            with self.subTest(name, waits=waits):
                self.assertEqual(attempt["error_class"], "http_503")
                self.assertGreaterEqual(waits, least - 1)
                self.assertLessEqual(waits, max(asked or 0, least) + OWN_WAIT / 10 + 1)

    def test_what_cannot_be_trusted_is_sent_nothing(self):
        folder = self.world().folder
        trusted = made_certificate(folder, "trusted")
        expired = made_certificate(folder, "expired", expired=True)
        elsewhere = made_certificate(folder, "elsewhere", host="127.0.0.9")
        everything = folder / "all.pem"
        everything.write_bytes(b"".join(files[0].read_bytes() for files in (trusted, expired, elsewhere)))
        old = tls(*trusted)
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        answers = collections.defaultdict(lambda: SAID["well"][0])
        servers = {"expired": Blunt(self, answers, tls(*expired)),
                   "wrong-name": Blunt(self, answers, tls(*elsewhere)),
                   "unknown": Blunt(self, answers, tls(*made_certificate(folder, "unknown"))),
                   "too-old": Blunt(self, answers, old),
                   "plain": Blunt(self, answers),
                   "trusted": Blunt(self, answers, tls(*trusted))}
        node, api = self.serve(ca_file=str(everything))
        found = self.push_to(node, api, {name: server.url.replace("http:", "https:") + "/hook"
                                         for name, server in servers.items()})
        self.assertEqual({name: (delivery["state"], attempt["error_class"], attempt["status"])
                          for name, (delivery, attempt) in found.items()},
                         {name: ("retrying", "not_connected", None) for name in servers if name != "trusted"}
                         | {"trusted": ("delivered", None, 204)})
        words = {name: attempt["error"] for name, (_, attempt) in found.items()}
        for name in ("expired", "wrong-name", "unknown"):
            self.assertIn("certificate was not accepted", words[name])
        for name in ("too-old", "plain"):
            self.assertIn("TLS handshake failed", words[name])
        self.assertEqual({name: sum(server.pushed.values()) for name, server in servers.items()},
                         {name: int(name == "trusted") for name in servers})

    def test_a_subscriber_that_speaks_tls_where_none_is_meant_is_cut(self):
        certificate = made_certificate(self.world().folder, "its")
        node, api = self.serve()
        deaf = Blunt(self, {}, tls(*certificate))
        delivery, attempt = self.push_to(node, api, {"deaf": deaf.url.replace("https:", "http:") + "/hook"})["deaf"]
        self.assertEqual((delivery["state"], attempt["error_class"], attempt["status"]), ("retrying", "cut", None))
        self.assertEqual(sum(deaf.pushed.values()), 0)


if __name__ == "__main__":
    world.main()
