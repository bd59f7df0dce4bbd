import { describe, expect, it } from "vitest";
import { duration, moment, percent, plural, progressText, relative, shortId, span, statusOf, words } from "./format";

describe("ids", () => {
  it("are shortened to their last 8 characters", () => {
    expect(shortId("018f3c2a-7b1e-7000-8000-00000000c001")).toBe("0000c001");
  });
});

describe("progress", () => {
  it("is passed out of total, with a share", () => {
    expect(progressText(1240, 5000)).toBe("1,240 / 5,000 (24 %)");
    expect(progressText(0, 0)).toBe("No record to go through");
  });
  it("is not 100 % before the end", () => {
    expect(percent(999, 1000)).toBe(99);
    expect(percent(1000, 1000)).toBe(100);
    expect(percent(0, 0)).toBe(100);
    expect(percent(7, 5)).toBe(100);
  });
});

describe("times", () => {
  it("are told in UTC", () => {
    expect(moment("2026-01-31T08:09:10.123456Z")).toBe("2026-01-31 08:09:10 UTC");
  });
  it("are told by their two largest units", () => {
    expect(span(500)).toBe("1 s");
    expect(span(0)).toBe("0 s");
    expect(span(59_000)).toBe("59 s");
    expect(span(3_900_000)).toBe("1 h 5 min");
    expect(span(3_605_000)).toBe("1 h");
    expect(span(90_061_000)).toBe("1 d 1 h");
  });
  it("of a call are told as finely as they are", () => {
    expect(duration(812)).toBe("812 µs");
    expect(duration(41_600)).toBe("42 ms");
    expect(duration(4_230_000)).toBe("4.2 s");
  });
  it("are told from the node's own now", () => {
    const now = "2026-01-31T08:00:00Z";
    expect(relative("2026-01-31T07:56:00Z", now)).toBe("4 min ago");
    expect(relative("2026-01-31T08:00:30Z", now)).toBe("in 30 s");
    expect(relative(now, now)).toBe("just now");
  });
});

describe("a rule's status", () => {
  it("is its state, and where that is well what its configuration adds", () => {
    const rule = { state: "ok", active: true, route_open: true };
    expect(statusOf(rule)).toBe("ok");
    expect(statusOf({ ...rule, state: "none" })).toBe("none");
    expect(statusOf({ ...rule, route_open: false })).toBe("route_closed");
    expect(statusOf({ ...rule, active: false, route_open: false })).toBe("inactive");
    expect(statusOf({ state: "held", active: false, route_open: false })).toBe("held");
  });
});

describe("words", () => {
  it("count", () => {
    expect(plural(1, "rule")).toBe("1 rule");
    expect(plural(1200, "rule")).toBe("1,200 rules");
  });
  it("say states", () => {
    expect(words("remote_gone")).toBe("gone at the target");
    expect(words("some_state")).toBe("some state");
  });
});
