"""Amazon SNS as far as it tells Sluice of messages: envelopes signed as SNS signs them by certificates made here, the
place these certificates are fetched from, and the confirmation of a subscription.

A node reaches it where it reaches SNS, at https://sns.REGION.amazonaws.com: by a proxy (`settings`) that leads there,
and on to whatever else is asked for on this machine."""

import base64
import datetime
import http.client
import http.server
import json
import re
import secrets
import ssl
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from target import Server

SIGNED = {"Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
          "SubscriptionConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn",
                                       "Type")}
DIGESTS = {"1": "-sha1", "2": "-sha256"}


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *map(str, arguments)], input=data, check=True, capture_output=True).stdout


def made_authority(folder, name):
    """Its certificate's file; the key is beside it."""
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout",
            folder / f"{name}.key", "-out", folder / f"{name}.pem")
    return folder / f"{name}.pem"


def made_certificate(folder, name, authority, host):
    """A certificate for the host by the authority; the key is beside it."""
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={host}", "-keyout", folder / f"{name}.key", "-out",
            folder / f"{name}.csr")
    extension = folder / f"{name}.ext"
    extension.write_text(f"subjectAltName=DNS:{host}\n")
    openssl("x509", "-req", "-in", folder / f"{name}.csr", "-CA", authority, "-CAkey", authority.with_suffix(".key"),
            "-CAcreateserial", "-days", "2", "-extfile", extension, "-out", folder / f"{name}.pem")
    return folder / f"{name}.pem"


class SnsServer:
    """`certificates` has what is served under which path, `fetched` the paths that were asked for, `confirmed` the
    fields of each confirmation, `moved` where a path leads instead. `strangers` has whatever else of the internet was
    asked for."""

    def __init__(self, folder, region="eu-central-1"):
        self.host = f"sns.{region}.amazonaws.com"
        self.topic = f"arn:aws:sns:{region}:123456789012:mail-events"
        self.authority = made_authority(folder, "authority")
        self.key = made_certificate(folder, "signing", self.authority, self.host).with_suffix(".key")
        self.folder = folder
        self.certificates, self.moved = {}, {}
        self.fetched, self.confirmed, self.strangers = [], [], []
        self.certificate_url = self.publish(folder / "signing.pem")
        self.lock = threading.Lock()
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(folder / "signing.pem", self.key)
        sns = self

        class Handler(Proxy):
            def __init__(self, *arguments):
                self.sns = sns
                super().__init__(*arguments)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.proxy = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def settings(self):
        """What a node needs to reach it."""
        return {"proxy": self.proxy, "ca_file": str(self.authority)}

    def publish(self, certificate):
        """The address the certificate is served at from now on."""
        path = f"/SimpleNotificationService-{secrets.token_hex(16)}.pem"
        self.certificates[path] = certificate.read_bytes()
        return f"https://{self.host}{path}"

    def envelope(self, message, kind="Notification", version="1", key=None, **changed):
        """Signed as it stands once `changed` is in it."""
        now = datetime.datetime.now(datetime.timezone.utc)
        made = {"Type": kind, "MessageId": secrets.token_hex(16), "TopicArn": self.topic,
                "Message": message if isinstance(message, str) else json.dumps(message),
                "Timestamp": now.strftime("%Y-%m-%dT%H:%M:%S.000Z"), "SignatureVersion": version,
                "SigningCertURL": self.certificate_url}
        if kind == "SubscriptionConfirmation":
            made["Token"] = secrets.token_hex(32)
            query = urllib.parse.urlencode({"Action": "ConfirmSubscription", "Token": made["Token"],
                                            "TopicArn": changed.get("TopicArn", self.topic)})
            made["SubscribeURL"] = f"https://{self.host}/?{query}"
        made.update(changed)
        text = "".join(f"{name}\n{made[name]}\n" for name in SIGNED[kind] if name in made)
        signature = openssl("dgst", DIGESTS[version], "-sign", key or self.key, data=text.encode())
        return {**made, "Signature": base64.b64encode(signature).decode()}

    def answer(self, target):
        """Status, headers and body."""
        path, _, query = target.partition("?")
        with self.lock:
            if path == "/" and query:
                self.confirmed.append(dict(urllib.parse.parse_qsl(query)))
                return 200, "", b"<ConfirmSubscriptionResponse/>"
            self.fetched.append(path)
        if path in self.moved:
            return 302, f"Location: {self.moved[path]}\r\n", b""
        return (200, "", self.certificates[path]) if path in self.certificates else (404, "", b"")


def post(url, envelope):
    """The answer's status."""
    request = urllib.request.Request(url, json.dumps(envelope).encode(), method="POST", headers={
        "Content-Type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": envelope["Type"]})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


class Proxy(http.server.BaseHTTPRequestHandler):
    """A proxy that knows one name of the internet."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body go as two writes
    sns = None

    def do_CONNECT(self):
        if self.path != f"{self.sns.host}:443":
            return self.refuse()
        self.send_response_only(200)
        self.end_headers()
        self.close_connection = True
        with self.sns.tls.wrap_socket(self.connection, server_side=True) as inner:
            self.serve_inner(inner)
        return None

    def refuse(self):
        self.sns.strangers.append(self.path)
        self.send_error(502)

    def serve_inner(self, inner):
        inner.settimeout(30)
        head = b""
        while b"\r\n\r\n" not in head:
            read = inner.recv(4096)
            if not read:
                return
            head += read
        status, headers, body = self.sns.answer(re.match(rb"GET (\S+) ", head)[1].decode())
        head = f"HTTP/1.1 {status} So\r\n{headers}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        inner.sendall(head.encode() + body)

    def pass_on(self):
        url = urllib.parse.urlsplit(self.path)
        if url.hostname != "127.0.0.1":
            return self.refuse()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        to = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        headers = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")}
        to.request(self.command, url.path + (f"?{url.query}" if url.query else ""), body, headers)
        answer = to.getresponse()
        text = answer.read()
        to.close()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)
        return None

    do_GET = do_POST = pass_on

    def log_message(self, *_):
        pass
