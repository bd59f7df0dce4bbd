"""What providers' callbacks cost, and what sending costs. Left out of a quick run unless asked for by name."""

import contenders
import services
from figures import median
from notification_driver import EVENTS_EACH, NotifyingNode
from sluice_runs import wait_for_quiet

KINDS = ("sqlite", "postgresql")
MEASURED = ("web_push_requests", "callback_intake", "callback_memory", "notifications_sent", "projection_rebuilt")
# Half of what is asked of the intake, a second.
HALF_LOAD = {"sqlite": 2_500, "postgresql": 1_500}
BUSY_CONNECTIONS, PACED_CONNECTIONS = 64, 128
MEMORY_EVENTS, MEMORY_FIRST = 1_000_000, 100_000
QUEUED_MAX = 50_000  # each is posted, which takes longer than sending it


def measure(bench):
    if not bench.has_sluice() or (bench.options.quick and not any(name in bench.options.only for name in MEASURED)):
        return
    bench.attempt_if("web_push_requests", lambda: web_push_requests(bench))
    parts = {"callback_intake": intake, "callback_memory": memory, "notifications_sent": sending,
             "projection_rebuilt": rebuild}
    for name, part in parts.items():
        for kind in KINDS:
            if bench.wants(name) and not (bench.options.quick and name == "callback_memory"):
                bench.attempt(f"{name} on {kind}", lambda part=part, kind=kind: part(bench, kind))


def web_push_requests(bench):
    """By one thread: what else a node does beside is not in it."""
    found = contenders.run_json([bench.all.programs / "sluice_bench_web_push", "--benchmark_format=json",
                                 f"--benchmark_repetitions={bench.runs}", "--benchmark_report_aggregates_only=true"],
                                whole=True)
    rates = {line["run_name"]: line["items_per_second"] for line in found["benchmarks"]
             if line["aggregate_name"] == "median"}
    bench.report.add("web_push_requests", rates["whole_request"], "1/s", {"runs": bench.runs, "threads": 1})


def intake(bench, kind):
    """First so many connections that each post as soon as they have their answer; then half the load that is asked for,
    at a steady rate, answered or not. Every message told of was sent before."""
    lines = [take_all(bench, kind, "webhook") for _ in range(bench.runs)]
    report_intake(bench, kind, "webhook", lines)
    report_intake(bench, kind, "twilio", [take_all(bench, kind, "twilio")])


def take_all(bench, kind, provider):
    callbacks = bench.records
    paced = HALF_LOAD[kind] * (5 if bench.options.quick else 20)
    server = bench.all.postgresql.pid if kind == "postgresql" else None
    with services.Sink(bench.all.programs) as sink, NotifyingNode(bench, kind, sink) as node:
        node.make_profile(provider)
        node.add_accepted((callbacks + paced) // EVENTS_EACH)
        before = node.cpu_seconds(server)
        line = node.post_callbacks(provider, 0, callbacks, BUSY_CONNECTIONS)
        line["behind"] = node.pending_events()
        line["behind_seconds"] = node.wait_for_projection()
        line["cpu_per_1000"] = 1000 * (node.cpu_seconds(server) - before) / callbacks
        wait_for_quiet(node.process.pid)
        line["paced"] = node.post_callbacks(provider, callbacks, paced, PACED_CONNECTIONS, HALF_LOAD[kind])
        node.wait_for_projection()
        line["peak_mib"] = services.peak_memory_bytes(node.process.pid) / 2**20
        check_projected(node, (callbacks + paced) // EVENTS_EACH)
    return line


def check_projected(node, messages):
    projected = node.tables.value("SELECT count(*) FROM attempt_projections WHERE state = 'delivered'")
    if projected != messages:
        raise RuntimeError(f"{projected} of {messages} messages are known to be delivered")


def report_intake(bench, kind, provider, lines):
    settings = {"database": kind, "provider": provider, "callbacks": bench.records, "runs": len(lines),
                "settings": "defaults", "connections": BUSY_CONNECTIONS,
                "median_ms": round(median([line["median_ms"] for line in lines]), 2),
                "p99_ms": round(median([line["p99_ms"] for line in lines]), 2),
                "cpu_per_1000": round(median([line["cpu_per_1000"] for line in lines]), 4),
                "client_cpu_share": round(max(line["cpu_share"] for line in lines), 3),
                "unprojected_at_end": round(median([line["behind"] for line in lines])),
                "projected_after_s": round(median([line["behind_seconds"] for line in lines]), 1),
                "peak_mib": round(max(line["peak_mib"] for line in lines), 1)}
    bench.report.add(f"callback_intake_{kind}", median([line["posts_per_second"] for line in lines]), "1/s", settings)
    paced = [line["paced"] for line in lines]
    bench.report.add(f"callback_intake_{kind}_p99", median([line["p99_ms"] for line in paced]), "ms",
                     {"database": kind, "provider": provider, "runs": len(lines), "settings": "defaults",
                      "per_second": HALF_LOAD[kind], "reached": round(min(line["posts_per_second"] for line in paced)),
                      "median_ms": round(median([line["median_ms"] for line in paced]), 2),
                      "most_p99_ms": round(max(line["p99_ms"] for line in paced), 2),
                      "most_ms": round(max(line["most_ms"] for line in paced), 1)})


def memory(bench, kind):
    """What the node keeps resident at rest, after the first callbacks and after the last."""
    with services.Sink(bench.all.programs) as sink, NotifyingNode(bench, kind, sink) as node:
        node.make_profile()
        node.add_accepted(MEMORY_EVENTS // EVENTS_EACH)
        resident = []
        # Signed part by part: a signature is good for five minutes.
        for first in range(0, MEMORY_EVENTS, MEMORY_FIRST):
            node.post_callbacks("webhook", first, MEMORY_FIRST, BUSY_CONNECTIONS)
            if first in (0, MEMORY_EVENTS - MEMORY_FIRST):
                node.wait_for_projection(1800)
                wait_for_quiet(node.process.pid)
                resident.append(services.resident_memory_bytes(node.process.pid) / 2**20)
        peak = services.peak_memory_bytes(node.process.pid) / 2**20
        check_projected(node, MEMORY_EVENTS // EVENTS_EACH)
    bench.report.add(f"callback_memory_{kind}", resident[1], "MiB",
                     {"database": kind, "callbacks": MEMORY_EVENTS, "settings": "defaults", "peak_mib": round(peak, 1),
                      "after_100k_mib": round(resident[0], 1)}, "after_100k", resident[1] / resident[0])


def sending(bench, kind):
    """Notifications that are queued, sent by one profile of kind webhook: between two ceilings each, as pushes are."""
    count = min(bench.records, QUEUED_MAX)
    with services.Sink(bench.all.programs) as sink, NotifyingNode(bench, kind, sink, "best") as node:
        node.make_profile()
        node.stop_sending()
        posted = node.post_notifications(count)
        lines = [send_all(bench, node, count) for _ in range(bench.runs)]
        peak = services.peak_memory_bytes(node.process.pid) / 2**20
    settings = {"database": kind, "notifications": count, "runs": len(lines), "in_flight": 64, "claims": 2048,
                "cpu_per_1000": round(median([line["cpu_per_1000"] for line in lines]), 4), "peak_mib": round(peak, 1)}
    bench.report.add(f"notifications_sent_{kind}", median([line["rate"] for line in lines]), "1/s", settings, "ceiling",
                     median([line["rate"] / line["ceiling"] for line in lines]))
    bench.report.add(f"notifications_posted_{kind}", posted["posts_per_second"], "1/s",
                     {"database": kind, "notifications": count, "connections": BUSY_CONNECTIONS,
                      "p99_ms": round(posted["p99_ms"], 2)})


def send_all(bench, node, count):
    """The rate is from the first claim to the last durable outcome."""
    node.stop()
    node.queue_again()
    before = bench.all.ceiling(node.kind, bench.records)["deliveries_per_second"]
    node.start()
    wait_for_quiet(node.process.pid)
    server = bench.all.postgresql.pid if node.kind == "postgresql" else None
    cpu = node.cpu_seconds(server)
    node.send_queued(count)
    line = {"rate": node.sending_rate(count), "cpu_per_1000": 1000 * (node.cpu_seconds(server) - cpu) / count}
    node.stop_sending()
    line["ceiling"] = (before + bench.all.ceiling(node.kind, bench.records)["deliveries_per_second"]) / 2
    return line


def rebuild(bench, kind):
    """`sluice callbacks replay` over a ledger whose projection is empty, from the command's start to its end."""
    events = bench.options.records or (200_000 if bench.options.quick else 1_000_000)
    rates = []
    with services.Sink(bench.all.programs) as sink, NotifyingNode(bench, kind, sink) as node:
        node.make_profile()
        node.add_accepted(events // EVENTS_EACH)
        node.add_matched_events(events // EVENTS_EACH)
        for _ in range(3):
            node.fill("DELETE FROM attempt_projections")
            rates.append(events / node.replay())
            check_projected(node, events // EVENTS_EACH)
        peak = services.peak_memory_bytes(node.process.pid) / 2**20
    bench.report.add(f"projection_rebuilt_{kind}", median(rates), "1/s",
                     {"database": kind, "events": events, "events_a_message": EVENTS_EACH, "runs": len(rates),
                      "settings": "defaults", "peak_mib": round(peak, 1)})
