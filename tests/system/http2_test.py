#!/usr/bin/env -S python3 -B
"""A target that speaks nothing but HTTP/2 over TLS: nghttp2's own server, which sends back what it gets."""

import socket

import world
from certificates import made_certificate
from processes import Process
from world import records, rest_connection, rule


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Http2(world.SystemTest):

    def deliver(self, http2):
        """Two hundred records to the server, HTTP/2 offered or not."""
        w = self.world()
        certificate, key = made_certificate(w.folder)
        trusting = world.merged(w.settings, {"calls": {"ca_file": str(certificate)},
                                             "delivery": {"retry_schedule": ["100ms"]}})
        w.config = w.write("sluice.toml", world.as_toml(trusting))
        port = free_port()
        server = w.start(Process, ["nghttpd", "--address=127.0.0.1", "--echo-upload", str(port), str(key),
                                   str(certificate)], ())
        world.wait_until(lambda: server.alive() and listens(port), 10, "the server listens")
        w.apply([rest_connection("crm", f"https://127.0.0.1:{port}", lookup=False, http2=http2)],
                [rule(mapping={"id": {"template": "{source_id}"}, "name": "/name"})])
        w.must_import("customers", records(200))
        w.run("deliver", "--once")
        return w

    def test_records_are_delivered_over_http2(self):
        w = self.deliver(http2=True)
        self.assertEqual(w.counts("customers"), {"delivered": 200})
        self.assertEqual({row["remote_id"] for row in w.ledger("customers")}, {row["id"] for row in records(200)})

    def test_nothing_arrives_there_where_http2_is_not_offered(self):
        self.assertNotIn("delivered", self.deliver(http2=False).counts("customers"))


if __name__ == "__main__":
    world.main()
