"""A provider that says back what it was told: over TLS, in every place where an answer has room for a text."""

import http.server
import json
import re
import ssl
import threading
import urllib.parse

from target import Server

TOKEN = "ya29.CanaryAccessTokenQ8zV4"
TOKEN_SIGNATURE = re.compile(r"[\w-]{16,}\.[\w-]{16,}\.([\w-]{40,})")  # of a JSON web token


class EchoServer:
    """`mode` is how every call but for an access token is answered: an HTTP status, whose body and headers have `texts`;
    "well" (taken, with such texts beside the id), "malformed" (a body that is no JSON), "hang" or "cut". With "no token"
    there is no access token, and all else is taken. `tokens` has the signatures of the tokens that came, by a name."""

    def __init__(self, certificate, key):
        self.mode = 200
        self.texts = []
        self.came = []  # the paths
        self.tokens = {}
        self.released = threading.Event()
        echo = self

        class Handler(EchoHandler):
            server_of = echo

        self.server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

    def body(self, heard):
        """In the members where providers put their sentences and codes."""
        text = f"refused: {' / '.join(self.texts)} / {heard}"
        if self.mode == "malformed":
            return ("<html>" + text + "</html>").encode()
        if self.mode in ("well", "no token"):
            return json.dumps({"MessageId": "0100-1", "sid": "SM" + "1" * 32, "name": "projects/canary-1/messages/1",
                               "id": "wh-1", "status": "queued", "body": text, "to": text}).encode()
        members = ("message", "Message", "reason", "id", "sid", "MessageId", "name", "more_info", "status", "detail",
                   "error_description", "body", "to", "To")
        return json.dumps({**{name: text for name in members}, "code": text, "error_message": text,
                           "error": {"code": 400, "message": text, "status": text, "details": [
                               {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": text},
                               {"@type": "type.googleapis.com/google.rpc.BadRequest",
                                "fieldViolations": [{"field": text, "description": text}]}]}}).encode()

    def headers(self):
        line = " ".join(text for text in self.texts if "\n" not in text).encode("ascii", "ignore").decode()
        if self.mode in ("well", "no token"):
            return {"apns-id": "11111111-2222-4333-8444-555555555555", "X-Echo": line}
        names = ("x-amzn-ErrorType", "x-amzn-RequestId", "apns-id", "X-Echo", "WWW-Authenticate")
        return {**dict.fromkeys(names, line), "Retry-After": "1" if self.mode == 429 else line,
                "Location": "https://127.0.0.1:1/" + urllib.parse.quote(line)}


class EchoHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of = None

    def do_POST(self):
        of = self.server_of
        heard = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode("utf-8", "replace")
        heard += self.headers.get("Authorization", "")
        of.tokens.update({f"a token for {self.path[:9]}": found[:40] for found in TOKEN_SIGNATURE.findall(heard)})
        if self.path == "/token":
            made = {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}
            refused = {"error": "invalid_grant", "error_description": heard}
            return self.answer(*((400, {}, json.dumps(refused).encode()) if of.mode == "no token" else
                                 (200, {}, json.dumps(made).encode())))
        of.came.append(self.path)
        if of.mode in ("hang", "cut"):
            if of.mode == "hang":
                of.released.wait()
            self.close_connection = True
            return None
        return self.answer(of.mode if isinstance(of.mode, int) else 200, of.headers(), of.body(heard + self.path))

    do_GET = do_POST

    def answer(self, status, headers, body):
        self.send_response_only(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass
