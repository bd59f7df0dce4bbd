#!/usr/bin/env -S python3 -B
"""One act, three ways in: by a command, over the API, and as the operator page does it leave the same rows."""

import http.client
import json
import re

import world
from world import records, rest_connection, rule, with_deletions

RECORDS = 300
REASON = "the target asked for it"
# Without what names a moment, a row or a person.
ROWS = {
    "delivery_stops": "scope, cause, connection_id, rule_id, reason, pending_withdrawals, known_records, threshold, "
                      "resolution, allowed_withdrawals, allowance_consumed_at IS NULL, set_by = '', ended_by = ''",
    "sync_rules": "name, active, revision, deleted_at IS NULL",
    "delivery_cursors": "rule_id, backfill_until IS NULL, backfill_generation, backfill_resend, known_records",
    "backfill_confirmations": "rule_id, target_connection_id, backfill_generation, records, creates, resend, "
                              "confirmed_by = ''",
    "outbound_deliveries": "rule_id, source_id, status, target_state, attempts, error_class, create_generation",
    "api_tokens": "name, role, expires_at IS NULL, revoked_at IS NULL",
}


class ByCommand:
    def __init__(self, w, node):
        self.act = lambda *arguments: w.operate(node, *arguments)

    def stop(self, scope, name):
        self.act("stop", f"--{scope}", *([name] if name else []), "--reason", REASON)

    def resume(self, scope, name):
        self.act("resume", f"--{scope}", *([name] if name else []))

    def switch(self, name, to):
        self.act("rules", to, name)

    def backfill(self, name):
        self.act("backfill", "start", name, "--resend", "--yes", "--creates", "0")

    def holds(self):
        return self.act("hold", "list")["holds"]

    def release(self, hold, allowed):
        self.act("hold", "release", hold, "--allow", str(allowed))

    def token(self, name, role):
        self.act("tokens", "create", name, "--role", role)


class OverApi:
    def __init__(self, _, node):
        self.address = re.search(r"api\.listening.* address=(\S+)", node.said())[1]
        self.headers = {"Authorization": f"Bearer {world.API['token']}"}

    def ask(self, method, path, body=None):
        to = http.client.HTTPConnection(self.address, timeout=30)
        to.request(method, path, None if body is None else json.dumps(body),
                   {**self.headers, **({"Content-Type": "application/json"} if body is not None else {})})
        answer = to.getresponse()
        text = answer.read().decode()
        to.close()
        assert answer.status < 300, f"{method} {path}: {answer.status} {text}"
        return answer, json.loads(text or "{}")

    def stop(self, scope, name):
        self.ask("POST", "/v1/stops", {"scope": scope, "reason": REASON, **({scope: name} if name else {})})

    def resume(self, scope, name):
        self.ask("POST", "/v1/stops/end", {"scope": scope, **({scope: name} if name else {})})

    def switch(self, name, to):
        self.ask("POST", f"/v1/rules/{name}/{to}", {})

    def backfill(self, name):
        _, seen = self.ask("GET", f"/v1/rules/{name}/backfill/preview?resend=true")
        self.ask("POST", f"/v1/rules/{name}/backfill",
                 {**{key: seen[key] for key in ("until", "records", "creates")}, "resend": True})

    def holds(self):
        return self.ask("GET", "/v1/holds")[1]["holds"]

    def release(self, hold, allowed):
        self.ask("POST", f"/v1/holds/{hold}/release", {"allowed": allowed})

    def token(self, name, role):
        self.ask("POST", "/v1/tokens", {"name": name, "role": role})


class AsThePage(OverApi):
    """Signed in: a cookie and the other half of it."""

    def __init__(self, w, node):
        super().__init__(w, node)
        answer, signed_in = self.ask("POST", "/v1/session", {"token": world.API["token"]})
        self.headers = {"Cookie": answer.getheader("Set-Cookie").partition(";")[0],
                        "X-Sluice-Csrf": signed_in["csrf"]}


class SameRows(world.SystemTest):

    def left_by(self, way, engine):
        w = self.world(engine, api=world.API)
        crm = w.crm()
        w.apply([with_deletions(rest_connection("crm", crm.url))], [rule(delete_policy="delete")])
        w.must_import("customers", records(RECORDS))
        node = w.serve()
        by = way(w, node)
        world.wait_until(lambda: node.alive() and w.delivered(RECORDS), 60, "all are delivered")
        for scope, name in (("rule", "customers"), ("connection", "crm"), ("global", None)):
            by.stop(scope, name)
            by.resume(scope, name)
        by.switch("customers", "off")
        by.switch("customers", "on")
        by.token("looker", "viewer")
        by.backfill("customers")
        world.wait_until(lambda: w.query("SELECT count(*) FROM delivery_cursors WHERE backfill_until IS NULL") == [("1",)],
                         30, "the backfill is over")
        w.must_import("customers", records(100), "--deleted", name="deleted.ndjson")
        hold = world.wait_until(by.holds, 30, "the deletions are held")[0]
        by.release(hold["id"], 100)
        world.wait_until(lambda: w.counts("customers") == {"delivered": 200, "withdrawn": 100} and w.query(
            "SELECT count(*) FROM delivery_stops WHERE allowance_consumed_at IS NOT NULL") == [("1",)], 30,
            "they are withdrawn and the release is used up")
        self.assertEqual(node.terminate(), 0)
        return {table: sorted(w.query(f"SELECT {columns} FROM {table}")) for table, columns in ROWS.items()}

    @world.on_each_engine
    def test_a_command_the_api_and_the_page_leave_the_same_rows(self, engine):
        by_command = self.left_by(ByCommand, engine)
        self.assertEqual(len(by_command["delivery_stops"]), 4)  # three stops and a hold
        self.assertEqual(self.left_by(OverApi, engine), by_command)
        self.assertEqual(self.left_by(AsThePage, engine), by_command)


if __name__ == "__main__":
    world.main()
