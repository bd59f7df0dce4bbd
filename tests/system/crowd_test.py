#!/usr/bin/env -S python3 -B
"""Ten thousand connections to a node that allows 256: they keep nobody out and cost it nothing that stays."""

import http.client
import random
import re
import resource
import socket

import world
from world import records, rest_connection, rule

CONNECTIONS = 10_000
SAID = (b"", b"GET /v1/status HTTP/1.1\r\nHo", b"\x00\xff\x16\x03\x01garbage\r\n\r\n", b"POST / HTTP/1.1\r\nHost: x\r\n"
        b"Content-Length: 99999999999\r\n\r\n")


class Crowd(world.SystemTest):

    def setUp(self):
        least = CONNECTIONS + 1000
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < least:
            self.skipTest(f"a process may open {hard} files here, this needs {least}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, least), hard))

    def status(self):
        """Of a request by somebody who may ask, on a connection of its own."""
        to = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        to.request("GET", "/v1/status", headers={"Authorization": f"Bearer {world.API['token']}"})
        answer = to.getresponse()
        answer.read()
        to.close()
        return answer.status

    @staticmethod
    def memory(node):
        """KiB that the process holds."""
        with open(f"/proc/{node.child.pid}/status") as told:
            return int(re.search(r"VmRSS:\s+(\d+)", told.read())[1])

    def test_who_may_ask_is_answered_and_deliveries_go_on(self):
        w = self.world(api=world.API)
        crm = w.crm()
        w.apply([rest_connection("crm", crm.url)], [rule()])
        node = w.serve()
        self.port = int(re.search(r"api\.listening.* address=\S+:(\d+)", node.said())[1])
        self.assertEqual(self.status(), 200)
        before = self.memory(node)
        chosen = random.Random(7)
        crowd = []
        try:
            for number in range(CONNECTIONS):
                one = socket.create_connection(("127.0.0.1", self.port), timeout=20)
                crowd.append(one)
                try:
                    one.sendall(chosen.choice(SAID))
                except ConnectionError:
                    pass  # it made room for another already
                if number % 500 == 0:
                    self.assertEqual(self.status(), 200, f"with {number} connections")
            self.assertEqual(self.status(), 200)
            w.must_import("customers", records(500))
            world.wait_until(lambda: node.alive() and w.delivered(500), 60, "500 records are delivered beside the crowd")
            self.assertLess(self.memory(node) - before, 64 * 1024)
        finally:
            for one in crowd:
                one.close()
        self.assertEqual(self.status(), 200)
        self.assertEqual(node.terminate(), 0)


if __name__ == "__main__":
    world.main()
