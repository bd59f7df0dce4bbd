import { describe, expect, it } from "vitest";
import type { Run } from "./documents";
import { seriesOf, timeLabels } from "./series";

function run(seconds: number, counts: Record<string, number>, ended = true, at = 0): Run {
  const begun = Date.parse("2026-01-31T08:00:00Z") + at * 1000;
  return {
    id: "", rule: "", state: ended ? "completed" : "running", reason: "", counts,
    started_at: new Date(begun).toISOString(),
    ended_at: ended ? new Date(begun + seconds * 1000).toISOString() : null,
  };
}

describe("a rule's series", () => {
  it("tells how much each run wrote a second and how long each write took, the oldest run first", () => {
    const series = seriesOf([run(10, { created: 20, updated: 80 }, true, 100), run(2, { created: 1 })]);
    expect(series.perSecond).toEqual([0.5, 10]);
    expect(series.millisecondsEach).toEqual([2000, 100]);
    expect(series.times[0]).toBeLessThan(series.times[1]!);
  });

  it("leaves out what is running and what wrote nothing", () => {
    expect(seriesOf([run(1, { created: 5 }, false), run(1, { suppressed: 9 })]).times).toEqual([]);
  });

  it("never goes back in time", () => {
    expect(seriesOf([run(1, { created: 1 }, true, 0), run(1, { created: 1 }, true, 50)]).times).toHaveLength(1);
  });
});

describe("what stands under a plot", () => {
  const at = Date.parse("2026-01-31T08:00:00Z") / 1000;

  it("is as exact as its marks lie apart", () => {
    expect(timeLabels([at, at + 5])).toEqual(["08:00:00", "08:00:05"]);
    expect(timeLabels([at, at + 3600])).toEqual(["08:00", "09:00"]);
    expect(timeLabels([at, at + 86_400])).toEqual(["01-31", "02-01"]);
  });
});
