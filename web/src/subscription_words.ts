import type { Push, PushState, Subscription } from "./documents";
import { words } from "./format";

/** What a replay may be for, with what did not arrive first. */
export const replayStates: PushState[] = ["failed", "dead", "retrying", "delivered"];
export const pushStates: PushState[] = ["pending", "retrying", "delivered", "failed", "dead", "skipped_filter"];

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** Who ended deliveries, and why; nothing where they go on. What a person said is told as theirs. */
export function causeOf(of: Pick<Subscription, "status" | "cause" | "status_reason">): { sentence: string; quote: string } {
  const said = of.status_reason ?? "";
  if (of.status === "active") return { sentence: "", quote: "" };
  if (of.status === "paused") return { sentence: "Paused by a person.", quote: said };
  if (of.cause === "person") return { sentence: "Disabled by a person.", quote: said };
  return { sentence: `Disabled by the node: ${said || words(of.cause ?? "no reason was kept")}`, quote: "" };
}

/** Whether the node would push it again when a person asks for it. */
export function mayPushAgain(push: Pick<Push, "state" | "position">, of: Pick<Subscription, "mode" | "cursor">): boolean {
  if (!replayStates.includes(push.state)) return false;
  return of.mode === "push" || push.position > (of.cursor ?? 0);
}

/** What is next for it: a time only where that is still to come. */
export function nextOf(push: Pick<Push, "in_flight" | "due_at">, now: string): { said: string } | { at: string } {
  if (push.in_flight) return { said: "on its way" };
  if (push.due_at === null) return { said: "" };
  return Date.parse(push.due_at) > Date.parse(now) ? { at: push.due_at } : { said: "due" };
}

/** A window as somebody types it: times in UTC as "2026-01-31T08:09", `to` empty for now. */
export interface Window {
  from: string;
  to: string;
  states: PushState[];
}

export function typedTime(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}

function sentTime(typed: string): string | null {
  const time = Date.parse(`${typed}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** What the node is asked; null while the window is not one. */
export function askedOf(window: Window): { from: string; to?: string; states: PushState[] } | null {
  const from = sentTime(window.from);
  const to = sentTime(window.to);
  if (from === null || (window.to && to === null) || window.states.length === 0) return null;
  return { from, ...(to === null ? {} : { to }), states: window.states };
}

export const attemptsShown = 20;

/** The attempts of a page, the latest unless others are asked for: after which, and how many. Numbers begin with 1. */
export function attemptsFrom(attempts: number, before: string): { after: number; limit: number } {
  const asked = Number(before);
  const end = asked >= 1 ? Math.min(asked - 1, attempts) : attempts;
  const after = Math.max(0, end - attemptsShown);
  return { after, limit: Math.max(1, end - after) };
}
