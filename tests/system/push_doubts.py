"""What holds for each provider that can be asked nothing: a message whose outcome nobody knows is sent by nobody again."""

import doubts
from doubts import settle
from processes import wait_until

HASTY_S = 4  # of a call; a lease has three of them


class Doubts:
    """Whoever has these tests has `stand(engine, timeout)`, which gives a node whose route "both" goes over two profiles
    of the provider, so that a fallback would arrive; `server`; `reach(n)`, somebody's contact point; and `came()`, how
    many messages the provider took."""

    def stays_in_doubt(self, n, notification, came=1):
        last = doubts.stays_in_doubt(self, n, notification)
        self.assertEqual(self.came(), came)
        return last["error_class"]

    def kill_between_acceptance_and_record(self, engine):
        n = self.stand(engine, timeout=HASTY_S)
        self.server.planned.append("hang")
        made = n.send(self.reach(n), "both", title="Hello")
        wait_until(lambda: self.came() == 1, 60, "the provider has the message")
        n.kill()
        n.start()
        self.stays_in_doubt(n, made)  # the lease and many times the retry's wait have passed by then
        n.ended(n.send(self.reach(n), "both", title="Hello"), "accepted")  # the profile goes on
        settle(n, made, "accepted")
        self.assertEqual(len(n.ended(made, "accepted")["history"]), 1)
        self.assertEqual((doubts.settlements(n, made), self.came()), (["accepted"], 2))

    def test_a_node_that_is_killed_after_the_provider_took_it_sends_nothing_again_on_sqlite(self):
        self.kill_between_acceptance_and_record("sqlite")

    def test_a_node_that_is_killed_after_the_provider_took_it_sends_nothing_again_on_postgresql(self):
        self.kill_between_acceptance_and_record("postgresql")

    def test_an_answer_that_never_comes_leaves_a_doubt_until_a_person_has_it_sent_again(self):
        n = self.stand(timeout=HASTY_S)
        self.server.planned.append("hang")
        made = n.send(self.reach(n), "both", title="Hello")
        self.assertEqual(self.stays_in_doubt(n, made), "timed_out")
        settle(n, made, "not-sent")
        self.assertEqual([one["state"] for one in n.ended(made, "accepted")["history"]][1:], ["accepted"])
        self.assertEqual(self.came(), 2)

    def test_an_answer_that_is_cut_leaves_a_doubt(self):
        n = self.stand(timeout=HASTY_S)
        self.server.planned.append("cut")
        self.assertEqual(self.stays_in_doubt(n, n.send(self.reach(n), "both", title="Hello")), "cut")

    def test_an_answer_after_its_time_ends_no_doubt(self):
        n = self.stand(timeout=HASTY_S)
        self.server.late_by = HASTY_S + 3
        self.server.planned.append("late")
        made = n.send(self.reach(n), "both", title="Hello")
        self.assertEqual(self.stays_in_doubt(n, made), "timed_out")
        other = n.send(self.reach(n), "both", title="Hello")
        n.ended(other, "accepted")
        self.assertEqual((n.state(made), self.came()), ("ambiguous", 2))
