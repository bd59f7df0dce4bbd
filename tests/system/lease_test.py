#!/usr/bin/env -S python3 -B
"""One node at a time works on a database, also when the one before wakes up late."""

import signal

import world
from world import fields_of, records, rest_connection, rule

RECORDS = 2000


class Lease(world.SystemTest):

    def start_on_postgresql(self):
        w = self.world("postgresql")
        crm = w.crm("--latency", "10ms")
        w.apply([rest_connection("crm", crm.url)], [rule()])
        made = records(RECORDS)
        w.must_import("customers", made)
        other = w.write("other.toml", world.as_toml(world.merged(w.settings, {"node": {"name": "node-b"}})))
        return w, crm, made, other

    def pause(self, w, crm):
        paused = w.serve()
        world.wait_until(lambda: paused.alive() and crm.count("customers") > RECORDS // 10, 60, "a tenth is there")
        paused.send(signal.SIGSTOP)
        return paused

    def take_over(self, w, config):
        """A node of another name is refused while the lease runs; whoever starts it tries again."""
        refusals = []

        def attempt():
            node = w.launch(config)
            world.wait_until(lambda: "node.started" in node.said() or node.child.poll() is not None, 30, "an answer")
            if "node.started" in node.said():
                return node
            refusals.append(node.said())
            self.assertEqual(node.wait(10), 3)
            return None

        node = world.wait_until(attempt, 30, "the lease runs out")
        for said in refusals:
            self.assertIn("node node-a works on this database", said)
        return node

    def assert_ended_by_itself(self, node):
        """It was told nothing: it noticed, and whoever watches it learns that."""
        self.assertEqual(node.wait(15), 3)
        self.assertIn("node.unfit", node.said())

    def test_a_paused_node_that_wakes_while_another_works_changes_nothing(self):
        w, crm, made, other = self.start_on_postgresql()
        paused = self.pause(w, crm)
        node = self.take_over(w, other)
        there = crm.count("customers")
        world.wait_until(lambda: node.alive() and crm.count("customers") > there + 200, 60, "the other one delivers")
        paused.send(signal.SIGCONT)
        self.assert_ended_by_itself(paused)
        world.wait_until(lambda: node.alive() and w.delivered(RECORDS), 60, "all are delivered")
        w.assert_agree(crm, "customers", fields_of(made))
        self.assertEqual(crm.count("customers", "creates"), RECORDS)

    def test_a_paused_node_that_wakes_when_all_is_done_writes_and_sends_nothing(self):
        w, crm, made, other = self.start_on_postgresql()
        paused = self.pause(w, crm)
        node = self.take_over(w, other)
        world.wait_until(lambda: node.alive() and w.delivered(RECORDS), 60, "all are delivered")
        self.assertEqual(node.terminate(), 0)
        written, sent = w.snapshot(), crm.requests()

        paused.send(signal.SIGCONT)

        self.assert_ended_by_itself(paused)
        self.assertEqual(w.snapshot(), written)
        self.assertEqual(crm.requests(), sent)
        w.assert_agree(crm, "customers", fields_of(made))

    def test_a_node_that_waits_for_its_own_earlier_lease_can_be_told_to_end(self):
        w = self.world("postgresql")
        config = w.write("long.toml", world.as_toml(world.merged(w.settings, {"node": {"lease_length": "60s"}})))
        w.serve(config).kill()
        waiting = w.launch(config)
        world.wait_until(lambda: "node.lease_awaited" in waiting.said(), 10, "it waits")
        self.assertEqual(waiting.terminate(), 0)
        self.assertNotIn("node.started", waiting.said())

    def test_a_second_node_on_one_sqlite_file_is_refused_by_name(self):
        w = self.world()
        first = w.serve()
        second = w.launch()
        self.assertEqual(second.wait(10), 3)
        self.assertIn(f"is in use by process {first.child.pid}", second.said())
        self.assertIn(w.database.removeprefix("sqlite:"), second.said())
        self.assertEqual(first.terminate(), 0)


if __name__ == "__main__":
    world.main()
