"""Programs the tests run, and how they wait for them."""

import collections
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.request

SOURCES = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SLUICE_BINARY") or str(SOURCES / "build" / "release" / "sluice")

# A number of a JSON text as it was written, so that 18.0 is not 18.00.
Number = collections.namedtuple("Number", "digits")


def read_json(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def wait_until(condition, seconds, what):
    """The first answer of `condition` that is not false; the time only bounds a failure."""
    give_up_at = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > give_up_at:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)


class Process:
    """A running program; what it says on standard error is kept in a file."""

    def __init__(self, arguments, log, environment=None):
        self.log = log
        self.ended_in = 0.0
        with open(log, "ab") as said:
            self.child = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=said, stdin=subprocess.DEVNULL,
                                          env={**os.environ, **(environment or {})})

    def said(self):
        return self.log.read_text(errors="replace")

    def alive(self):
        if self.child.poll() is not None:
            raise AssertionError(f"the process ended by itself with {self.child.returncode}: {self.said()}")
        return True

    def send(self, number):
        self.child.send_signal(number)

    def wait(self, seconds):
        """The exit code."""
        since = time.monotonic()
        code = self.child.wait(seconds)
        self.ended_in = time.monotonic() - since
        self.child.stdout.close()
        return code

    def kill(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGCONT)
            self.child.kill()
        return self.wait(30)

    def terminate(self, seconds=10):
        self.send(signal.SIGTERM)
        return self.wait(seconds)


class Crm(Process):
    """`sluice crm`."""

    def __init__(self, log, *options):
        super().__init__([BINARY, "crm", "--listen", "127.0.0.1:0", *options], log)
        self.url = "http://" + self.child.stdout.readline().decode().split()[1]

    def state(self, collection=None):
        path = "/_state" + (f"/{collection}" if collection else "")
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            text = answer.read().decode()
        return read_json(text) if collection else json.loads(text)

    def count(self, collection, what="count"):
        return self.state()["collections"].get(collection, {}).get(what, 0)

    def requests(self):
        return self.state()["requests"]

    def items(self, collection):
        """External id to fields; one that is there twice has a list of both."""
        held = {}
        for item in self.state(collection)["items"]:
            held.setdefault(item["external_id"], []).append(item["fields"])
        return {key: copies[0] if len(copies) == 1 else copies for key, copies in held.items()}
