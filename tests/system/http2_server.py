"""A server that speaks HTTP/2 over TLS and nothing else, on Python's h2 package. Streams of a connection are answered
as their answers come, not in the order they were opened."""

import json
import ssl
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
from provider_server import Planned, Refusal
from target import Server


class Http2Server(Planned):
    """`tls` are the files of a certificate and its key. `connections` has how many there were, `ended` how many of them
    were ended by `end_connections`."""

    def __init__(self, tls):
        super().__init__()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        context.set_alpn_protocols(["h2"])
        self.connections = self.asked_to_end = self.ended = 0
        owner = self

        class Handler(Connection):
            def __init__(self, taken, *_):
                super().__init__(owner, context, taken)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    def end_connections(self):
        """As servers end those that idle: by GOAWAY."""
        self.asked_to_end = self.connections

    def answer(self, headers, body):
        """(status, headers, the plan of a submission). Raises Refusal."""
        raise NotImplementedError


class Connection:
    """Serves one to its end. One thread does it all: a TLS connection is not for two."""

    def __init__(self, server, context, taken):
        self.server = server
        self.socket = context.wrap_socket(taken, server_side=True)
        if self.socket.selected_alpn_protocol() != "h2":
            self.socket.close()
            return
        self.server.connections += 1
        self.number = self.server.connections
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.requests = {}  # stream to headers and body so far
        self.answers = []  # (when, stream, status, headers, body)
        self.open = set()  # streams
        try:
            self.serve()
        except (OSError, h2.exceptions.ProtocolError):  # the client has left
            pass
        finally:
            for stream in list(self.open):
                self.end(stream)
            self.socket.close()

    def begin(self, stream):
        self.open.add(stream)
        self.server.count_in_hand(1)

    def end(self, stream):
        if stream in self.open:
            self.open.remove(stream)
            self.server.count_in_hand(-1)

    def serve(self):
        self.state.initiate_connection()
        while not self.server.stopped.is_set():
            self.send_due()
            if self.number <= self.server.asked_to_end and not self.open:
                self.state.close_connection()
                self.send_due()
                self.server.ended += 1
                return
            data = self.read()
            if data == b"":
                return
            for event in self.state.receive_data(data) if data else ():
                if not self.take(event):
                    return

    def read(self):
        """What has come; nothing where nothing came for a moment, empty at the end."""
        self.socket.settimeout(0.01)
        try:
            return self.socket.recv(65536)
        except TimeoutError:
            return None

    def take(self, event):
        """Whether the connection goes on."""
        if isinstance(event, h2.events.RequestReceived):
            self.begin(event.stream_id)
            self.requests[event.stream_id] = dict(event.headers), bytearray()
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id][1].extend(event.data)
            self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.end(event.stream_id)
            self.requests.pop(event.stream_id, None)
            self.answers = [answer for answer in self.answers if answer[1] != event.stream_id]
        elif isinstance(event, h2.events.StreamEnded):
            return self.respond(event.stream_id, *self.requests.pop(event.stream_id))
        return not isinstance(event, h2.events.ConnectionTerminated)

    def respond(self, stream, headers, body):
        """Whether the connection goes on."""
        try:
            status, more, plan = self.server.answer(headers, bytes(body))
            content = b""
        except Refusal as refusal:
            self.server.refused.append(refusal.body)
            status, more, plan, content = refusal.status, refusal.headers, None, json.dumps(refusal.body).encode()
        if plan != "hang":
            wait = self.server.late_by if plan == "late" else 0
            self.answers.append((time.monotonic() + wait, stream, status, more, content))
        return plan != "cut"

    def send_due(self):
        for due in [answer for answer in self.answers if answer[0] <= time.monotonic()]:
            self.answers.remove(due)
            _, stream, status, headers, content = due
            self.state.send_headers(stream, [(":status", str(status)), *headers.items()], end_stream=not content)
            if content:
                self.state.send_data(stream, content, end_stream=True)
            self.end(stream)
        self.socket.settimeout(10)
        self.socket.sendall(self.state.data_to_send())
