#!/usr/bin/env -S python3 -B
"""Deletions of a source reach the targets, as each rule has it, and no more at once than the volume breaker lets through."""

import world
from world import fields_of, on_each_engine, records, rest_connection, rule, with_deletions

RECORDS = 300


class Deletions(world.SystemTest):

    def begin(self, engine):
        """All records are delivered, under a rule that deletes and one that deactivates."""
        w = self.world(engine, api=world.API)
        crm, mailer = w.crm(), w.crm()
        w.apply([with_deletions(rest_connection("crm", crm.url)), with_deletions(rest_connection("mailer", mailer.url))],
                [rule(delete_policy="delete"), rule("newsletter", target="mailer", delete_policy="deactivate")])
        w.must_import("customers", records(RECORDS))
        node = w.serve()
        world.wait_until(lambda: node.alive() and w.delivered(2 * RECORDS), 60, "all are delivered")
        return w, crm, mailer, node

    def delete(self, w, first, count):
        w.must_import("customers", records(count, first=first), "--deleted", name="deleted.ndjson")

    def active(self, crm):
        return sum(1 for item in crm.state("customers")["items"] if item.get("active", True))

    @on_each_engine
    def test_they_are_withdrawn_and_what_comes_back_is_there_again(self, engine):
        w, crm, mailer, node = self.begin(engine)
        self.delete(w, 0, 20)
        world.wait_until(lambda: node.alive() and crm.count("customers", "deletes") == 20
                         and mailer.count("customers", "deactivations") == 20, 30, "both are told")
        world.wait_until(lambda: w.counts("customers") == w.counts("newsletter") == {"delivered": 280, "withdrawn": 20}, 30,
                         "the ledger says so")
        gone = [record["id"] for record in records(20)]
        for target, how in ((crm, "delete"), (mailer, "deactivate")):
            told = target.state("customers")["withdrawals"]
            self.assertEqual(sorted(each["external_id"] for each in told), gone)
            self.assertEqual({each["how"] for each in told}, {how})
        w.assert_agree(crm, "customers", fields_of(records(280, first=20)))
        self.assertEqual((mailer.count("customers"), self.active(mailer)), (RECORDS, 280))

        back = records(5, mark=" back")
        w.must_import("customers", back, name="back.ndjson")
        world.wait_until(lambda: node.alive() and w.delivered(2 * 285), 30, "they are back")
        self.assertEqual(crm.count("customers", "creates"), RECORDS + 5)
        self.assertEqual(mailer.count("customers", "reactivations"), 5)
        self.assertEqual((mailer.count("customers"), self.active(mailer)), (RECORDS, 285))
        for target in (crm, mailer):
            held = target.items("customers")
            self.assertEqual({key: held[key] for key in fields_of(back)}, fields_of(back))

    @on_each_engine
    def test_too_many_are_held_until_a_person_releases_them_and_creates_go_on(self, engine):
        w, crm, mailer, node = self.begin(engine)
        self.delete(w, 0, 100)
        holds = world.wait_until(lambda: self.both_holds(w, node), 30, "both rules hold")
        self.assertEqual({(hold["finding"]["pending"], hold["finding"]["known"], hold["finding"]["threshold"])
                          for hold in holds.values()}, {(100, RECORDS, 30)})
        w.must_import("customers", records(10, first=RECORDS), name="more.ndjson")
        world.wait_until(lambda: w.delivered(2 * 210), 30, "new records are delivered")
        self.assertEqual((crm.count("customers", "deletes"), mailer.count("customers", "deactivations")), (0, 0))

        w.operate(node, "hold", "release", holds["customers"]["id"], "--allow", "100")
        world.wait_until(lambda: w.counts("customers") == {"delivered": 210, "withdrawn": 100}, 30, "they are withdrawn")
        w.assert_agree(crm, "customers", fields_of(records(210, first=100)))
        self.assertEqual(self.both_holds(w, node, 1).keys(), {"newsletter"})
        self.assertEqual(mailer.count("customers", "deactivations"), 0)

    @staticmethod
    def both_holds(w, node, count=2):
        holds = {hold["rule"]: hold for hold in w.operate(node, "hold", "list")["holds"]}
        return holds if node.alive() and len(holds) == count else None


if __name__ == "__main__":
    world.main()
