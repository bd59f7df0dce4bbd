import { describe, expect, it } from "vitest";
import { explanationOf, isKind, kinds, leftText, looksOf, nothingLeft, titleOf } from "./reconciliation_words";

const now = "2026-01-31T08:00:00Z";
const later = "2026-01-31T08:30:00Z";

describe("what is left", () => {
  it("says how much is a person's, and when the next look is", () => {
    const left = { kind: "ambiguous_submission" as const, left: 7, for_people: 2, since: now, next_look_at: later };
    expect(leftText(left, now)).toBe("2 for a person · next look in 30 min");
    expect(leftText({ ...left, for_people: 0, next_look_at: now }, now)).toBe("next look at once");
    expect(leftText({ ...left, left: 0 }, now)).toBe("none left");
    expect(leftText({ ...left, for_people: 0, next_look_at: null }, later)).toBe("since 30 min ago");
  });

  it("has a title, an explanation and a word for none, for each kind and nothing else", () => {
    for (const kind of kinds) for (const text of [titleOf(kind), explanationOf(kind), nothingLeft(kind)]) expect(text).toBeTruthy();
    expect(isKind("overdue_callback")).toBe(true);
    expect(isKind("constructor")).toBe(false);
  });
});

describe("looks", () => {
  const looks = { kind: "unmatched_event" as const, since: now, looks: 0, last_look_at: null, next_look_at: later, verdict: null, needs_person: false };

  it("say how often, what came of it, and what comes next", () => {
    expect(looksOf(looks, now)).toBe("looked for in 30 min");
    expect(looksOf({ ...looks, looks: 1, verdict: "unread" }, now)).toBe("looked for once (no answer that says anything), next in 30 min");
    expect(looksOf({ ...looks, looks: 8, verdict: "not_found", next_look_at: null }, now)).toBe("looked for 8 times (not found), not looked for any more");
    expect(looksOf({ ...looks, next_look_at: now }, now)).toBe("looked for at once");
  });
});
