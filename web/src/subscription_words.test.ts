import { describe, expect, it } from "vitest";
import { askedOf, attemptsFrom, causeOf, hostOf, mayPushAgain, nextOf, typedTime } from "./subscription_words";

describe("a subscription", () => {
  it("is known by its URL's host", () => {
    expect(hostOf("https://hooks.acme.example:8443/orders?key=1")).toBe("hooks.acme.example:8443");
    expect(hostOf("no url")).toBe("no url");
  });

  it("says why it delivers nothing", () => {
    expect(causeOf({ status: "active", cause: null, status_reason: null }).sentence).toBe("");
    const moved = "the receiver moves";
    expect(causeOf({ status: "paused", cause: null, status_reason: moved })).toEqual({ sentence: "Paused by a person.", quote: moved });
    expect(causeOf({ status: "disabled", cause: "person", status_reason: null })).toEqual({ sentence: "Disabled by a person.", quote: "" });
    expect(causeOf({ status: "disabled", cause: "gone", status_reason: "It answered 410." })).toEqual({
      sentence: "Disabled by the node: It answered 410.",
      quote: "",
    });
    expect(causeOf({ status: "disabled", cause: "dead_deliveries", status_reason: null }).sentence).toBe(
      "Disabled by the node: dead deliveries");
  });
});

describe("a delivery", () => {
  it("is pushed again unless it waits, or was filtered out", () => {
    const push = { mode: "push" as const, cursor: null };
    for (const [state, may] of [["pending", false], ["retrying", true], ["delivered", true], ["failed", true], ["dead", true],
                                ["skipped_filter", false]] as const)
      expect(mayPushAgain({ state, position: 1 }, push)).toBe(may);
  });

  it("stays as it is once a pull subscription's cursor has passed it", () => {
    const pull = { mode: "pull" as const, cursor: 7 };
    expect(mayPushAgain({ state: "failed", position: 7 }, pull)).toBe(false);
    expect(mayPushAgain({ state: "failed", position: 8 }, pull)).toBe(true);
  });

  it("is on its way, or due, or has a time to come", () => {
    const now = "2026-01-31T08:00:00Z";
    const later = "2026-01-31T08:00:30Z";
    expect(nextOf({ in_flight: true, due_at: later }, now)).toEqual({ said: "on its way" });
    expect(nextOf({ in_flight: false, due_at: now }, now)).toEqual({ said: "due" });
    expect(nextOf({ in_flight: false, due_at: later }, now)).toEqual({ at: later });
    expect(nextOf({ in_flight: false, due_at: null }, now)).toEqual({ said: "" });
  });

  it("shows its latest attempts, and those before them on the next page", () => {
    expect(attemptsFrom(3, "")).toEqual({ after: 0, limit: 3 });
    expect(attemptsFrom(50, "")).toEqual({ after: 30, limit: 20 });
    expect(attemptsFrom(50, "31")).toEqual({ after: 10, limit: 20 });
    expect(attemptsFrom(50, "11")).toEqual({ after: 0, limit: 10 });
    expect(attemptsFrom(50, "x")).toEqual({ after: 30, limit: 20 });
    expect(attemptsFrom(0, "")).toEqual({ after: 0, limit: 1 });
  });
});

describe("the window of a replay", () => {
  it("is typed and sent in UTC", () => {
    expect(typedTime(Date.parse("2026-01-31T08:09:59.999Z"))).toBe("2026-01-31T08:09");
    expect(askedOf({ from: "2026-01-31T08:09", to: "2026-02-01T00:00:30", states: ["dead"] })).toEqual({
      from: "2026-01-31T08:09:00.000Z",
      to: "2026-02-01T00:00:30.000Z",
      states: ["dead"],
    });
  });

  it("goes until now where it has no end", () => {
    expect(askedOf({ from: "2026-01-31T08:09", to: "", states: ["dead", "failed"] })).toEqual({
      from: "2026-01-31T08:09:00.000Z",
      states: ["dead", "failed"],
    });
  });

  it("is none without a beginning or without a state", () => {
    expect(askedOf({ from: "", to: "", states: ["dead"] })).toBeNull();
    expect(askedOf({ from: "2026-01-31T08:09", to: "soon", states: ["dead"] })).toBeNull();
    expect(askedOf({ from: "2026-01-31T08:09", to: "", states: [] })).toBeNull();
  });
});
