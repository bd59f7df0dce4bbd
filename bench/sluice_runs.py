"""What is measured of Sluice: each function sets up a world of its own and returns its figures."""

import time

import services
import sluice_driver


def deliveries(binary, contenders, kind, records, settings, around=lambda run: run(), rules=1, lookup=True):
    """Delivers `records` creates under so many rules. `around` is handed the delivery itself, so that something can run
    directly before and after it, and returns what the delivery returns."""
    with services.Sink(contenders.programs) as sink:
        sluice = sluice_driver.Sluice(binary, contenders, kind, sink, settings)
        sluice.apply(*sluice_driver.rule_texts(rules), lookup=lookup)
        sluice.import_records(records)
        if rules > 1:
            sluice.spread_over(rules)
        line = around(sluice.deliver_once)
        stats = sink.stats()
        tables = sluice.tables()
        last = tables.value("SELECT max(updated_at) FROM outbound_deliveries")
        delivered = tables.value("SELECT count(*) FROM outbound_deliveries WHERE status = 'delivered'")
        tables.close()
    if delivered != records or stats["requests"] != records:
        raise RuntimeError(f"sluice delivered {delivered} of {records} records with {stats['requests']} requests")
    line["deliveries_per_second"] = records / ((last - stats["first_request_us"]) / 1e6)
    line["cpu_seconds"] = line["daemon_cpu_seconds"] + line["server_cpu_seconds"]
    return line


def forced_pass(binary, contenders, kind, records):
    """Delivers, then reads all of it again inside the overlap. Returns the delivery's line with `pass_rows_per_second`."""
    with services.Sink(contenders.programs) as sink:
        # The first delivery is a backfill; a marker as old as the first record makes the next delta pass read all.
        sluice = sluice_driver.Sluice(binary, contenders, kind, sink, "best", {"delivery": {"scan_overlap": "1d"}})
        sluice.apply(sluice_driver.rule_text(sluice_driver.RULE))
        sluice.import_records(records)
        line = sluice.deliver_once()
        line["deliveries_per_second"] = records / line["seconds"]
        tables = sluice.tables()
        before = tables.value("SELECT sum(row_version) FROM outbound_deliveries")
        tables.change("INSERT INTO change_markers (source_connection_id, domain, least_changed_at) "
                      "SELECT source_connection_id, domain, min(content_changed_at) FROM mirror_records "
                      "GROUP BY source_connection_id, domain")
        # A pass that finds nothing leaves no run row, so the whole process is timed, its start and end included.
        line["pass_rows_per_second"] = records / sluice.deliver_once()["seconds"]
        unread = tables.value("SELECT (SELECT count(*) FROM change_markers) + "
                              "(SELECT count(*) FROM delivery_cursors WHERE rescan_from IS NOT NULL)")
        after = tables.value("SELECT sum(row_version) FROM outbound_deliveries")
        requests = sink.stats()["requests"]
        tables.close()
    if before != after or requests != records:
        raise RuntimeError(f"the forced pass wrote: {requests} requests, row versions {before} and {after}")
    if int(unread) != 0:
        raise RuntimeError("the forced pass did not read to its end")
    return line


def wait_for_quiet(pid, seconds=120):
    """Waits until a process's memory stands still and it uses next to no CPU for two seconds."""
    deadline = time.monotonic() + seconds
    quiet_since = time.monotonic()
    memory, cpu = 0, 0.0
    while time.monotonic() < deadline:
        time.sleep(0.5)
        memory_now, cpu_now = services.peak_memory_bytes(pid), services.tree_cpu_seconds(pid)
        if memory_now == 0:
            raise RuntimeError("sluice serve ended by itself")
        if memory_now != memory or cpu_now - cpu > 0.02:
            quiet_since = time.monotonic()
        elif time.monotonic() - quiet_since >= 2:
            return
        memory, cpu = memory_now, cpu_now
    raise RuntimeError(f"sluice serve was not at rest within {seconds} s")


def stop(process):
    process.terminate()
    process.wait(20)


def idle_rules_memory(binary, contenders, kind, rules):
    """Peak memory of a node with so many rules and nothing to do."""
    with services.Sink(contenders.programs) as sink:
        sluice = sluice_driver.Sluice(binary, contenders, kind, sink, "default")
        sluice.apply(*sluice_driver.rule_texts(rules))
        process = sluice.start("serve")
        try:
            wait_for_quiet(process.pid)
            return services.peak_memory_bytes(process.pid)
        finally:
            stop(process)


def wake_latencies(binary, contenders, kind, samples):
    """Microseconds from the beginning of a mirror commit to the request at the sink, one change at a time, at rest."""
    with services.Sink(contenders.programs) as sink:
        sluice = sluice_driver.Sluice(binary, contenders, kind, sink, "default")
        sluice.apply(sluice_driver.rule_text(sluice_driver.RULE))
        sluice.import_records(samples)
        sluice.deliver_once()
        tables = sluice.tables()
        process = sluice.start("serve")
        try:
            wait_for_quiet(process.pid)
            latencies = []
            for number in range(samples):
                requests = sink.stats()["requests"]
                began = tables.change(
                    "UPDATE mirror_records SET payload = replace(payload, '\"EU\"', '\"EEA\"'), content_changed_at = "
                    f"{time.time_ns() // 1000} WHERE source_id = 'c{number:08d}'")
                services.wait_until(lambda: sink.stats()["requests"] > requests, "the request of a changed record")
                latencies.append(sink.stats()["last_request_us"] - began)
                time.sleep(0.1)
            return latencies
        finally:
            stop(process)
            tables.close()


def delta_beside_backfill(binary, contenders, kind, records, changes_a_second):
    """Microseconds from the beginning of a mirror commit to the request at a sink of 5 ms latency, for new records that
    come at a steady rate while a backfill of so many records runs from its beginning to its end."""
    with services.Sink(contenders.programs, "5ms", "live-") as sink:
        sluice = sluice_driver.Sluice(binary, contenders, kind, sink, "default")
        sluice.apply()
        sluice.import_records(records)
        sluice.age_records()
        sluice.apply(sluice_driver.rule_text(sluice_driver.RULE))
        tables = sluice.tables()
        process = sluice.start("serve")
        try:
            services.wait_until(lambda: sink.stats()["requests"] > 0, "the backfill's first request")
            began = insert_while_backfilling(tables, 1 / changes_a_second)
            services.wait_until(lambda: sink.stats()["requests"] >= records + len(began), "the last new record's request")
            arrived = sink.marked()
            requests = sink.stats()["requests"]
        finally:
            stop(process)
            tables.close()
    if requests != records + len(began) or arrived.keys() != began.keys():
        raise RuntimeError(f"{requests} requests for {records} old and {len(began)} new records")
    return [arrived[name] - at for name, at in began.items()]


def insert_while_backfilling(tables, pause):
    """When each new record's commit began, by its id. One every `pause` seconds, however long the one before takes."""
    began = {}
    next_at = time.monotonic()
    while tables.value("SELECT count(*) FROM delivery_cursors WHERE backfill_until IS NOT NULL") == 1:
        name = f"live-{len(began):08d}"
        began[name] = tables.change(
            "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at) "
            f"SELECT source_connection_id, domain, '{name}', replace(payload, '\"c00000000\"', '\"{name}\"'), "
            f"{time.time_ns() // 1000} FROM mirror_records WHERE source_id = 'c00000000'")
        next_at = max(next_at + pause, time.monotonic())
        time.sleep(max(0.0, next_at - time.monotonic()))
    return began
