import { count, plural, relative } from "./format";
import type { Kind, Left, Looks, Verdict } from "./notification_documents";

const names: Record<Kind, { title: string; explains: string; empty: string }> = {
  lapsed_attempt: {
    title: "Past their lease",
    explains: "An attempt is out and its node has not recorded an answer in time. Within moments each becomes an ambiguous submission, and is not sent again by itself.",
    empty: "No attempt is past its lease.",
  },
  ambiguous_submission: {
    title: "Ambiguous submissions",
    explains: "They left, and nobody knows whether the provider took them. The provider is asked where it can be; what no query can end is a person's.",
    empty: "Of every message it is known whether it was taken.",
  },
  overdue_callback: {
    title: "Overdue callbacks",
    explains: "The provider took them and has not told what became of them. It is asked.",
    empty: "No provider owes a word about a message.",
  },
  unmatched_event: {
    title: "Unmatched events",
    explains: "Providers told of messages that no attempt here is known for: sent by something else under the same account, or not recorded here yet.",
    empty: "Everything that was told belongs to an attempt that is here.",
  },
  unknown_create: {
    title: "Unknown creates",
    explains: "A rule sent a create to its target, and nobody knows whether it was made. The rule looks for it; where the target cannot be asked, it is a person's, at the record.",
    empty: "Of every create it is known whether it was made.",
  },
};

export const kinds = Object.keys(names) as Kind[];

export function titleOf(kind: Kind): string {
  return names[kind].title;
}

export function explanationOf(kind: Kind): string {
  return names[kind].explains;
}

export function nothingLeft(kind: Kind): string {
  return names[kind].empty;
}

/** Why it is not looked at again. An attempt past its lease is an ambiguous submission by then. */
export function noNextLook(kind: Kind): string {
  return kind === "lapsed_attempt" ? "within moments" : kind === "unknown_create" ? "when its rule runs" : "no more";
}

export function isKind(text: string): text is Kind {
  return Object.hasOwn(names, text);
}

const verdicts: Record<Verdict, string> = {
  known: "the provider knows the message",
  matched: "its attempt is here",
  not_found: "not found",
  several: "more than one message fits",
  unread: "no answer that says anything",
  unsupported: "this provider cannot be asked",
};

export function verdictText(verdict: Verdict): string {
  return verdicts[verdict];
}

function timesText(times: number): string {
  return times === 1 ? "once" : times === 2 ? "twice" : plural(times, "time");
}

/** What was asked and what comes next, as part of a sentence. */
export function looksOf(of: Looks, now: string): string {
  const found = of.verdict ? verdicts[of.verdict] : "";
  if (of.needs_person) return `${found || "nothing was found out"}, so only a person can find out`;
  const before = of.looks > 0 ? `looked for ${timesText(of.looks)}${found ? ` (${found})` : ""}, ` : "";
  if (of.next_look_at === null) return `${before}not looked for any more`;
  const due = Date.parse(of.next_look_at) <= Date.parse(now);
  return `${before}${of.looks > 0 ? "next" : "looked for"} ${due ? "at once" : relative(of.next_look_at, now)}`;
}

/** What a tile says beneath its number. */
export function leftText(of: Left, now: string): string {
  if (of.left === 0) return "none left";
  const people = of.for_people > 0 ? `${count(of.for_people)} for a person` : "";
  const next = of.next_look_at === null ? "" : Date.parse(of.next_look_at) <= Date.parse(now) ? "next look at once" : `next look ${relative(of.next_look_at, now)}`;
  return [people, next].filter(Boolean).join(" · ") || (of.since ? `since ${relative(of.since, now)}` : "");
}
