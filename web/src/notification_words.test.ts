import { describe, expect, it } from "vitest";
import type { Looks, Notification } from "./notification_documents";
import { actsOn, attemptStory, deliveryOf, moodOfNotification, storyOf } from "./notification_words";

const now = "2026-01-31T08:00:00Z";
const around = { now, stopped: false };

function made(part: Partial<Notification> = {}): Notification {
  return {
    id: "n-1", tenant: "acme", contact: "c-1", idempotency_key: null, state: "queued", profile: "mail", place: 0, route_length: 1,
    attempts: 0, in_flight: false, due_at: now, stopped: null, expires_at: null, error_class: null, error: null, created_at: now, updated_at: now,
    told: null, told_at: null, reconciliation: null, ...part,
  };
}

const looks: Looks = {
  kind: "ambiguous_submission", since: now, looks: 2, last_look_at: now, next_look_at: "2026-01-31T08:04:00Z",
  verdict: "not_found", needs_person: false,
};

describe("why a notification does not move", () => {
  it("is that it waits for its turn", () => {
    expect(storyOf(made(), around).why).toBe("It is sent by mail as soon as it is its turn.");
    expect(storyOf(made({ route_length: 2, place: 1, profile: "backup" }), around).why).toBe(
      "It is sent by backup (profile 2 of 2 in its route) as soon as it is its turn.");
    expect(storyOf(made(), around).act).toContain("cancelled");
  });

  it("is what its last attempt came to, and when the next one is", () => {
    const retried = made({ attempts: 2, error_class: "greylisted", error: "451 try later.", due_at: "2026-01-31T08:00:30Z" });
    expect(storyOf(retried, around).why).toBe("After attempt 2 (451 try later) it is sent by mail in 30 s.");
    expect(storyOf({ ...retried, error: null }, around).why).toContain("(greylisted)");
  });

  it("is that nobody has taken up what is due for long", () => {
    const story = storyOf(made({ due_at: "2026-01-31T07:56:00Z" }), around);
    expect(story.why).toBe("It waits for mail since it was due 4 min ago, but nothing has taken it up.");
    expect(story.act).toContain("pause");
  });

  it("is a stop of everything or of its profile, whatever else there is", () => {
    const waits = made({ attempts: 1, error: "x", stopped: "stopped by ann: an audit" });
    expect(storyOf(waits, { now, stopped: true }).why).toBe("It waits until a stop ends; all delivery is stopped by ann: an audit.");
    expect(storyOf(waits, around).why).toBe("It waits until a stop ends; mail is stopped by ann: an audit.");
    expect(storyOf(waits, around).act).toContain("Profiles and routes");
  });

  it("is that its answer is awaited", () => {
    expect(storyOf(made({ state: "dispatching", attempts: 1 }), around).why).toBe("Attempt 1 is with mail; its answer is awaited.");
  });

  it("is an ambiguity, with the next look or the person it needs", () => {
    const doubt = made({ state: "ambiguous", attempts: 1, error: "no answer came", reconciliation: looks });
    const story = storyOf(doubt, around);
    expect(story.why).toBe("Attempt 1 left for mail and nobody knows whether it was taken (no answer came): "
                           + "looked for twice (not found), next in 4 min.");
    expect(story.act).toContain("Nothing has to be done yet");
    const hopeless = { ...looks, looks: 1, needs_person: true, next_look_at: null, verdict: "unsupported" as const };
    const persons = storyOf({ ...doubt, reconciliation: hopeless }, around);
    expect(persons.why).toContain("this provider cannot be asked, so only a person can find out");
    expect(persons.act).toBe("Look for it on the provider's own pages, then say what you found: accepted, or not sent.");
  });

  it("is what ended it", () => {
    expect(storyOf(made({ state: "rejected", attempts: 1, error: "550 no such user" }), around).why).toBe(
      "mail refused it after 1 attempt: 550 no such user.");
    expect(storyOf(made({ state: "failed", route_length: 3, attempts: 9, error: "503." }), around).why).toBe(
      "None of the 3 profiles of its route could send it; the last error was: 503.");
    const suppressed = made({ state: "failed", error_class: "contact_suppressed", error: "the contact point is suppressed: complaint" });
    expect(storyOf(suppressed, around)).toEqual({
      why: "Nothing was sent: the contact point is suppressed: complaint.",
      act: "Lift the suppression if that is right, and send another.",
    });
    expect(storyOf(made({ state: "expired", expires_at: "2026-01-31T07:00:00Z" }), around).why).toBe(
      "Its time was over 1 h ago before it was sent.");
    expect(storyOf(made({ state: "cancelled" }), around).why).toBe("A person withdrew it before it was sent.");
  });

  it("names a profile that was removed as such", () => {
    expect(storyOf(made({ profile: null }), around).why).toContain("a profile that was removed");
  });
});

describe("acceptance and delivery", () => {
  it("are told apart", () => {
    const taken = made({ state: "accepted", attempts: 1 });
    expect(storyOf(taken, around).why).toBe("mail took it; whether it arrived is not known yet.");
    expect(deliveryOf(taken)).toBe("not_known");
    expect(deliveryOf({ ...taken, told: "bounced" })).toBe("bounced");
    expect(storyOf({ ...taken, told: "delivered" }, around).why).toBe("mail took it and later reported: delivered.");
    expect(deliveryOf(made())).toBe("not_sent");
    expect(storyOf({ ...taken, told: "bounced" }, around).act).toContain("contact point");
  });

  it("say that the provider's word is overdue", () => {
    const overdue = { ...looks, kind: "overdue_callback" as const, looks: 0, verdict: null };
    expect(storyOf(made({ state: "accepted", reconciliation: overdue }), around).why).toBe(
      "mail took it; whether it arrived is not known yet. The provider's word is overdue: looked for in 4 min.");
  });

  it("colour a notification: what bounced is as bad as what was refused", () => {
    expect(moodOfNotification(made({ state: "accepted", told: "delivered" }))).toBe("calm");
    expect(moodOfNotification(made({ state: "accepted", told: "bounced" }))).toBe("failing");
    expect(moodOfNotification(made({ state: "ambiguous", reconciliation: looks }))).toBe("held");
    expect(moodOfNotification(made({ state: "ambiguous", reconciliation: { ...looks, needs_person: true } }))).toBe("failing");
    expect(moodOfNotification(made({ error_class: "x" }))).toBe("held");
  });
});

describe("what a person can do", () => {
  it("is to settle what is ambiguous and to cancel what is queued", () => {
    expect(actsOn({ state: "ambiguous" })).toEqual({ settle: true, cancel: false });
    expect(actsOn({ state: "queued" })).toEqual({ settle: false, cancel: true });
    expect(actsOn({ state: "dispatching" })).toEqual({ settle: false, cancel: false });
  });
});

describe("an attempt", () => {
  it("says how it ended", () => {
    const one = { id: "a", number: 1, profile: "mail", state: "rejected" as const, submitted_at: now, ended_at: now,
                  provider_message_id: null, cause: "recipient" as const, error_class: "refused", error: "550 no such user",
                  told: null, told_at: null };
    expect(attemptStory(one)).toBe("Refused because of the recipient: 550 no such user.");
    expect(attemptStory({ ...one, state: "retryable", cause: null, error: "attempt 1 turned out not to have been sent", error_class: "not_sent" })).toBe("It turned out not to have been sent.");
    expect(attemptStory({ ...one, state: "retryable", cause: null })).toBe("Not taken, and fit to be tried again: 550 no such user.");
    expect(attemptStory({ ...one, state: "accepted", error: null })).toBe("The provider took it.");
  });
});
