#!/usr/bin/env -S python3 -B
"""A target that fails, loses replies and limits: everything arrives, once, within its limit."""

import world
from world import fields_of, records, rest_connection, rule

PER_MINUTE = 6000
FAULTS = ("--lose-reply-rate", "0.2", "--fail-rate", "0.2", "--requests-per-minute", str(PER_MINUTE))


class Faults(world.SystemTest):

    def deliver_all(self, **how):
        w = self.world()
        crm = w.crm(*FAULTS)
        w.apply([rest_connection("crm", crm.url, requests_per_minute=PER_MINUTE, **how)], [rule()])
        made = records(2000)
        w.must_import("customers", made)

        w.serve()
        world.wait_until(lambda: w.delivered(2000), 90, "2,000 records are delivered")

        w.assert_agree(crm, "customers", fields_of(made))
        state = crm.state()
        self.assertLessEqual(state["peak_requests_in_60s"], PER_MINUTE)
        self.assertGreater(state["lost_replies"], 100)
        self.assertGreater(state["failed"], 100)
        return crm

    def test_lost_replies_are_looked_up(self):
        crm = self.deliver_all()
        self.assertEqual(crm.count("customers", "creates"), 2000)

    def test_lost_replies_are_repeated_under_the_same_key(self):
        self.deliver_all(key=True, lookup=False)

    def test_a_budget_that_is_used_up_is_waited_for_and_never_exceeded(self):
        w = self.world()
        crm = w.crm("--requests-per-minute", "300", "--lose-reply-rate", "0.2")
        w.apply([rest_connection("crm", crm.url, requests_per_minute=300)], [rule()])
        made = records(350)
        w.must_import("customers", made)

        w.serve()
        world.wait_until(lambda: w.delivered(350), 200, "350 records are delivered")

        w.assert_agree(crm, "customers", fields_of(made))
        state = crm.state()
        self.assertGreater(state["lost_replies"], 50)
        self.assertEqual((state["rate_limited"], state["peak_requests_in_60s"]), (0, 300))


if __name__ == "__main__":
    world.main()
