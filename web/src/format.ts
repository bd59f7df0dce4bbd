// Values as people read them.

const grouping = new Intl.NumberFormat("en-US");

export function count(value: number): string {
  return grouping.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** The last 8 characters: an id begins with a time, which what was made together shares. */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** "1,240 / 5,000 (24 %)"; the end is 100 % and nothing before it. */
export function progressText(passed: number, total: number): string {
  if (total === 0) return "No record to go through";
  return `${count(passed)} / ${count(total)} (${percent(passed, total)} %)`;
}

export function percent(passed: number, total: number): number {
  if (total === 0) return 100;
  return Math.min(100, Math.floor((passed / total) * 100));
}

/** "2026-01-31 08:09:10 UTC" */
export function moment(time: string): string {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

const units: [string, number][] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

/** "4 min", "2 h 5 min": the two largest units that say something. */
export function span(milliseconds: number): string {
  let rest = Math.max(0, Math.round(milliseconds / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of units) {
    const whole = Math.floor(rest / seconds);
    rest -= whole * seconds;
    if (whole > 0) parts.push(`${whole} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}

/** "812 µs", "42 ms", "4.2 s": how long a call took. */
export function duration(microseconds: number): string {
  if (microseconds < 1_000) return `${count(microseconds)} µs`;
  if (microseconds < 1_000_000) return `${Math.round(microseconds / 1_000)} ms`;
  return `${(microseconds / 1_000_000).toFixed(1)} s`;
}

/** "4 min ago", "in 30 s", "just now" */
export function relative(time: string, now: string): string {
  const passed = Date.parse(now) - Date.parse(time);
  if (Math.abs(passed) < 1000) return "just now";
  return passed > 0 ? `${span(passed)} ago` : `in ${span(-passed)}`;
}

/** What comes first about a rule: how delivery stands, and only then what its configuration adds. */
export function statusOf(rule: { state: string; active: boolean; route_open: boolean }): string {
  if (rule.state !== "ok" && rule.state !== "none") return rule.state;
  if (!rule.active) return "inactive";
  return rule.route_open ? rule.state : "route_closed";
}

const stateNames: Record<string, string> = {
  none: "no run yet",
  breaker_open: "circuit open",
  route_closed: "route closed",
  awaiting_anchor: "awaits its parent",
  remote_gone: "gone at the target",
  scheduler_down: "Scheduler down",
  runs_not_completing: "Runs not completing",
  needs_person: "for a person",
  not_known: "not known yet",
  not_sent: "not sent",
  not_reachable: "suppressed",
  makes_new: "makes what is new",
  needed: "still needed",
  missing: "missing",
  not_needed: "may go",
  fcm_installation: "FCM installation",
  skipped_filter: "left out by the filter",
};

export function words(state: string): string {
  return stateNames[state] ?? state.replaceAll("_", " ");
}
