#!/usr/bin/env -S python3 -B
"""The API over TLS: who is let in, what a command trusts, and a certificate that is renewed while the node serves."""

import http.client
import json
import re
import signal
import socket
import ssl

import world
from certificates import made_certificate
from world import as_toml, merged, rest_connection, rule


def certificate_settings(folder, name):
    certificate, key = made_certificate(folder, name)
    return {"tls_certificate_file": str(certificate), "tls_key_file": str(key)}


class Tls(world.SystemTest):

    def node(self, **api):
        w = self.world()
        self.files = certificate_settings(w.folder, "first")
        w.settings = merged(w.settings, {"api": {**world.API, **self.files, "socket": "none", **api}})
        w.write("sluice.toml", as_toml(w.settings))
        node = w.serve()
        self.port = int(re.search(r"api\.listening.* address=\S+:(\d+)", node.said())[1])
        return w, node

    def trusting(self, path=None):
        return ssl.create_default_context(cafile=path or self.files["tls_certificate_file"])

    def get(self, target, context=None, method="GET", body=None):
        to = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=context or self.trusting())
        to.request(method, target, body, {"Authorization": f"Bearer {world.API['token']}",
                                          **({"Content-Type": "application/json"} if body else {})})
        answer = to.getresponse()
        text = answer.read()
        to.close()
        return answer, text

    def shown(self):
        return ssl.get_server_certificate(("127.0.0.1", self.port), timeout=20)

    def test_it_is_served_by_tls_and_by_nothing_older_than_1_2(self):
        self.node()
        answer, text = self.get("/v1/status")
        self.assertEqual(answer.status, 200)
        self.assertIn("rules", json.loads(text))
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.get("/v1/status", ssl.create_default_context())
        old = self.trusting()
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            self.get("/v1/status", old)

    def test_what_is_no_tls_gets_no_answer_and_harms_nobody(self):
        self.node(header_timeout="300ms")
        for said in (b"GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x40", b""):
            with socket.create_connection(("127.0.0.1", self.port), timeout=20) as plain:
                plain.sendall(said)
                try:
                    self.assertNotIn(b"HTTP/", plain.recv(1000))
                except ConnectionError:
                    pass
        self.assertEqual(self.get("/v1/status")[0].status, 200)

    def test_a_sign_in_is_marked_secure(self):
        self.node()
        answer, _ = self.get("/v1/session", method="POST", body=json.dumps({"token": world.API["token"]}))
        self.assertEqual(answer.status, 201)
        self.assertIn("Secure", answer.getheader("Set-Cookie"))

    def test_a_large_answer_and_one_that_never_ends_come_through(self):
        w, _ = self.node()
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        lines = "".join(json.dumps({"id": str(n), "record": {"id": str(n)}}) + "\n" for n in range(30_000))
        to = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.trusting())
        to.request("POST", "/v1/connections/shop/records/customers", iter([lines.encode()]),
                   {"Authorization": f"Bearer {world.API['token']}", "Content-Type": "application/x-ndjson",
                    "Transfer-Encoding": "chunked"}, encode_chunked=True)
        self.assertEqual(to.getresponse().status, 200)
        to.close()
        self.assertEqual(w.query("SELECT count(*) FROM mirror_records"), [("30000",)])
        to = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.trusting())
        to.request("GET", "/v1/live", headers={"Authorization": f"Bearer {world.API['token']}"})
        self.assertTrue(to.getresponse().readline())
        to.close()

    def test_commands_trust_the_certificate_of_their_settings_and_no_other(self):
        w, _ = self.node()
        settings = merged(w.settings, {"api": {"listen": f"127.0.0.1:{self.port}"}})
        done = w.run("status", config=w.write("same.toml", as_toml(settings)))
        self.assertEqual(done.code, 0, done.err)
        other = merged(settings, {"api": certificate_settings(w.folder, "other")})
        self.assertEqual(w.run("status", config=w.write("other.toml", as_toml(other))).code, 3)

    def test_a_renewed_certificate_is_shown_from_then_on_and_a_broken_one_is_not(self):
        w, node = self.node()
        before = self.shown()
        fresh = certificate_settings(w.folder, "fresh")
        for kind, path in self.files.items():
            world.pathlib.Path(path).write_bytes(world.pathlib.Path(fresh[kind]).read_bytes())
        node.send(signal.SIGHUP)
        world.wait_until(lambda: self.shown() != before, 10, "the new certificate is shown")
        self.assertEqual(self.get("/v1/status")[0].status, 200)
        world.pathlib.Path(self.files["tls_key_file"]).write_text("no key")
        node.send(signal.SIGHUP)
        world.wait_until(lambda: "api.identity_refused" in node.said(), 10, "the log says so")
        self.assertEqual(self.get("/v1/status")[0].status, 200)
        self.assertEqual(node.terminate(), 0)

    def test_settings_with_half_of_it_are_refused(self):
        w = self.world()
        files = certificate_settings(w.folder, "first")
        half = merged(w.settings, {"api": {**world.API, "tls_certificate_file": files["tls_certificate_file"]}})
        done = w.run("config", "check", config=w.write("half.toml", as_toml(half)))
        self.assertEqual(done.code, 2)
        self.assertIn("tls_key_file", done.err)


if __name__ == "__main__":
    world.main()
