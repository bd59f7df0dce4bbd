"""A node with subscriptions, as the benchmark makes them: over its API, as people do."""

import json
import socket

import services
import sluice_driver
from serving_node import TENANT, ServingNode

PUBLISHED = "bench.published"

SETTINGS = {
    "default": {},
    "best": {"max_in_flight": 64, "claims_max": 2048, "claimed_bytes_max": 8 << 20},
}

CONCATENATE = {"sqlite": "group_concat({})", "postgresql": "string_agg(CAST({} AS text), ',')"}


class PushNode(ServingNode):
    """A node whose events go to one sink."""

    def __init__(self, bench, kind, sink, settings="default"):
        super().__init__(bench, kind, sink, settings, {"subscriptions": SETTINGS[settings]})
        self.url = f"http://{sink.address}/hook"
        self._sink = sink

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
