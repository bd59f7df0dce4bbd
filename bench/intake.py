"""Records posted to a running node as one stream of lines."""

import json
import os
import socket
import time

import services
import sluice_driver
import sluice_runs

TOKEN = "a-token-for-the-benchmark"
KINDS = ("sqlite", "postgresql")


def measure(bench):
    for kind in KINDS:
        bench.attempt_if(f"intake_{kind}", lambda kind=kind: report(bench, kind), sluice=True)


def report(bench, kind):
    records = bench.options.records or (200_000 if bench.options.quick else 1_000_000)
    line = post(bench.options.sluice, bench.all, kind, records)
    bench.report.add(f"intake_{kind}", line["records_per_second"], "1/s",
                     {"database": kind, "records": records, "batch": 10_000,
                      "cpu_per_1000": round(1000 * line["cpu_seconds"] / records, 4),
                      "peak_mib": round(line["peak_memory_bytes"] / 2**20, 1)})


def post(binary, contenders, kind, records):
    """From the first byte of the request to the answer that all of it is stored."""
    port = services.free_port()
    sections = {"api": {"listen": f"127.0.0.1:{port}", "token": TOKEN}}
    with services.Sink(contenders.programs) as sink:
        sluice = sluice_driver.Sluice(binary, contenders, kind, sink, "default", sections)
        sluice.apply()
        file = contenders.records_file(records, "--posted")
        process = sluice.start("serve")
        try:
            client = connect(port)
            cpu_before = services.tree_cpu_seconds(process.pid)
            began = time.monotonic()
            report_of_all = send(client, file)
            seconds = time.monotonic() - began
            line = {"records_per_second": records / seconds,
                    "cpu_seconds": services.tree_cpu_seconds(process.pid) - cpu_before,
                    "peak_memory_bytes": services.peak_memory_bytes(process.pid)}
        finally:
            sluice_runs.stop(process)
    if report_of_all.get("inserted") != records:
        raise RuntimeError(f"the node stored something else than {records} records: {report_of_all}")
    return line


def connect(port, seconds=20):
    deadline = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=600)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def send(client, file):
    """Posts the file and returns the answer's document."""
    path = f"/v1/connections/{sluice_driver.SOURCE}/records/{sluice_driver.DOMAIN}"
    head = (f"POST {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Type: application/x-ndjson\r\nContent-Length: {os.path.getsize(file)}\r\n"
            "Connection: close\r\n\r\n")
    with client, open(file, "rb") as body:
        client.sendall(head.encode())
        client.sendfile(body)
        answer = b""
        while piece := client.recv(65536):
            answer += piece
    return json.loads(answer.partition(b"\r\n\r\n")[2])
