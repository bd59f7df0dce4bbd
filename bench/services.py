"""The servers a benchmark needs, each started in a folder of its own and ended by its process id."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    """A TCP port of loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not happen within {seconds} s")
        time.sleep(0.05)


def stat_fields(pid):
    """The fields of /proc/PID/stat after the command name; none once the process is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text.rpartition(")")[2].split()


def tree_cpu_seconds(root):
    """CPU seconds of a process, its children alive, and the children it has reaped."""
    ticks = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        fields = stat_fields(entry)
        if not fields:
            continue
        if int(entry) == root:
            ticks += sum(int(value) for value in fields[11:15])
        elif int(fields[1]) == root:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / CLOCK_TICKS


def peak_memory_bytes(pid):
    """VmHWM of a process; 0 once it is gone."""
    return memory_bytes(pid, "VmHWM")


def resident_memory_bytes(pid):
    """VmRSS of a process; 0 once it is gone."""
    return memory_bytes(pid, "VmRSS")


def memory_bytes(pid, name):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


class Server:
    """A process of ours with a log file."""

    def __init__(self, command, log, **keywords):
        self._log = open(log, "ab")
        self.process = subprocess.Popen(command, stdout=self._log, stderr=subprocess.STDOUT, **keywords)
        self.pid = self.process.pid

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._log.close()


class Sink:
    """The benchmark's target."""

    def __init__(self, programs, latency=None, mark=None):
        command = [programs / "sluice_bench_sink", "--listen", "127.0.0.1:0"]
        if latency:
            command += ["--latency", latency]
        if mark:
            command += ["--mark", mark]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]

    def stats(self):
        return self._show("_stats")

    def marked(self):
        """When each marked request came, in UTC microseconds, by its mark."""
        return self._show("_marked")

    def _show(self, what):
        with urllib.request.urlopen(f"http://{self.address}/{what}", timeout=10) as answer:
            return json.load(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()


class Redis:
    """Redis with its append-only file; `fsync` is its appendfsync: always or everysec."""

    def __init__(self, folder, fsync):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.port = free_port()
        self._server = Server(
            ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", fsync, "--maxmemory-policy", "noeviction"],
            self.folder / "redis.log")
        self.pid = self._server.pid
        wait_until(self._answers, "Redis's first answer")

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self):
        self._server.stop()


class PostgreSql:
    """A cluster of our own, default settings but for the size of its log, which would else cause checkpoints at random."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.binaries = self._find_binaries()
        self.port = free_port()
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(self.folder, "postgres")
        data = self.folder / "data"
        subprocess.run(
            [*self._as_user, self.binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale=C.UTF-8"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        # runuser would stay in front as the parent; the server itself is found by its pid file.
        self._server = Server(
            [*self._as_user, self.binaries / "postgres", "-D", data, "-p", str(self.port), "-k", self.folder,
             "-c", "listen_addresses=127.0.0.1", "-c", "max_wal_size=8GB", "-c", "checkpoint_timeout=30min"],
            self.folder / "postgresql.log", cwd=self.folder)
        self._pid_file = data / "postmaster.pid"
        try:
            wait_until(self._is_ready, "PostgreSQL's start")
        except BaseException:
            self._server.stop()
            raise
        self.pid = int(self._pid_file.read_text().splitlines()[0])

    @staticmethod
    def _find_binaries():
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if not found:
            raise RuntimeError("PostgreSQL's server is not installed (Debian package postgresql)")
        return found[-1].parent

    def _is_ready(self):
        if self._server.process.poll() is not None:
            raise RuntimeError(f"PostgreSQL did not start; see {self.folder / 'postgresql.log'}")
        probe = subprocess.run(
            [self.binaries / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)], check=False)
        return probe.returncode == 0 and self._pid_file.exists()

    def conninfo(self, database):
        return f"host={self.folder} port={self.port} user=postgres dbname={database}"

    def create_database(self, name):
        self.sql("postgres", "SET client_min_messages = warning", f'DROP DATABASE IF EXISTS "{name}"',
                 f'CREATE DATABASE "{name}"')

    def sql(self, database, *statements):
        """Runs statements; returns the last one's rows as lines of tab-separated text."""
        command = [self.binaries / "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
                   self.conninfo(database)]
        for statement in statements:
            command += ["-c", statement]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()

    def checkpoint(self):
        """Writes dirty pages now, so that the next run does not pay for the one before."""
        self.sql("postgres", "CHECKPOINT")

    def stop(self):
        if self._server.process.poll() is None:
            os.kill(self.pid, signal.SIGINT)
            self._server.process.wait(60)
        self._server.stop()
