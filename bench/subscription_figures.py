"""What subscriptions cost and how fast they are told. Left out of a quick run unless asked for by name."""

import time

import services
from figures import median, percentile
from sluice_runs import wait_for_quiet
from subscription_driver import Hanging, PushNode

MEASURED = ("push_deliveries", "push_fan_out", "push_latency", "push_10k", "push_beside_dead")
FAN_OUT_SUBSCRIPTIONS, FAN_OUT_EVENTS = 100, 2_000
MANY = 10_000
LIVE, DEAD = 100, 1_000
PACED_EVENTS, PACE_SECONDS = 100, 0.2


def measure(bench):
    if not bench.has_sluice() or (bench.options.quick and not any(name in bench.options.only for name in MEASURED)):
        return
    parts = {"push_deliveries": pushes, "push_fan_out": fan_out, "push_latency": latency, "push_10k": many,
             "push_beside_dead": beside_dead}
    for name in MEASURED:
        for kind in ("sqlite", "postgresql"):
            if bench.wants(name):
                bench.attempt(f"{name} on {kind}", lambda name=name, kind=kind: parts[name](bench, kind))


def pushes(bench, kind):
    """Between two ceilings each: the machine is not the same from minute to minute."""
    lines = []
    for _ in range(bench.runs):
        before = bench.all.ceiling(kind, bench.records)["deliveries_per_second"]
        line = push_all(bench, kind, "best")
        line["ceiling"] = (before + bench.all.ceiling(kind, bench.records)["deliveries_per_second"]) / 2
        lines.append(line)
    rate = median([line["rate"] for line in lines])
    ratio = median([line["rate"] / line["ceiling"] for line in lines])
    settings = {"database": kind, "records": bench.records, "runs": len(lines), "in_flight": 64, "claims": 2048,
                "signed": "hmac_sha256", "cpu_per_1000": round(median([line["cpu_per_1000"] for line in lines]), 4),
                "peak_mib": max(line["peak_mib"] for line in lines)}
    bench.report.add(f"push_deliveries_{kind}", rate, "1/s", settings, "ceiling", ratio)
    report_peer(bench, kind, rate, ratio, settings)
    ceiling = median([each["ceiling"] for each in lines])
    for name, chosen, pending in (("default", "default", True), ("from_events", "best", False)):
        line = push_all(bench, kind, chosen, pending)
        bench.report.add(f"push_deliveries_{kind}_{name}", line["rate"], "1/s",
                         {"database": kind, "records": bench.records, "runs": 1, "settings": chosen,
                          "fanned_out_before": pending, "peak_mib": line["peak_mib"]},
                         "ceiling", line["rate"] / ceiling)


def report_peer(bench, kind, rate, ratio, settings):
    """None of them sends webhooks: they make the same posts, unsigned. Each is seen against the ceiling of its run."""
    best = bench.best_peer()
    ceiling = bench.rate(f"ceiling_{kind}")
    if best and ceiling:
        bench.report.add(f"push_deliveries_{kind}", rate, "1/s", {**settings, "best_peer": best}, "best_peer",
                         ratio / (bench.rate(best) / ceiling))


def push_all(bench, kind, settings, pending=True):
    """Events pushed to one subscription. The rate is from the first request to the last durable outcome; `pending`: what
    is to be pushed was fanned out before, as the ceiling's bodies are made before it begins, and fan-out has a figure of
    its own. Else both go on beside each other."""
    with services.Sink(bench.all.programs) as sink:
        with PushNode(bench, kind, sink, settings) as node:
            subscription = node.subscribe("hook", paused=pending)
            node.stop()
            node.sluice.import_records(bench.records)
            node.start()
            if pending:
                node.wait_for_fan_out(bench.records)
            server = bench.all.postgresql.pid if kind == "postgresql" else None
            before = node.cpu_seconds(server)
            if pending:
                node.resume(subscription)
            node.wait_for_delivered(bench.records)
            cpu = node.cpu_seconds(server) - before
            peak = services.peak_memory_bytes(node.process.pid)
            stats = sink.stats()
            last = node.tables.value("SELECT max(updated_at) FROM event_deliveries")
    if stats["requests"] != bench.records:
        raise RuntimeError(f"{stats['requests']} requests for {bench.records} events")
    return {"rate": bench.records / ((last - stats["first_request_us"]) / 1e6), "cpu_per_1000": 1000 * cpu / bench.records,
            "peak_mib": round(peak / 2**20, 1)}


def fan_out(bench, kind):
    """To paused subscriptions, so that nothing but the fan-out works."""
    with services.Sink(bench.all.programs) as sink:
        with PushNode(bench, kind, sink) as node:
            for number in range(FAN_OUT_SUBSCRIPTIONS):
                node.subscribe(f"hook-{number}", paused=True)
            node.stop()
            node.sluice.import_records(FAN_OUT_EVENTS)
            node.start()
            deliveries = FAN_OUT_SUBSCRIPTIONS * FAN_OUT_EVENTS
            node.wait_for_fan_out(FAN_OUT_EVENTS)
            written = node.count("state = 'pending'")
            first = node.tables.value("SELECT min(created_at) FROM event_deliveries")
            last = node.tables.value("SELECT max(created_at) FROM event_deliveries")
            behind_first = node.count(f"created_at > {first}")
    if written != deliveries:
        raise RuntimeError(f"{written} deliveries are pending, {deliveries} were to be written")
    # From the first batch's time to the last's: all but the first batch was written between them.
    bench.report.add("push_fan_out", behind_first / ((last - first) / 1e6), "1/s",
                     {"database": kind, "subscriptions": FAN_OUT_SUBSCRIPTIONS, "events": FAN_OUT_EVENTS,
                      "settings": "defaults"})


def latency(bench, kind):
    """From the beginning of the publishing request to the request at the sink, one event at a time, at rest."""
    samples = 50 if bench.options.quick else 500
    with services.Sink(bench.all.programs) as sink:
        with PushNode(bench, kind, sink) as node:
            node.subscribe("hook")
            node.publish(-1)
            node.wait_for_delivered(1)
            wait_for_quiet(node.process.pid)
            took = []
            for number in range(samples):
                requests = sink.stats()["requests"]
                began = time.time_ns() // 1000
                node.publish(number)
                services.wait_until(lambda before=requests: sink.stats()["requests"] > before, "the event's push")
                took.append(sink.stats()["last_request_us"] - began)
                time.sleep(0.1)
    settings = {"database": kind, "samples": samples, "settings": "defaults"}
    bench.report.add("push_latency_median", median(took) / 1000, "ms", settings)
    bench.report.add("push_latency_p99", percentile(took, 0.99) / 1000, "ms", settings)


def many(bench, kind):
    """One event for each of so many subscriptions; the memory is that of a node which did nothing else."""
    with services.Sink(bench.all.programs) as sink:
        with PushNode(bench, kind, sink) as node:
            for number in range(MANY):
                node.subscribe(f"hook-{number}")
            node.stop()
            node.start()
            wait_for_quiet(node.process.pid)
            at_rest = services.peak_memory_bytes(node.process.pid)
            began = time.time_ns() // 1000
            node.publish(0)
            node.wait_for_delivered(MANY)
            peak = services.peak_memory_bytes(node.process.pid)
            stats = sink.stats()
    if stats["requests"] != MANY:
        raise RuntimeError(f"{stats['requests']} requests for {MANY} subscriptions")
    settings = {"database": kind, "subscriptions": MANY, "settings": "defaults"}
    bench.report.add("push_10k_memory", peak / 2**20, "MiB", {**settings, "at_rest_mib": round(at_rest / 2**20, 1)})
    bench.report.add("push_10k_last_request", (stats["last_request_us"] - began) / 1000, "ms", settings)


def beside_dead(bench, kind):
    alone, _ = live_latencies(bench, kind, 0)
    beside, first = live_latencies(bench, kind, DEAD)
    for name, of in (("median", median), ("p99", lambda values: percentile(values, 0.99))):
        bench.report.add(f"push_beside_dead_{name}", of(beside) / 1000, "ms",
                         {"database": kind, "live": LIVE, "dead": DEAD, "events": PACED_EVENTS,
                          "alone_ms": round(of(alone) / 1000, 3), "first_event_ms": round(of(first) / 1000, 1),
                          "settings": "defaults"}, "alone", of(beside) / of(alone))


def live_latencies(bench, kind, dead):
    """Microseconds from each event to its answer by each live subscriber, once the node knows which are dead; the same of
    the first event, with which it finds that out. Half of the dead refuse, half never answer."""
    with services.Sink(bench.all.programs) as sink, Hanging() as hanging:
        with PushNode(bench, kind, sink) as node:
            for number in range(LIVE):
                node.subscribe(f"live-{number}")
            for number in range(dead):
                node.subscribe(f"dead-{number}", hanging.refusing if number % 2 else hanging.silent)
            node.publish(-1)
            node.wait_for_delivered(LIVE)
            services.wait_until(lambda: node.count("state = 'retrying'") == dead, "a failure of each dead one", 300)
            for number in range(PACED_EVENTS):
                node.publish(number)
                time.sleep(PACE_SECONDS)
            node.wait_for_delivered(LIVE * (PACED_EVENTS + 1))
            first = latencies_of(node, "= 1")
            later = latencies_of(node, "> 1")
    return later, first


def latencies_of(node, positions):
    return node.numbers("a.ended_at - e.occurred_at",
                        "delivery_attempts AS a JOIN change_events AS e ON e.position = a.position JOIN subscriptions AS s "
                        f"ON s.id = a.subscription_id WHERE s.name LIKE 'live-%' AND a.position {positions}")
