"""What people who look cost, and what a crowd costs them. Left out of a quick run unless asked for by name."""

import http.client
import json
import time

import api_clients
import services
import sluice_driver
from figures import median, percentile
from sluice_runs import stop, wait_for_quiet

NAMES = ("api_read_p99", "api_crowd_p99", "delivery_page_10k")
TOKEN = "a-token-of-the-benchmark"
RULE = sluice_driver.RULE
CROWD_SECONDS = 20
PAGE_RULES, PAGE_FAILING, PAGE_LOOKS = 10_000, 2_000, 41


def measure(bench):
    if not bench.has_sluice() or (bench.options.quick and not any(name in bench.options.only for name in NAMES)):
        return
    for kind in ("sqlite", "postgresql"):
        if bench.wants("api_read_p99", "api_crowd_p99"):
            bench.attempt(f"reads over the API on {kind}", lambda kind=kind: reads(bench, kind))
        if bench.wants("delivery_page_10k"):
            bench.attempt(f"the Delivery page of {PAGE_RULES:,} rules on {kind}", lambda kind=kind: delivery_page(bench, kind))


def reads(bench, kind):
    records = bench.options.records or 1_000_000
    changed = min(records, 200_000)
    with services.Sink(bench.all.programs) as sink:
        port = services.free_port()
        sections = {"api": {"listen": f"127.0.0.1:{port}", "token": TOKEN, "connections_max": 4096}}
        sluice = sluice_driver.Sluice(bench.options.sluice, bench.all, kind, sink, "best", sections)
        sluice.apply(sluice_driver.rule_text(RULE))
        sluice.import_records(records)
        sluice.deliver_once()
        tables = sluice.tables()
        process = sluice.start("serve")
        try:
            wait_for_quiet(process.pid)
            alone = delivery_rate(sink, tables, changed)
            readers = api_clients.Readers(port, TOKEN, RULE, records)
            beside = delivery_rate(sink, tables, changed)
            by_kind, share = readers.end()
            report_reads(bench, kind, by_kind, alone, beside,
                         {"records": records, "changed": changed, "clients_cpu_share": round(share, 4)})
            crowd(bench, kind, port, records)
        finally:
            stop(process)
            tables.close()


def delivery_page(bench, kind):
    with services.Sink(bench.all.programs) as sink:
        port = services.free_port()
        sluice = sluice_driver.Sluice(bench.options.sluice, bench.all, kind, sink, "default",
                                      {"api": {"listen": f"127.0.0.1:{port}", "token": TOKEN}})
        sluice.apply(*sluice_driver.rule_texts(PAGE_RULES, PAGE_FAILING))
        tables = sluice.tables()
        failing = f"SELECT id FROM connections WHERE name = '{sluice_driver.FAILING_TARGET}'"
        tables.change(f"UPDATE connections SET status = 'error', status_reason = 'refused' WHERE id IN ({failing})")
        tables.change("UPDATE delivery_cursors SET ended_run_id = 1, ended_run_ending = 'faulted', "
                      "ended_run_reason = 'refused', ended_run_started_at = 1, ended_run_ended_at = 2 WHERE rule_id IN "
                      f"(SELECT id FROM sync_rules WHERE target_connection_id IN ({failing}))")
        tables.close()
        process = sluice.start("serve")
        try:
            wait_for_quiet(process.pid)
            looks = sorted(look_at_page(port) for _ in range(PAGE_LOOKS))
        finally:
            stop(process)
    bench.report.add("delivery_page_10k", median(looks), "ms",
                     {"database": kind, "rules": PAGE_RULES, "failing": PAGE_FAILING, "most_ms": round(looks[-1], 1)})


def look_at_page(port):
    """Milliseconds the server takes to answer what the Delivery page asks it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    since = time.monotonic()
    connection.request("GET", "/v1/delivery", headers={"Authorization": f"Bearer {TOKEN}"})
    page = json.loads(connection.getresponse().read())
    took = time.monotonic() - since
    connection.close()
    if page["unwell"]["count"] != PAGE_FAILING:
        raise RuntimeError(f"the page has {page['unwell']['count']} rules that do not deliver")
    return 1000 * took


def delivery_rate(sink, tables, changed):
    """Changes so many records and returns the updates a second until the last one has arrived."""
    before = sink.stats()["requests"]
    tables.change("UPDATE mirror_records SET payload = replace(payload, '\"note\"', '\"note\"'), content_changed_at = "
                  f"{time.time_ns() // 1000} WHERE id <= (SELECT min(id) FROM mirror_records) + {changed - 1}")
    started = time.monotonic()
    services.wait_until(lambda: sink.stats()["requests"] >= before + changed, "the last update", 600)
    return changed / (time.monotonic() - started)


def report_reads(bench, kind, by_kind, alone, beside, settings):
    calls = [one for values in by_kind.values() for one in values]
    slowest = max(by_kind, key=lambda name: percentile(by_kind[name], 0.99))
    settings = {"database": kind, "clients": api_clients.CLIENTS, "calls_a_second": 200, "calls": len(calls), **settings}
    bench.report.add("api_read_p99", percentile(calls, 0.99), "ms",
                     {**settings, "median_ms": round(median(calls), 3), "slowest": slowest,
                      "slowest_p99_ms": round(percentile(by_kind[slowest], 0.99), 3)})
    # The clients run on the same machine: what they take themselves is said beside.
    without_clients = beside / alone / (1 - settings["clients_cpu_share"])
    bench.report.add("api_read_deliveries", beside, "1/s", {**settings, "ratio_without_clients": round(without_clients, 4)},
                     "deliveries_alone", beside / alone)


def crowd(bench, kind, port, records):
    def p99():
        readers = api_clients.Readers(port, TOKEN, RULE, records)
        time.sleep(CROWD_SECONDS)
        by_kind, _ = readers.end()
        return percentile([one for values in by_kind.values() for one in values], 0.99)

    alone = p99()
    many = api_clients.Crowd(port, TOKEN)
    try:
        beside = p99()
    finally:
        many.leave()
    bench.report.add("api_crowd_p99", beside, "ms",
                     {"database": kind, "idle": api_clients.IDLE, "slow": api_clients.SLOW, "records": records,
                      "alone_ms": round(alone, 3)}, "without_crowd", beside / alone)
