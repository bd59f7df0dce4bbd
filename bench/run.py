"""Measures Sluice beside the ceiling and beside what a user would pick instead. Started by scripts/bench."""

import argparse
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import api_figures
import contenders
import intake
import large_figures
import notification_figures
import services
import sluice_runs
import subscription_figures
from figures import Report, median, percentile

DATABASES = ("sqlite", "postgresql")
QUICK_SECONDS = 150


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.report = Report(options.json)
        self.records = options.records or (50_000 if options.quick else 200_000)
        self.runs = 3 if options.quick else 5
        self.started = time.monotonic()
        self.failed = False
        self.postgresql = services.PostgreSql(folder / "postgresql")
        self.all = contenders.Contenders(options.programs, options.peers, folder, self.postgresql,
                                          20 if options.quick else 600)
        # Lines of all runs by name and database.
        self.lines = {}

    def say(self, text):
        print(text, file=sys.stderr, flush=True)

    def wants(self, *names):
        return not self.options.only or any(name in self.options.only for name in names)

    def attempt(self, what, action):
        """Runs a part; a part that fails is named and the others go on."""
        if self.options.quick and time.monotonic() - self.started > QUICK_SECONDS:
            self.say(f"left out, the quick run's time is over: {what}")
            return
        self.say(f"{time.monotonic() - self.started:6.1f} s  {what}")
        try:
            action()
        except (RuntimeError, OSError, ValueError) as error:
            self.failed = True
            self.say(f"failed: {what}: {error}")

    def keep(self, name, line):
        self.lines.setdefault(name, []).append(line)
        return line

    def rates(self, name):
        return [line["deliveries_per_second"] for line in self.lines.get(name, [])]

    def rate(self, name):
        return median(self.rates(name)) if name in self.lines else None

    def best_peer(self):
        """Of the products measured so far; nothing where there was none."""
        return max((peer for peer in contenders.PRODUCTS if peer in self.lines), key=self.rate, default=None)

    def run(self):
        try:
            self.measure()
        finally:
            self.postgresql.stop()
        self.report.print_table()
        return 1 if self.failed else 0

    def measure(self):
        if not self.options.sluice.exists():
            self.say(f"{self.options.sluice} is not built: Sluice's own figures are left out")
            self.failed = True
        for kind in DATABASES:
            if self.wants(f"deliveries_{kind}", f"cpu_per_1000_{kind}", f"ceiling_{kind}", f"node_loop_{kind}"):
                for number in range(self.runs):
                    self.attempt(f"round {number + 1} on {kind}", lambda kind=kind: self.one_round(kind))
        if self.wants("ceiling_none"):
            self.attempt("libcurl alone", lambda: self.keep("ceiling_none", self.all.ceiling("none", self.records)))
        for kind in DATABASES:
            self.attempt_if(f"deliveries_{kind}_default", lambda kind=kind: self.other_settings(
                kind, "default", "default", "defaults: 8 in flight"), sluice=True)
            self.attempt_if(f"deliveries_{kind}_no_lookup", lambda kind=kind: self.other_settings(
                kind, "no_lookup", "best", "64 in flight, a target with neither lookup nor idempotency key",
                lookup=False), sluice=True)
        # Sluice's own figures first: a quick run leaves out what its time no longer reaches.
        for kind in DATABASES:
            if self.wants("wake_latency", "wake_latency_median", "wake_latency_p99") and self.has_sluice():
                self.attempt(f"wake latency on {kind}", lambda kind=kind: self.wake_latency(kind))
        for kind in DATABASES:
            if self.wants("delta_beside_backfill_median", "delta_beside_backfill_p99") and self.has_sluice():
                self.attempt(f"delta beside a backfill on {kind}", lambda kind=kind: self.delta_beside_backfill(kind))
        intake.measure(self)
        self.measure_products()
        self.report_contenders()
        for kind in DATABASES:
            self.report_deliveries(kind)
        large_figures.measure(self)
        api_figures.measure(self)
        subscription_figures.measure(self)
        notification_figures.measure(self)

    def has_sluice(self):
        return self.options.sluice.exists()

    def attempt_if(self, name, action, sluice=False):
        if self.wants(name) and (not sluice or self.has_sluice()):
            self.attempt(name, action)

    def one_round(self, kind):
        """The ceiling directly before and after Sluice, then the node loop."""
        def ceiling():
            return self.keep(f"ceiling_{kind}", self.all.ceiling(kind, self.records))["deliveries_per_second"]

        def between_ceilings(deliver):
            before = ceiling()
            line = deliver()
            line["ceiling"] = (before + ceiling()) / 2
            return line

        line = None
        if self.has_sluice():
            line = sluice_runs.deliveries(self.options.sluice, self.all, kind, self.records, "best", between_ceilings)
            self.keep(f"sluice_{kind}", line)
        else:
            ceiling()
        if self.options.peers_work:
            loop = self.keep(f"node_loop_{kind}", self.all.node_loop(kind, self.records))
            if line is not None:
                line["node_loop"] = loop["deliveries_per_second"]
                line["node_loop_cpu"] = loop["cpu_seconds"]

    def other_settings(self, kind, name, settings, told, **options):
        line = sluice_runs.deliveries(self.options.sluice, self.all, kind, self.records, settings, **options)
        self.report.add(f"deliveries_{kind}_{name}", line["deliveries_per_second"], "1/s",
                        {"records": self.records, "runs": 1, "settings": told}, "ceiling",
                        line["deliveries_per_second"] / (self.rate(f"ceiling_{kind}") or float("nan")))

    def measure_products(self):
        """Products take seconds where the others take one: a quick run measures each once, with fewer records."""
        if not self.options.peers_work:
            return
        records = 20_000 if self.options.quick and not self.options.records else self.records
        seconds = 2 if self.options.quick else 10
        wanted = [name for name in contenders.PRODUCTS if self.wants(name, *[f"deliveries_{kind}" for kind in DATABASES])]
        for name in wanted:
            for number in range(1 if self.options.quick else self.runs):
                self.attempt(f"{name} {number + 1}", lambda name=name: self.product(name, records, "best"))
        for kind in DATABASES:
            self.attempt_if(f"node_loop_{kind}", lambda kind=kind: self.keep(
                f"node_loop_{kind}_plain", self.all.node_loop(kind, self.records, "default")))
        for name in wanted:
            self.attempt(f"{name} with its defaults",
                         lambda name=name: self.product(name, records, "default", seconds))

    def product(self, name, records, settings, seconds=0):
        key = name if settings == "best" else f"{name}_default"
        if name.startswith("bullmq_"):
            line = self.all.on_redis(name.removeprefix("bullmq_"), records, settings, seconds)
        else:
            line = self.all.on_postgresql(name, records, settings, seconds)
        self.keep(key, line)

    def report_contenders(self):
        for name, lines in self.lines.items():
            if name.startswith("sluice_"):
                continue
            settings = {"records": lines[0]["records"], "runs": len(lines),
                        "cpu_per_1000": round(median([1000 * self.cpu(line) / line["records"] for line in lines]), 4),
                        "peak_mib": round(max(line["peak_memory_bytes"] for line in lines) / 2**20, 1)}
            own = lines[0].get("settings")
            settings.update(own if isinstance(own, dict) else {"settings": own} if own else {})
            if "in_flight" in lines[0]:
                settings.update({"in_flight": lines[0]["in_flight"], "rows_a_transaction": lines[0]["group"]})
            self.report.add(name, self.rate(name), "1/s", settings)

    @staticmethod
    def cpu(line):
        """A peer counts its server's share itself, the ceiling does not."""
        return line["cpu_seconds"] + (line["server_cpu_seconds"] if line["name"] == "ceiling" else 0)

    def report_deliveries(self, kind):
        lines = self.lines.get(f"sluice_{kind}", [])
        if not lines:
            return
        rate = self.rate(f"sluice_{kind}")
        settings = {"records": self.records, "runs": len(lines), "in_flight": 64, "batch": 200, "database": kind,
                    "peak_mib": round(max(line["peak_memory_bytes"] for line in lines) / 2**20, 1)}
        name = f"deliveries_{kind}"
        self.report.add(name, rate, "1/s", settings, "ceiling",
                        median([line["deliveries_per_second"] / line["ceiling"] for line in lines]))
        best = self.best_peer()
        if best:
            self.report.add(name, rate, "1/s", {**settings, "best_peer": best}, "best_peer", rate / self.rate(best))
        paired = [line for line in lines if "node_loop" in line]
        if not paired:
            return
        self.report.add(name, rate, "1/s", settings, "node_loop",
                        median([line["deliveries_per_second"] / line["node_loop"] for line in paired]))
        plain = self.rate(f"node_loop_{kind}_plain")
        if plain:
            self.report.add(name, rate, "1/s", settings, "node_loop_plain", rate / plain)
        cpu = 1000 * median([line["cpu_seconds"] for line in lines]) / self.records
        self.report.add(f"cpu_per_1000_{kind}", cpu, "s", settings, "node_loop",
                        median([line["cpu_seconds"] / line["node_loop_cpu"] for line in paired]))

    def wake_latency(self, kind):
        samples = 50 if self.options.quick else 500
        latencies = sluice_runs.wake_latencies(self.options.sluice, self.all, kind, samples)
        settings = {"database": kind, "samples": samples, "settings": "defaults"}
        self.report.add("wake_latency_median", median(latencies) / 1000, "ms", settings)
        self.report.add("wake_latency_p99", percentile(latencies, 0.99) / 1000, "ms", settings)

    def delta_beside_backfill(self, kind):
        records = self.options.records or (20_000 if self.options.quick else 1_000_000)
        rate = 5 if self.options.quick else 2
        latencies = sluice_runs.delta_beside_backfill(self.options.sluice, self.all, kind, records, rate)
        settings = {"database": kind, "backfill": records, "samples": len(latencies), "sink_latency": "5ms",
                    "settings": "defaults"}
        self.report.add("delta_beside_backfill_median", median(latencies) / 1000, "ms", settings)
        self.report.add("delta_beside_backfill_p99", percentile(latencies, 0.99) / 1000, "ms", settings)


def parse_options():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three runs of 50,000 records, within three minutes")
    parser.add_argument("--json", action="store_true", help="one JSON line a figure instead of a table")
    parser.add_argument("--only", default="", metavar="NAME[,NAME]", help="only these figures or contenders")
    parser.add_argument("--records", type=int, help="records a run instead of 200,000 (quick: 50,000)")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--sluice", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.only = [name for name in options.only.split(",") if name]
    options.peers_work = (options.peers / "node_modules").exists()
    return options


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    options = parse_options()
    # So that servers and files are cleaned up whichever way the benchmark is ended.
    signal.signal(signal.SIGTERM, interrupt)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice_bench_"))
    # PostgreSQL's user must reach its own folder in here.
    os.chmod(folder, 0o755)
    try:
        return Bench(options, folder).run()
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
