"""A subscriber of the tests: it keeps what is pushed to it as it came, and answers as it is told."""

import collections
import socketserver
import threading

from target import Server

# A push as it arrived; header names in lower case.
Push = collections.namedtuple("Push", "path headers body")

NO_CONTENT = b"HTTP/1.1 204 No Content\r\n\r\n"


class Receiver:
    """Answers 204 at once, or for a path the status that `statuses` names, with the body that `bodies` names."""

    def __init__(self):
        self.statuses = {}
        self.bodies = {}
        self.hold = threading.Event()  # cleared: a push is kept, and its answer waits
        self.hold.set()
        self.hold_from = None  # with so many pushes hold is cleared
        self.lock = threading.Lock()
        self.kept = []
        receiver = self

        class Handler(PushHandler):
            def __init__(self, *arguments):
                self.receiver = receiver
                super().__init__(*arguments)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.hold.set()
        self.server.shutdown()
        self.server.server_close()

    def hold_at(self, count):
        """Holds the answer of the push with this number, counted from the first, and of all after it."""
        with self.lock:
            self.hold_from = count

    def let_go(self):
        with self.lock:
            self.hold_from = None
            self.hold.set()

    def keep(self, push):
        with self.lock:
            self.kept.append(push)
            if self.hold_from is not None and len(self.kept) >= self.hold_from:
                self.hold.clear()

    def count(self):
        with self.lock:
            return len(self.kept)

    def pushes(self, path=None):
        """In the order they came."""
        with self.lock:
            return [push for push in self.kept if path in (None, push.path)]


class PushHandler(socketserver.StreamRequestHandler):
    """Reads heads by itself: the library's parser would take longer than the node under test."""

    disable_nagle_algorithm = True
    receiver = None

    def handle(self):
        try:
            while self.one():
                pass
        except OSError:  # the node was killed
            pass

    def one(self):
        line = self.rfile.readline()
        if not line.endswith(b"\r\n"):
            return False
        path = line.split(b" ")[1].decode()
        headers = {}
        while (line := self.rfile.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", 0)))
        if len(body) != int(headers.get("content-length", 0)):
            return False
        self.receiver.keep(Push(path, headers, body))
        self.receiver.hold.wait()
        status = self.receiver.statuses.get(path, 204)
        told = self.receiver.bodies.get(path, b"")
        self.wfile.write(NO_CONTENT if status == 204 else
                         b"HTTP/1.1 %d Told so\r\nContent-Length: %d\r\n\r\n%s" % (status, len(told), told))
        return True
