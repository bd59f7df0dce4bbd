"""A PostgreSQL ledger of millions of rows, made by the server itself, and what reading it for people and for the volume
breaker costs."""

import json
import subprocess

import services
import sluice_driver

# Of the newest records of the rule that is counted for: deleted by the source, and not withdrawn yet.
PENDING = 5_000
SAMPLES = 50
FIRST_CHANGE_US = 1_700_000_000_000_000
RUNS_A_RULE = 20

# The number of a record in its rule makes its id and the time it changed; every hundredth was withdrawn long ago.
RECORD = "'c' || lpad(CAST(n AS text), 8, '0')"
CHANGED = f"{FIRST_CHANGE_US} + CAST(n AS bigint) * 1000"


def mirror_sql(per_rule, pending):
    deleted = f"(n % 100 = 0 OR n > {per_rule - pending})"
    return ("INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at, deleted_at, "
            f"deletion_reason) SELECT r.source_connection_id, r.domain, {RECORD}, '{{}}', {CHANGED}, "
            f"CASE WHEN {deleted} THEN {CHANGED} END, CASE WHEN {deleted} THEN 'source_event' ELSE 'none' END "
            f"FROM sync_rules AS r CROSS JOIN generate_series(1, {per_rule}) AS n")


def ledger_sql(per_rule, pending):
    withdrawn = f"n % 100 = 0 AND n <= {per_rule - pending}"
    return ("INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, remote_id, "
            "delivered_content_changed_at, seen_content_changed_at, seen_revision, row_version, updated_at) "
            f"SELECT r.id, {RECORD}, CASE WHEN {withdrawn} THEN 'withdrawn' ELSE 'delivered' END, "
            f"CASE WHEN {withdrawn} THEN 'absent' ELSE 'active' END, CASE WHEN {withdrawn} THEN '' ELSE 's' || n END, "
            f"{CHANGED}, CASE WHEN n > {per_rule - pending} THEN {CHANGED} - 1 ELSE {CHANGED} END, 1, 1, {CHANGED} "
            f"FROM sync_rules AS r CROSS JOIN generate_series(1, {per_rule}) AS n")


def standing_sql(per_rule):
    """What a node leaves in weeks: runs, and cursors that stand behind the last record."""
    return [
        "INSERT INTO delivery_runs (public_id, rule_id, ending, started_at, ended_at) SELECT gen_random_uuid(), r.id, "
        f"CASE WHEN n < {RUNS_A_RULE} OR r.id % 100 > 0 THEN 'completed' END, {CHANGED}, "
        f"CASE WHEN n < {RUNS_A_RULE} OR r.id % 100 > 0 THEN {CHANGED} + 500 END "
        f"FROM sync_rules AS r CROSS JOIN generate_series(1, {RUNS_A_RULE}) AS n",
        f"UPDATE delivery_cursors SET backfill_until = NULL, known_records = {per_rule}, ended_run_id = 1, "
        f"ended_run_ending = 'completed', ended_run_started_at = {FIRST_CHANGE_US}, "
        f"ended_run_ended_at = {FIRST_CHANGE_US} + 500, completed_at = {FIRST_CHANGE_US} + 500"]


def read_times(binary, contenders, rows, rules):
    """Milliseconds of the volume breaker's count for one rule and of the health of all, by name, where `rows` ledger rows
    belong to `rules` rules."""
    per_rule = rows // rules
    # No rule may have more withdrawals before it than a breaker lets through.
    pending = min(PENDING, per_rule // 10)
    with services.Sink(contenders.programs) as sink:
        sluice = sluice_driver.Sluice(binary, contenders, "postgresql", sink)
        sluice.apply(*sluice_driver.rule_texts(rules))
    fill(contenders.postgresql, sluice, mirror_sql(per_rule, pending), ledger_sql(per_rule, pending),
         *standing_sql(per_rule))
    rule, source, domain = contenders.postgresql.sql(
        sluice.name, "SELECT id, source_connection_id, domain FROM sync_rules ORDER BY id LIMIT 1 OFFSET "
        f"{rules // 2}")[0].split("\t")
    done = subprocess.run(
        [contenders.programs / "sluice_bench_reads", "--database", sluice.url, "--rule", rule, "--source", source,
         "--domain", domain, "--after", str(FIRST_CHANGE_US + (per_rule - pending) * 1000), "--samples", str(SAMPLES)],
        stdout=subprocess.PIPE, text=True, check=True)
    lines = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    if lines["volume_count"]["found"] != pending or lines["health"]["found"] != rules:
        raise RuntimeError(f"of {pending} withdrawals and {rules} rules the readings found {lines}")
    return lines, pending


def fill(postgresql, sluice, *statements):
    """Without a log, triggers and foreign keys, which are most of what so many rows cost and nothing a reader sees."""
    postgresql.sql(sluice.name, "SET session_replication_role = replica", "ALTER TABLE mirror_records SET UNLOGGED",
                   "ALTER TABLE outbound_deliveries SET UNLOGGED", *statements)
    # In a transaction of its own each, which VACUUM insists on.
    postgresql.sql(sluice.name, "VACUUM (ANALYZE)")
    postgresql.checkpoint()
