#!/usr/bin/env -S python3 -B
"""A target that hangs for 30 s a request slows nobody else down."""

import statistics
import sys
import time

import world
from world import fields_of, records, rest_connection, rule

RECORDS = 2000
WELL = ("crm-a", "crm-b")


class Hang(world.SystemTest):

    def test_the_other_targets_keep_nine_tenths_of_their_rate(self):
        ratios = []
        for _ in range(3):
            alone = self.rate(hanging=False)
            beside = self.rate(hanging=True)
            ratios.append(beside / alone)
            print(f"{alone:.0f}/s alone, {beside:.0f}/s beside a target that hangs", file=sys.stderr)
        self.assertGreaterEqual(statistics.median(ratios), 0.9)

    def rate(self, hanging):
        """Records a second that reach the two targets that are well. Their latency, not this machine, bounds it."""
        w = self.world(calls={"call_timeout": "30s"}, delivery={"settle_after": "30s"})
        crms = {name: w.crm("--latency", "10ms") for name in WELL}
        if hanging:
            crms["crm-c"] = w.crm("--latency", "30s")
        w.apply([rest_connection(name, crm.url) for name, crm in crms.items()],
                [rule(f"to-{name}", target=name) for name in crms])
        made = records(RECORDS)
        w.must_import("customers", made)
        node = w.launch()
        began = world.wait_until(lambda: self.arrived(crms) and time.monotonic(), 30, "the first arrive")
        ended = world.wait_until(lambda: self.arrived(crms) == 2 * RECORDS and time.monotonic(), 90, "all arrive")
        for name in WELL:
            w.assert_agree(crms[name], "customers", fields_of(made))
        if hanging:
            self.assertGreaterEqual(crms["crm-c"].requests(), 8)
        node.kill()
        for crm in crms.values():
            crm.kill()
        return 2 * RECORDS / (ended - began)

    @staticmethod
    def arrived(crms):
        return sum(crms[name].count("customers") for name in WELL)


if __name__ == "__main__":
    world.main()
