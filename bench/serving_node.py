"""A node that serves its API, from `start` to `stop`, and what it is asked over it."""

import http.client
import json
import time

import services
import sluice_driver
from sluice_runs import stop

TOKEN = "a-token-of-the-benchmark"
TENANT = "bench"
IDLE_SECONDS = 30  # well under api.idle_timeout


class ServingNode:
    """A Sluice without rules; `sections` is what its settings have beside the API and a key."""

    def __init__(self, bench, kind, sink, settings, sections):
        self.kind = kind
        self.port = services.free_port()
        sections = {"api": {"listen": f"127.0.0.1:{self.port}", "token": TOKEN},
                    "keys": {"keys": ["bench:" + "7" * 64], "fingerprint_keys": ["bench-found:" + "5" * 64]}, **sections}
        self.sluice = sluice_driver.Sluice(bench.options.sluice, bench.all, kind, sink, settings, sections)
        self.sluice.apply()
        self.tables = self.sluice.tables()
        self.process = None
        self._api = None
        self._asked_at = 0.0

    def start(self):
        self.process = self.sluice.start("serve")
        try:
            services.wait_until(self._is_ready, "the node's readiness")
        except BaseException:
            self.stop()
            raise
        self._api = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def _is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"sluice serve ended by itself with {self.process.returncode}")
        probe = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            probe.request("GET", "/readyz")
            return probe.getresponse().status == 200
        except OSError:
            return False
        finally:
            probe.close()

    def stop(self):
        if self._api is not None:
            self._api.close()
            self._api = None
        if self.process is not None:
            stop(self.process)
            self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.tables.close()

    def ask(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        if time.monotonic() - self._asked_at > IDLE_SECONDS:
            self._api.close()  # and opened anew by itself: the node ends what was idle for its own while
        self._asked_at = time.monotonic()
        self._api.request(method, path, body, headers)
        answer = self._api.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {text.decode(errors='replace')}")
        return json.loads(text)

    def cpu_seconds(self, server=None):
        """Of the node and, where its pid is given, of the database server."""
        return services.tree_cpu_seconds(self.process.pid) + (services.tree_cpu_seconds(server) if server else 0.0)
