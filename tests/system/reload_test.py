#!/usr/bin/env -S python3 -B
"""SIGHUP: a running node reads its settings again. And what it tells the service manager that started it."""

import json
import signal
import socket

import world
from world import as_toml, merged


class Reload(world.SystemTest):

    def change(self, w, node, marks, **settings):
        """Writes other settings, sends SIGHUP, and waits until the log has one more of each mark."""
        before = {mark: node.said().count(mark) for mark in marks}
        w.write("sluice.toml", as_toml(merged(w.settings, settings)))
        node.send(signal.SIGHUP)
        world.wait_until(lambda: node.alive() and all(node.said().count(mark) > before[mark] for mark in marks), 10,
                         f"the log has {marks}")

    def test_the_log_s_settings_are_taken_over_and_the_rest_waits_for_a_restart(self):
        w = self.world(log={"level": "info", "format": "text"})
        node = w.serve()
        self.change(w, node, ["settings.reloaded", "settings.need_restart"], log={"format": "json"},
                    delivery={"scan_batch_size": 17})
        lines = node.said().splitlines()
        self.assertIn("setting=delivery.scan_batch_size", next(line for line in lines if "need_restart" in line))
        told = next(json.loads(line) for line in reversed(lines) if "settings.reloaded" in line)
        self.assertEqual(told["changed"], "log.format")
        self.assertEqual(node.terminate(), 0)

    def test_a_graver_level_silences_the_node_at_once(self):
        w = self.world(log={"level": "info"})
        node = w.serve()
        w.write("sluice.toml", as_toml(merged(w.settings, {"log": {"level": "error"}})))
        node.send(signal.SIGHUP)
        self.assertEqual(node.terminate(), 0)
        self.assertNotIn("node.stopped", node.said())

    def test_new_settings_with_faults_are_refused_as_a_whole(self):
        w = self.world(log={"level": "info", "format": "text"})
        node = w.serve()
        self.change(w, node, ["settings.refused"], log={"format": "json", "level": "loud"},
                    delivery={"scan_batch_size": 0})
        said = node.said()
        self.assertIn("scan_batch_size", said)
        self.assertIn("loud", said)
        self.assertNotIn("settings.reloaded", said)
        self.change(w, node, ["settings.reloaded"])
        self.assertIn("changed=nothing", node.said())
        self.assertEqual(node.terminate(), 0)
        self.assertIn("node.stopped", node.said())

    def test_the_service_manager_is_told_when_the_node_is_ready_and_when_it_stops(self):
        w = self.world()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(w.folder / "notify"))
            manager.settimeout(30)
            node = w.launch(environment={"NOTIFY_SOCKET": str(w.folder / "notify")})
            self.assertEqual(manager.recv(100), b"READY=1")
            self.assertIn("node.started", node.said())
            self.assertEqual(node.terminate(), 0)
            self.assertEqual(manager.recv(100), b"STOPPING=1")


if __name__ == "__main__":
    world.main()
