"""What tests of messages share whose outcome is not known: waits that suit them, and what holds for each of them."""

from processes import wait_until


def waits(timeout, **notifications):
    """Settings: a call may take so many seconds, and what is not known is soon looked at."""
    return {"calls": {"call_timeout": f"{timeout}s", "connect_timeout": f"{timeout}s"},
            "delivery": {"settle_after": f"{timeout}s"},
            "notifications": {"lease": f"{3 * timeout}s", "reconcile_schedule": ["1s", "2s", "4s"], **notifications}}


def looks(n):
    """Of each ambiguous attempt: what came of the last look, and whether it is a person's."""
    return n.world.query("SELECT verdict, needs_person FROM reconciliation_targets "
                         "WHERE kind = 'ambiguous_submission' ORDER BY subject_id")


def stays_in_doubt(test, n, notification, verdict="unsupported"):
    """Nothing follows its only attempt, and a person is asked. The attempt."""
    shown = n.ended(notification, "ambiguous", 90)
    wait_until(lambda: (verdict, "1") in looks(n), 90, "a person is asked")
    shown = n.show(notification)
    test.assertEqual([one["state"] for one in shown["history"]], ["ambiguous"], shown)
    listed = n.api.must("GET", "/v1/notifications?state=ambiguous&limit=1000")["notifications"]
    test.assertIn(notification, [one["id"] for one in listed])
    return shown["history"][0]


def settle(n, notification, outcome):
    n.world.operate(n.node, "notifications", "settle", notification, outcome, "--reason", "looked by hand")


def settlements(n, notification):
    """What people said of it, as the audit has it."""
    rows = n.api.must("GET", f"/v1/audit?act=settle_notification&subject={notification}")["entries"]
    return [row["details"]["as"] for row in rows]
