"""What takes minutes: a quick run leaves it out unless it is asked for by name."""

import large_ledger
import sluice_runs

ON_EACH = ("sqlite", "postgresql")
RULE_COUNTS = (10_000, 1)
NAMES = ("peak_memory_million", "forced_pass_rows_per_second", "idle_rules_100000_memory", "deliveries_by_records",
         "deliveries_by_rules", "volume_count_10m", "health_10k_rules_10m")


def measure(bench):
    if not bench.has_sluice() or (bench.options.quick and not any(name in bench.options.only for name in NAMES)):
        return
    for kind in ON_EACH:
        if bench.wants("peak_memory_million", "forced_pass_rows_per_second"):
            bench.attempt(f"a million records and a forced pass on {kind}", lambda kind=kind: million(bench, kind))
    for kind in ON_EACH:
        bench.attempt_if("idle_rules_100000_memory", lambda kind=kind: idle_rules(bench, kind))
    for kind in ON_EACH:
        for records in (1_000, 10_000, 100_000):
            bench.attempt_if("deliveries_by_records", lambda kind=kind, records=records: growth(
                bench, "deliveries_by_records", kind, records, 1))
        for rules in (1, 100, 10_000):
            bench.attempt_if("deliveries_by_rules", lambda kind=kind, rules=rules: growth(
                bench, "deliveries_by_rules", kind, 100_000, rules))
    for rules in RULE_COUNTS:
        if bench.wants("volume_count_10m", *(["health_10k_rules_10m"] if rules > 1 else [])):
            bench.attempt(f"a large ledger of {rules} rules", lambda rules=rules: reads(bench, rules))


def growth(bench, name, kind, records, rules):
    line = sluice_runs.deliveries(bench.options.sluice, bench.all, kind, records, "best", rules=rules)
    bench.report.add(name, line["deliveries_per_second"], "1/s",
                     {"database": kind, "records": records, "rules": rules,
                      "cpu_per_1000": round(1000 * line["cpu_seconds"] / records, 4),
                      "peak_mib": round(line["peak_memory_bytes"] / 2**20, 1)})


def million(bench, kind):
    records = bench.options.records or 1_000_000
    line = sluice_runs.forced_pass(bench.options.sluice, bench.all, kind, records)
    settings = {"database": kind, "records": records}
    bench.report.add("peak_memory_million", line["peak_memory_bytes"] / 2**20, "MiB", settings)
    bench.report.add("deliveries_by_records", line["deliveries_per_second"], "1/s", {**settings, "rules": 1})
    bench.report.add("forced_pass_rows_per_second", line["pass_rows_per_second"], "1/s", settings)


def idle_rules(bench, kind):
    rules = 100_000
    memory = sluice_runs.idle_rules_memory(bench.options.sluice, bench.all, kind, rules)
    bench.report.add("idle_rules_100000_memory", memory / 2**20, "MiB", {"database": kind, "rules": rules})


def reads(bench, rules):
    rows = bench.options.records or 10_000_000
    lines, pending = large_ledger.read_times(bench.options.sluice, bench.all, rows, rules)
    figures = {"volume_count_10m": (lines["volume_count"], {"pending": pending})}
    if rules > 1:
        figures["health_10k_rules_10m"] = (lines["health"], {})
    for name, (line, more) in figures.items():
        bench.report.add(name, line["median_ms"], "ms",
                         {"database": "postgresql", "rows": rows, "rules": rules, **more,
                          "least_ms": line["least_ms"], "most_ms": line["most_ms"]})
