"""A target for what `sluice crm` does not do: it holds answers back until told, and answers some records badly."""

import http.server
import json
import threading
import urllib.parse


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class Target:
    """Creates are kept before they are answered. `bad` has the whole answer for a record: (status, headers, chunks)."""

    def __init__(self):
        self.hold = threading.Event()  # cleared: a create is kept, and its answer waits
        self.hold.set()
        self.bad = {}
        self.lock = threading.Lock()
        self.objects = []  # bodies in the order they came; an object's id is its place
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
        self.server.shutdown()
        self.server.server_close()

    def keep(self, made):
        with self.lock:
            self.objects.append(made)
            return str(len(self.objects))

    def created(self):
        """The external ids, one for each create that arrived."""
        with self.lock:
            return [made["external_id"] for made in self.objects]

    def find(self, external_id):
        with self.lock:
            return [{"id": str(place)} for place, made in enumerate(self.objects, 1)
                    if made["external_id"] == external_id]


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    target = None

    def do_POST(self):
        made = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
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
