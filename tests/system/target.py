"""A target for what `sluice crm` does not do: it holds answers back until told, answers some records badly, and works
on some longer than anybody waits."""

import http.server
import json
import sys
import threading
import urllib.parse


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Clients that are killed leave connections behind."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Target:
    """Creates are kept before they are answered. `bad` has the whole answer for a record: (status, headers, chunks);
    `slow` the seconds it is worked on, without an answer, before it is kept; `limited` what it is told to wait, with
    nothing kept."""

    def __init__(self):
        self.hold = threading.Event()  # cleared: a create is kept, and its answer waits
        self.hold.set()
        self.hold_from = None  # after so many creates hold is cleared
        self.bad = {}
        self.slow = {}
        self.limited = {}
        self.begun = []  # external ids of creates that are slow, as they came
        self.stopped = threading.Event()
        self.lock = threading.Lock()
        self.objects = []  # bodies in the order they came; an object's id is its place
        self.places = {}  # external id to its objects' places
        target = self

        class Handler(RequestHandler):
            def __init__(self, *arguments):
                self.target = target
                super().__init__(*arguments)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.hold.set()
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    def hold_after(self, creates):
        """Holds the answer of the create with this number, counted from the target's first, and of all after it."""
        self.hold_from = creates
        self.hold.set()

    def keep(self, made):
        with self.lock:
            self.objects.append(made)
            place = len(self.objects)
            self.places.setdefault(made["external_id"], []).append(place)
            if place == self.hold_from:
                self.hold.clear()
            return str(place)

    def work_on(self, made):
        """Keeps it after its time; whoever asked waits as long and is never answered."""
        with self.lock:
            self.begun.append(made["external_id"])
        self.stopped.wait(self.slow[made["external_id"]])
        self.keep(made)

    def created(self):
        """The external ids, one for each create that arrived."""
        with self.lock:
            return [made["external_id"] for made in self.objects]

    def find(self, external_id):
        with self.lock:
            return [{"id": str(place)} for place in self.places.get(external_id, [])]


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body go as two writes
    target = None

    def do_POST(self):
        made = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if made["external_id"] in self.target.limited:
            self.answer_raw(429, {"Retry-After": self.target.limited[made["external_id"]]}, [])
            return
        if made["external_id"] in self.target.slow:
            self.target.work_on(made)
            self.close_connection = True
            return
        key = self.target.keep(made)
        self.target.hold.wait()
        if made["external_id"] in self.target.bad:
            self.answer_raw(*self.target.bad[made["external_id"]])
        else:
            self.answer(201, {"id": key})

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        self.answer(200, {"items": self.target.find(query["external_id"][0])})

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.answer_raw(status, {"Content-Type": "application/json"}, [body])

    def answer_raw(self, status, headers, chunks):
        try:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(sum(map(len, chunks)))}.items():
                self.send_header(name, value)
            self.end_headers()
            for chunk in chunks:
                self.wfile.write(chunk)
        except OSError:  # the client has left
            self.close_connection = True

    def log_message(self, *_):
        pass
