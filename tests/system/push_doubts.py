"""What holds for each provider that can be asked nothing: a message whose outcome nobody knows is sent by nobody again."""

from processes import wait_until



def waits(timeout):
    """Settings: a call may take so many seconds, and a doubt is looked at within a second or two."""
    return {"calls": {"call_timeout": f"{timeout}s", "connect_timeout": f"{timeout}s"},
            "delivery": {"settle_after": f"{timeout}s"},
            "notifications": {"lease": f"{3 * timeout}s", "reconcile_schedule": ["1s", "2s", "4s"]}}


class Doubts:
    """Whoever has these tests has `stand(engine, timeout)`, which gives a node whose route "both" goes over two profiles
    of the provider, so that a fallback would arrive; `server`; `reach(n)`, somebody's contact point; and `came()`, how
    many messages the provider took."""

    def stays_in_doubt(self, n, notification):
        shown = n.ended(notification, "ambiguous")
        self.assertEqual([one["state"] for one in shown["history"]], ["ambiguous"], shown)
        wait_until(lambda: n.world.query("SELECT verdict, needs_person FROM reconciliation_targets")
                   == [("unsupported", "1")], 60, "it is recorded that nobody can be asked")
        self.assertEqual(self.came(), 1)
        listed = n.api.must("GET", "/v1/notifications?state=ambiguous")["notifications"]
        self.assertEqual([one["id"] for one in listed], [notification])
        return shown["history"][0]["error_class"]

    def settle(self, n, notification, outcome):
        n.world.operate(n.node, "notifications", "settle", notification, outcome, "--reason", "looked at by hand")
        return n.ended(notification, "accepted")

    def kill_between_acceptance_and_record(self, engine):
        n = self.stand(engine, timeout=6)
        self.server.planned.append("hang")
        made = n.send(self.reach(n), "both", title="Hello")
        wait_until(lambda: self.came() == 1, 60, "the provider has the message")
        n.kill()
        n.start()
        self.stays_in_doubt(n, made)
        self.assertEqual(len(self.settle(n, made, "accepted")["history"]), 1)
        self.assertEqual(self.came(), 1)

    def test_a_node_that_is_killed_after_the_provider_took_it_sends_nothing_again_on_sqlite(self):
        self.kill_between_acceptance_and_record("sqlite")

    def test_a_node_that_is_killed_after_the_provider_took_it_sends_nothing_again_on_postgresql(self):
        self.kill_between_acceptance_and_record("postgresql")

    def test_an_answer_that_never_comes_leaves_a_doubt_until_a_person_has_it_sent_again(self):
        n = self.stand(timeout=3)
        self.server.planned.append("hang")
        made = n.send(self.reach(n), "both", title="Hello")
        self.assertEqual(self.stays_in_doubt(n, made), "timed_out")
        states = [one["state"] for one in self.settle(n, made, "not-sent")["history"]]
        self.assertEqual((states[-1], len(states), self.came()), ("accepted", 2, 2))

    def test_an_answer_that_is_cut_leaves_a_doubt(self):
        n = self.stand(timeout=3)
        self.server.planned.append("cut")
        self.assertEqual(self.stays_in_doubt(n, n.send(self.reach(n), "both", title="Hello")), "cut")

    def test_an_answer_after_its_time_ends_no_doubt(self):
        n = self.stand(timeout=3)
        self.server.late_by = 5
        self.server.planned.append("late")
        made = n.send(self.reach(n), "both", title="Hello")
        self.assertEqual(self.stays_in_doubt(n, made), "timed_out")
        other = n.send(self.reach(n), "both", title="Hello")
        n.ended(other, "accepted")
        self.assertEqual((n.state(made), self.came()), ("ambiguous", 2))
