"""Clients of a node's API: those that read at a steady rate, those that idle and those that are slow."""

import http.client
import os
import random
import socket
import threading
import time

CLIENTS = 32
IDLE = 2_000
SLOW = 50


def read_targets(rule, records):
    """What people look at, each as often as the others; the record and the page are any of the rule's."""
    number = random.randrange(records)
    return random.choice([
        "/v1/status", f"/v1/rules/{rule}", f"/v1/runs?limit=50", f"/v1/rules/{rule}/runs?limit=50", "/v1/stops",
        "/v1/holds", f"/v1/rules/{rule}/backfill", f"/v1/rules/{rule}/records/c{number:08d}",
        f"/v1/rules/{rule}/ledger?limit=100&after=c{number:08d}", f"/v1/rules/{rule}/ledger/counts"])


class Readers:
    """So many clients, which together ask so often a second until they are told to end. A call that comes late because
    the one before it took long counts from when it was due."""

    def __init__(self, port, token, rule, records, calls_a_second=200, clients=CLIENTS):
        self._port = port
        self._headers = {"Authorization": f"Bearer {token}"}
        self._rule = rule
        self._records = records
        self._pause = clients / calls_a_second
        self._began = time.monotonic()
        self._cpu = 0.0
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._seconds = {}
        self._failures = []
        self._threads = [threading.Thread(target=self._read, args=(number * self._pause / clients,))
                         for number in range(clients)]
        for thread in self._threads:
            thread.start()

    def _read(self, offset):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        due = time.monotonic() + offset
        while not self._end.wait(max(0.0, due - time.monotonic())):
            target = read_targets(self._rule, self._records)
            try:
                connection.request("GET", target, headers=self._headers)
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    raise RuntimeError(f"{target} was answered {answer.status}")
            except (OSError, http.client.HTTPException, RuntimeError) as error:
                self._failures.append(f"{target}: {error}")
                return
            kind = target.split("?")[0].rsplit("/", 1)[-1] if "/records/" not in target else "explain"
            with self._lock:
                self._seconds.setdefault(kind, []).append(time.monotonic() - due)
            due += self._pause
        connection.close()
        with self._lock:
            self._cpu += time.thread_time()

    def end(self):
        """Milliseconds of every call, by what was asked, and the share of the machine that asking took."""
        self._end.set()
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise RuntimeError(self._failures[0])
        share = self._cpu / (time.monotonic() - self._began) / os.cpu_count()
        return {kind: [1000 * one for one in values] for kind, values in self._seconds.items()}, share


class Crowd:
    """Clients that are connected and ask nothing, and clients that send their request a byte a second."""

    def __init__(self, port, token, idle=IDLE, slow=SLOW):
        self._idle = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(idle)]
        self._slow = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(slow)]
        self._request = f"GET /v1/status HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._drip)
        self._thread.start()

    def _drip(self):
        sent = 0
        while not self._end.wait(1.0) and sent < len(self._request):
            for one in self._slow:
                try:
                    one.send(self._request[sent:sent + 1])
                except OSError:
                    pass  # it took too long, and the node has closed it
            sent += 1

    def leave(self):
        self._end.set()
        self._thread.join()
        for one in self._idle + self._slow:
            one.close()
