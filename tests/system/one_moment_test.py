#!/usr/bin/env -S python3 -B
"""Records of one moment, and a node that is killed again and again among them. SLUICE_MOMENT_RECORDS says how many."""

import os

import world
from world import on_each_engine, records, rest_connection, rule

RECORDS = int(os.environ.get("SLUICE_MOMENT_RECORDS", "10000"))
EVERY = 97


class OneMoment(world.SystemTest):

    @on_each_engine
    def test_all_are_delivered_once_by_delta_and_by_backfill_though_killed_after_every_97th(self, engine):
        w = self.world(engine, delivery={"scan_overlap": "1ms"})  # else delta would read what is to be backfilled
        target, crm = w.target(), w.crm()
        connections = [rest_connection("crm", target.url), rest_connection("mailer", crm.url, key=True, lookup=False)]
        w.apply(connections, [rule()])
        made = records(RECORDS)
        w.must_import("customers", made, "--batch", RECORDS)
        self.assertEqual(w.query("SELECT count(DISTINCT content_changed_at) FROM mirror_records"), [("1",)])
        w.apply(connections, [rule(), rule("newsletter", target="mailer")])
        self.assertEqual(w.query("SELECT r.name FROM sync_rules r JOIN delivery_cursors c ON c.rule_id = r.id "
                                 "JOIN mirror_records m ON m.content_changed_at < c.backfill_until GROUP BY r.name"),
                         [("newsletter",)])

        for after in range(EVERY, RECORDS, EVERY):
            self.kill_after(w, target, after)
        target.hold_after(None)
        node = w.serve()
        world.wait_until(lambda: node.alive() and w.delivered(2 * RECORDS), 120, "all are delivered")

        self.assertEqual(sorted(target.created()), [record["id"] for record in made])
        w.assert_agree(crm, "customers", world.fields_of(made))
        self.assertEqual(w.query("SELECT count(*) FROM delivery_cursors WHERE backfill_until IS NOT NULL"), [("0",)])

    @staticmethod
    def kill_after(w, target, creates):
        """The create with this number is the last the node may see through."""
        target.hold_after(creates)
        node = w.launch()
        world.wait_until(lambda: node.alive() and len(target.created()) >= creates, 90, f"{creates} are there")
        node.kill()
        target.hold.set()
        w.query("UPDATE ownership SET lease_until = 0")  # as when its lease has run out


if __name__ == "__main__":
    world.main()
