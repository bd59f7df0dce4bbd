"""What the stand-ins of HTTP providers share: planned misbehaviour, and answers in JSON."""

import http.server
import json
import ssl
import threading

from target import Server


class Refusal(Exception):
    def __init__(self, status, body, headers=None):
        super().__init__(str(body))
        self.status, self.body, self.headers = status, body, headers or {}


class Planned:
    """`planned` has what the next submissions get, in order: a Refusal, "hang" (taken, never answered), "cut" (taken,
    then the connection ends) or "late" (taken, answered after `late_by` seconds). `most_at_once` has how many requests
    were in hand together."""

    def __init__(self):
        self.late_by = 5
        self.planned = []
        self.refused = []  # the bodies of refusals, in order
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self.stopped = threading.Event()

    def plan(self, plans=None):
        """What the submission that is about to be taken gets; raises a Refusal, so that it is not taken."""
        plans = self.planned if plans is None else plans
        with self.lock:
            planned = plans.pop(0) if plans else None
        if isinstance(planned, Refusal):
            raise planned
        return planned

    def count_in_hand(self, step):
        with self.lock:
            self.at_once += step
            self.most_at_once = max(self.most_at_once, self.at_once)


class ProviderServer(Planned):
    """`tls` are the files of a certificate and its key; without them it is spoken to in clear."""

    def __init__(self, tls=None):
        super().__init__()
        provider = self

        class Handler(RequestHandler):
            def __init__(self, *arguments):
                self.provider = provider
                super().__init__(*arguments)

        self.server = Server(("127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            # Each connection's own thread shakes hands, at its first read.
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True,
                                                     do_handshake_on_connect=False)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, method, target, headers, body):
        """(status, JSON value, the plan of a submission), and headers where there are some. Raises Refusal."""
        raise NotImplementedError


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body go as two writes
    provider = None

    def serve(self):
        self.provider.count_in_hand(1)
        try:
            self.respond()
        finally:
            self.provider.count_in_hand(-1)

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            status, value, plan, *more = self.provider.answer(self.command, self.path, self.headers, body)
        except Refusal as refusal:
            self.provider.refused.append(refusal.body)
            return self.reply(refusal.status, refusal.body, refusal.headers)
        if plan == "hang":
            self.provider.stopped.wait()
        if plan in ("hang", "cut"):
            self.close_connection = True
            return None
        if plan == "late":
            self.provider.stopped.wait(self.provider.late_by)
        return self.reply(status, value, *more)

    do_GET = do_POST = serve

    def reply(self, status, value, more=None):
        payload = b"" if value is None else json.dumps(value).encode()
        try:
            self.send_response_only(status)
            headers = {"Date": self.date_time_string(), **(more or {})}
            for name, text in headers.items():
                self.send_header(name, text)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)
        except OSError:  # the node has given up
            self.close_connection = True

    def log_message(self, *arguments):
        pass
