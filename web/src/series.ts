import type { Run } from "./documents";

/** What a run's calls came to, drawn at the moment it ended. */
export interface Series {
  times: number[]; // seconds since 1970, growing
  perSecond: number[];
  millisecondsEach: (number | null)[];
}

const written = ["created", "updated", "withdrawn", "reactivated"];

export function writes(run: Run): number {
  return written.reduce((sum, name) => sum + (run.counts[name] ?? 0), 0);
}

/** What stands under a plot, as exact as its marks lie apart; UTC. */
export function timeLabels(marks: number[]): string[] {
  const step = (marks[1] ?? 0) - (marks[0] ?? 0);
  const [from, to] = step >= 86_400 ? [5, 10] : step >= 60 ? [11, 16] : [11, 19];
  return marks.map((mark) => new Date(mark * 1000).toISOString().slice(from, to));
}

/** Of the runs that ended and wrote something; a run lists the newest first. */
export function seriesOf(runs: Run[]): Series {
  const made: Series = { times: [], perSecond: [], millisecondsEach: [] };
  for (const run of [...runs].reverse()) {
    const count = writes(run);
    if (run.ended_at === null || count === 0) continue;
    const seconds = Math.max(0.001, (Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000);
    const time = Date.parse(run.ended_at) / 1000;
    if (time < (made.times.at(-1) ?? 0)) continue; // the clock was set back
    made.times.push(time);
    made.perSecond.push(count / seconds);
    made.millisecondsEach.push((seconds * 1000) / count);
  }
  return made;
}
