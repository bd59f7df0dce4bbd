"""A node with subscriptions, as the benchmark makes them: over its API, as people do."""

import http.client
import json
import socket
import time

import services
import sluice_driver
from sluice_runs import stop

TOKEN = "a-token-of-the-benchmark"
TENANT = "bench"
PUBLISHED = "bench.published"
IDLE_SECONDS = 30  # well under api.idle_timeout

SETTINGS = {
    "default": {},
    "best": {"max_in_flight": 64, "claims_max": 2048, "claimed_bytes_max": 8 << 20},
}

CONCATENATE = {"sqlite": "group_concat({})", "postgresql": "string_agg(CAST({} AS text), ',')"}


class PushNode:
    """A Sluice without rules whose events go to one sink; it serves from `start` to `stop`."""

    def __init__(self, bench, kind, sink, settings="default"):
        self.kind = kind
        self.url = f"http://{sink.address}/hook"
        self._sink = sink
        self._port = services.free_port()
        sections = {"api": {"listen": f"127.0.0.1:{self._port}", "token": TOKEN},
                    "keys": {"keys": ["bench:" + "7" * 64]}, "subscriptions": SETTINGS[settings]}
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
        self._api = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)

    def _is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"sluice serve ended by itself with {self.process.returncode}")
        probe = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
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

    def subscribe(self, name, url=None, paused=False):
        made = self.ask("POST", "/v1/subscriptions", json.dumps(
            {"tenant": TENANT, "name": name, "url": url or self.url,
             "event_types": [f"{sluice_driver.DOMAIN}.*", PUBLISHED]}))
        if paused:
            self.ask("POST", f"/v1/subscriptions/{made['id']}/pause", "{}")
        return made["id"]

    def resume(self, subscription):
        self.ask("POST", f"/v1/subscriptions/{subscription}/resume", "{}")

    def wait_for_fan_out(self, events):
        services.wait_until(lambda: self.tables.value("SELECT position FROM fan_out_cursor") >= events,
                            "the last event's fan-out", 300)

    def publish(self, number):
        self.ask("POST", f"/v1/events?tenant={TENANT}&type={PUBLISHED}", json.dumps({"number": number}))

    def count(self, condition):
        return self.tables.value(f"SELECT count(*) FROM event_deliveries WHERE {condition}")

    def wait_for_delivered(self, count, seconds=600):
        """Asks the sink first: counting rows over and over would cost what is measured."""
        services.wait_until(lambda: self._sink.stats()["requests"] >= count, "the last push", seconds)
        services.wait_until(lambda: self.count("state = 'delivered'") == count, "the last push's outcome", seconds)

    def numbers(self, expression, rows):
        """A whole number of each row."""
        text = self.tables.value(f"SELECT {CONCATENATE[self.kind].format(expression)} FROM {rows}")
        return [int(number) for number in str(text or "").split(",") if number]


class Hanging:
    """Addresses of dead subscribers: one accepts and never answers, one refuses."""

    def __init__(self):
        self._silent = socket.socket()
        self._silent.bind(("127.0.0.1", 0))
        self._silent.listen(4096)  # never taken out of the queue, which the kernel fills with accepted ones
        self.silent = f"http://127.0.0.1:{self._silent.getsockname()[1]}/dead"
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets it, and it refuses
        self.refusing = f"http://127.0.0.1:{self._closed.getsockname()[1]}/dead"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._silent.close()
        self._closed.close()
