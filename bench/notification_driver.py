"""A node with one provider profile, as the benchmark makes it, and what fills its tables at once."""

import base64
import json
import time

import contenders
import services
from serving_node import TENANT, TOKEN, ServingNode

ROUTE = "bench_route"
CONTACTS = 1_000
PUBLIC_URL = "https://hooks.example.com"
EVENTS_EACH = 2
WEBHOOK_SECRET = "whsec_" + base64.b64encode(b"a secret of the benchmark's own!").decode()
TWILIO_TOKEN = "7" * 32
TWILIO_SECRETS = {"auth_token": TWILIO_TOKEN}

SETTINGS = {
    "default": {},
    "best": {"max_in_flight": 64, "claims_max": 2048, "claimed_bytes_max": 8 << 20},
}


def message_id(kind, number):
    """The provider's id of a message, by its number from 1; sluice_bench_post makes the same."""
    padded = f"printf('%032d', {number})" if kind == "sqlite" else f"lpad(CAST({number} AS text), 32, '0')"
    return f"'SM' || {padded}"


def numbers(count):
    return f"WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {count})"


class NotifyingNode(ServingNode):
    """A node with a profile of its own and a route of it alone."""

    def __init__(self, bench, kind, sink, settings="default"):
        super().__init__(bench, kind, sink, settings,
                         {"notifications": SETTINGS[settings], "callbacks": {"public_url": PUBLIC_URL}})
        self._all = bench.all
        self._sink = sink
        self._url = f"http://{sink.address}/messages"
        self.profile = None

    def make_profile(self, provider="webhook"):
        """Its provider is the sink, which gives each message an id; or Twilio, who only calls back."""
        kinds = {"webhook": ({"url": self._url}, {"secrets": [WEBHOOK_SECRET]}),
                 "twilio": ({"account_sid": "AC" + "1".zfill(32), "from": "+14155550100"}, TWILIO_SECRETS)}
        settings, credentials = kinds[provider]
        made = self.ask("POST", "/v1/profiles", json.dumps(
            {"tenant": TENANT, "name": provider, "provider": provider, "settings": settings, "credentials": credentials}))
        self.profile = made["id"]
        self.ask("POST", "/v1/routes", json.dumps({"tenant": TENANT, "name": ROUTE, "profiles": [provider]}))

    def make_contacts(self):
        """The file of their ids."""
        made = [self.ask("POST", "/v1/contact-points", json.dumps(
            {"tenant": TENANT, "kind": "email", "address": f"customer-{number}@example.com"}))["id"]
            for number in range(CONTACTS)]
        path = self._all.folder / "contacts"
        path.write_text("\n".join(made) + "\n")
        return path

    def post_notifications(self, count):
        return self._post("notifications", 0, count, 64, 0, "--tenant", TENANT, "--route", ROUTE, "--token", TOKEN,
                          "--contacts", self.make_contacts())

    def post_callbacks(self, provider, first, count, connections, per_second=0):
        secret = {"webhook": WEBHOOK_SECRET, "twilio": TWILIO_TOKEN}[provider]
        return self._post(provider, first, count, connections, per_second, "--profile", self.profile, "--secret", secret,
                          "--url", f"{PUBLIC_URL}/v1/callbacks/{self.profile}", "--events-each", EVENTS_EACH)

    def _post(self, what, first, count, connections, per_second, *more):
        line = contenders.run_json([self._all.programs / "sluice_bench_post", what, "--port", self.port, "--first", first,
                                    "--count", count, "--connections", connections, "--per-second", per_second, *more],
                                   1800)
        if any(not status.startswith("2") for status in line["by_status"]):
            raise RuntimeError(f"{what} were answered {line['by_status']}")
        return line

    def fill(self, *statements):
        for statement in statements:
            self.tables.change(statement)
        self.settle()

    def settle(self):
        """What a server that has time does by itself."""
        if self.kind == "postgresql":
            self._all.postgresql.sql(self.sluice.name, "VACUUM (ANALYZE)")
            self._all.postgresql.checkpoint()

    def add_accepted(self, messages):
        """So many notifications that the profile's provider took, nothing told of any of them yet."""
        now = time.time_ns() // 1000
        profile = self.tables.value("SELECT max(id) FROM provider_profiles")
        tenant = self.tables.value("SELECT max(tenant_id) FROM provider_profiles")
        self.fill("INSERT INTO notifications (id, public_id, tenant_id, contact_point_id, route, content, state, profile_id, "
                  f"attempts, place_attempts, created_at, updated_at) {numbers(messages)} SELECT n, 'n' || n, {tenant}, 0, "
                  f"'[{profile}]', '', 'accepted', {profile}, 1, 1, {now}, {now} FROM s",
                  "INSERT INTO notification_attempts (id, public_id, notification_id, number, profile_id, state, "
                  f"submitted_at, ended_at, provider_message_id) {numbers(messages)} SELECT n, 'a' || n, n, 1, {profile}, "
                  f"'accepted', {now}, {now}, {message_id(self.kind, 'n')} FROM s")

    def add_matched_events(self, messages):
        """EVENTS_EACH events of each message in the ledger, known to be of its attempt and projected to nothing."""
        now = time.time_ns() // 1000
        events = messages * EVENTS_EACH
        of_it = f"(n + {EVENTS_EACH - 1}) / {EVENTS_EACH}"
        word = f"CASE WHEN n % {EVENTS_EACH} = 1 THEN 'sent' ELSE 'delivered' END"
        self.fill("INSERT INTO provider_reports (id, tenant_id, profile_id, source, received_at, digest, body, events) "
                  f"{numbers(events)} SELECT n, 1, 1, 'callback', {now}, 'd' || n, 'sealed', 1 FROM s",
                  "INSERT INTO provider_events (id, report_id, tenant_id, profile_id, key, event_id, provider_message_id, "
                  f"attempt_id, type, provider_type, occurred_at, detail) {numbers(events)} SELECT n, n, 1, 1, 'key-' || n, "
                  f"'evt_' || n, {message_id(self.kind, of_it)}, '', {word}, {word}, {now} + n, '' FROM s",
                  f"INSERT INTO matched_events (event_id, attempt_id) {numbers(events)} "
                  f"SELECT n, {of_it} FROM s")

    def wait_for_projection(self, seconds=600):
        """Seconds until nothing is pending."""
        began = time.monotonic()
        services.wait_until(lambda: self.pending_events() == 0, "the last event's projection", seconds)
        return time.monotonic() - began

    def pending_events(self):
        return self.tables.value("SELECT count(*) FROM pending_events")

    def replay(self):
        """Seconds that making every projection anew takes."""
        began = time.monotonic()
        self.sluice.replay_callbacks()
        return time.monotonic() - began

    def queue_again(self):
        """As if nothing had been sent."""
        self.fill("DELETE FROM notification_attempts",
                  "UPDATE notifications SET state = 'queued', attempts = 0, place_attempts = 0, lease_until = NULL, "
                  "next_attempt_at = created_at")
        if self.kind == "postgresql":
            self._all.postgresql.sql(self.sluice.name, "VACUUM (FULL, ANALYZE) notifications")
            self._all.postgresql.checkpoint()

    def stop_sending(self):
        self.ask("POST", "/v1/stops", json.dumps({"scope": "global", "reason": "what is measured is made in advance"}))

    def send_queued(self, count, seconds=600):
        """Ends the stop and waits for the last record. Asks the sink first: counting rows over and over would cost what is
        measured."""
        requests = self._sink.stats()["requests"] + count
        self.ask("POST", "/v1/stops/end", json.dumps({"scope": "global"}))
        services.wait_until(lambda: self._sink.stats()["requests"] >= requests, "the last message", seconds)
        services.wait_until(lambda: self.tables.value(
            "SELECT count(*) FROM notification_attempts WHERE state = 'accepted'") == count, "its record", seconds)

    def sending_rate(self, count):
        took = self.tables.value("SELECT max(ended_at) - min(submitted_at) FROM notification_attempts")
        return count / (took / 1e6)
