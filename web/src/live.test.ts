import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { atMostEvery, furthest } from "./live";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("at most every second", () => {
  it("acts at once", () => {
    const act = vi.fn();
    atMostEvery(1000, act).ask();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("acts once more for all that was asked meanwhile", () => {
    const act = vi.fn();
    const limited = atMostEvery(1000, act);
    for (let i = 0; i < 5; ++i) limited.ask();
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(999);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5000);
    expect(act).toHaveBeenCalledTimes(2);
  });

  it("does nothing more once it was ended", () => {
    const act = vi.fn();
    const limited = atMostEvery(1000, act);
    limited.ask();
    limited.ask();
    limited.end();
    vi.advanceTimersByTime(5000);
    expect(act).toHaveBeenCalledTimes(1);
  });
});

describe("a backfill's progress", () => {
  const read = { until: "2026-01-01T00:00:00Z", passed: 40, total: 100 };

  it("is what was said, where that is further on", () => {
    const said = { ...read, passed: 50 };
    expect(furthest(read.until, read, said)).toBe(said);
    expect(furthest(read.until, null, said)).toBe(said);
    expect(furthest(read.until, read, { ...read, passed: 30 })).toBe(read);
  });

  it("is never that of a backfill before it", () => {
    expect(furthest(read.until, read, { ...read, until: "2025-01-01T00:00:00Z", passed: 90 })).toBe(read);
    expect(furthest(read.until, null, null)).toBeNull();
  });
});
