#!/usr/bin/env -S python3 -B
"""Records posted to a running node as a stream: beside deliveries, cut by kill -9, and when the node is told to end."""

import json
import re
import socket

import world
from world import fields_of, on_each_engine, records, rest_connection, rule

BATCH = 1000
POSTED = 20 * BATCH + 1


def lines_of(made):
    return "".join(json.dumps({"id": record["id"], "record": record}, ensure_ascii=False) + "\n" for record in made)


class Post:
    """One post of records that says as it goes what is stored."""

    def __init__(self, node, domain="customers"):
        host, _, port = re.search(r"api\.listening.* address=(\S+)", node.said())[1].rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.received = b""
        self.socket.sendall((f"POST /v1/connections/shop/records/{domain}?progress=true HTTP/1.1\r\nHost: x\r\n"
                             f"Authorization: Bearer {world.API['token']}\r\nTransfer-Encoding: chunked\r\n"
                             "Content-Type: application/x-ndjson\r\n\r\n").encode())

    def send(self, text):
        data = text.encode()
        self.socket.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def end(self):
        self.socket.sendall(b"0\r\n\r\n")

    def close(self):
        self.socket.close()

    def more(self):
        """False: the node says nothing more."""
        try:
            piece = self.socket.recv(65536)
        except ConnectionError:
            piece = b""
        self.received += piece
        return piece != b"" and not self.received.endswith(b"\r\n0\r\n\r\n")

    def told(self):
        """The lines that have come whole."""
        return [json.loads(line) for line in self.received.split(b"\r\n") if line[:1] == b"{" and line[-1:] == b"\n"]

    def wait_for(self, stored):
        while not any(line.get("stored", 0) >= stored for line in self.told()):
            assert self.more(), self.received
        return max(line.get("stored", 0) for line in self.told())

    def last(self):
        while self.more():
            pass
        self.close()
        return self.told()[-1]


class Intake(world.SystemTest):

    def posting_world(self, engine):
        w = self.world(engine, api=world.API, intake={"batch_records_max": BATCH})
        self.crm = w.crm()
        w.apply([rest_connection("crm", self.crm.url)], [rule()])
        return w

    @staticmethod
    def stored(w):
        return int(w.query("SELECT count(*) FROM mirror_records")[0][0])

    @on_each_engine
    def test_a_stream_is_stored_and_delivered(self, engine):
        w = self.posting_world(engine)
        node = w.serve()
        made = records(POSTED)
        post = Post(node)
        for first in range(0, POSTED, 700):
            post.send(lines_of(made[first:first + 700]))
        post.end()
        report = post.last()
        self.assertEqual(report["inserted"], POSTED)
        world.wait_until(lambda: node.alive() and w.delivered(POSTED), 120, "all are delivered")
        w.assert_agree(self.crm, "customers", fields_of(made))
        again = Post(node)
        again.send(lines_of(made[:BATCH]))
        again.end()
        self.assertEqual(again.last()["unchanged"], BATCH)
        self.assertEqual(node.terminate(), 0)

    @on_each_engine
    def test_what_was_acknowledged_is_there_after_a_kill(self, engine):
        w = self.posting_world(engine)
        node = w.serve()
        made = records(POSTED)
        post = Post(node)
        post.send(lines_of(made))
        acknowledged = post.wait_for(5 * BATCH)
        node.kill()
        while post.more():
            pass
        acknowledged = max([acknowledged, *[line.get("stored", 0) for line in post.told()]])
        post.close()
        stored = self.stored(w)
        self.assertGreaterEqual(stored, acknowledged)
        self.assertEqual(stored % BATCH, 0)
        node = w.serve()
        post = Post(node)
        post.send(lines_of(made))
        post.end()
        self.assertEqual(post.last()["stored"], POSTED)
        self.assertEqual(self.stored(w), POSTED)
        self.assertEqual(node.terminate(), 0)

    @on_each_engine
    def test_a_stream_ends_with_the_node_at_what_is_stored(self, engine):
        w = self.posting_world(engine)
        node = w.serve()
        post = Post(node)
        post.send(lines_of(records(5 * BATCH + 1)))
        post.wait_for(5 * BATCH)
        self.assertEqual(node.terminate(), 0)
        self.assertLess(node.ended_in, 10)
        last = post.last()
        self.assertEqual((last["status"], last["stored"], last["through_line"]), (503, 5 * BATCH, 5 * BATCH))
        self.assertEqual(self.stored(w), 5 * BATCH)


if __name__ == "__main__":
    world.main()
