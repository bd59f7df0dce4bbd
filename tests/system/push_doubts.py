"""What holds for each provider that can be asked nothing: a message whose outcome nobody knows is sent by nobody again."""

import doubts
from doubts import looks, settle, settlements
from processes import wait_until

HASTY_S = 4  # of a call; a lease has three of them
PLANS = {"hang": "timed_out", "cut": "cut", "late": "timed_out"}


class Doubts:
    """Whoever has these tests has `stand(engine, timeout)`, which gives a node whose route "both" goes over two profiles
    of the provider, so that a fallback would arrive; `server`; `reach(n)`, somebody's contact point; and `came()`, how
    many messages the provider took."""

    def in_doubt(self, n, plan):
        self.server.planned = [plan]
        made = n.send(self.reach(n), "both", title="Hello")
        self.assertEqual(n.ended(made, "ambiguous")["history"][0]["error_class"], PLANS[plan])
        return made

    def kill_between_acceptance_and_record(self, engine):
        n = self.stand(engine, timeout=HASTY_S)
        self.server.planned = ["hang"]
        made = n.send(self.reach(n), "both", title="Hello")
        wait_until(lambda: self.came() == 1, 60, "the provider has the message")
        n.kill()
        n.start()
        doubts.stays_in_doubt(self, n, made)  # the lease and many times the retry's wait have passed by then
        self.assertEqual(self.came(), 1)
        n.ended(n.send(self.reach(n), "both", title="Hello"), "accepted")  # the profile goes on
        settle(n, made, "accepted")
        self.assertEqual(len(n.ended(made, "accepted")["history"]), 1)
        self.assertEqual((settlements(n, made), self.came()), (["accepted"], 2))

    def test_a_node_that_is_killed_after_the_provider_took_it_sends_nothing_again_on_sqlite(self):
        self.kill_between_acceptance_and_record("sqlite")

    def test_a_node_that_is_killed_after_the_provider_took_it_sends_nothing_again_on_postgresql(self):
        self.kill_between_acceptance_and_record("postgresql")

    def test_an_answer_that_never_comes_is_cut_or_late_leaves_a_doubt_until_a_person_has_it_sent_again(self):
        n = self.stand(timeout=HASTY_S)
        self.server.late_by = HASTY_S + 3
        made = [self.in_doubt(n, plan) for plan in PLANS]
        wait_until(lambda: self.server.at_once < 2, 60, "what is late is answered")  # what hangs may stay in hand
        wait_until(lambda: looks(n) == [("unsupported", "1")] * len(made), 90, "a person is asked of each")
        for each in made:
            doubts.stays_in_doubt(self, n, each)
        self.assertEqual(self.came(), len(made))
        for each in made:
            settle(n, each, "not-sent")
            self.assertEqual([one["state"] for one in n.ended(each, "accepted")["history"]], ["retryable", "accepted"])
        self.assertEqual((looks(n), self.came()), ([], 2 * len(made)))
