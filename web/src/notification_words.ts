import { plural, relative, words } from "./format";
import type { Notification, NotificationState, Submission } from "./notification_documents";
import { looksOf } from "./reconciliation_words";

export const notificationStates: NotificationState[] = [
  "queued", "dispatching", "ambiguous", "accepted", "rejected", "failed", "expired", "cancelled",
];

/** Where a notification is and, where it does not move, why: one sentence. Then what a person can do, if anything. */
export interface Story {
  why: string;
  act: string;
}

/** What else has to be known: the node's time, and whether it is all delivery that is stopped. */
export interface Surroundings {
  now: string;
  stopped: boolean;
}

const overdueAfter = 60_000; // milliseconds: within them it is only not yet its turn

/** What was said, as part of a sentence. */
function said(of: Pick<Notification, "error" | "error_class">): string {
  const text = of.error ?? (of.error_class ? words(of.error_class) : "no reason was kept");
  return text.replace(/[.\s]+$/, "");
}

function profileOf(of: Notification): string {
  return of.profile ?? "a profile that was removed";
}

/** Only where there is more than one to try. */
function placeOf(of: Notification): string {
  return of.route_length > 1 ? ` (profile ${of.place + 1} of ${of.route_length} in its route)` : "";
}

function whenDue(of: Notification, now: string): string {
  const late = of.due_at === null ? 0 : Date.parse(now) - Date.parse(of.due_at);
  if (of.due_at === null || (late >= 0 && late < overdueAfter)) return "as soon as it is its turn";
  if (late < 0) return relative(of.due_at, now);
  return `since it was due ${relative(of.due_at, now)}, but nothing has taken it up`;
}

function queued(of: Notification, { now, stopped }: Surroundings): Story {
  const withdraw = "It can be cancelled while it waits.";
  if (of.stopped !== null) {
    const act = `${stopped ? "Resume on the Delivery page" : "Resume its profile under Profiles and routes"}, or cancel it.`;
    return { why: `It waits until a stop ends; ${stopped ? "all delivery" : profileOf(of)} is ${of.stopped}.`, act };
  }
  const late = of.due_at !== null && Date.parse(now) - Date.parse(of.due_at) >= overdueAfter;
  const who = profileOf(of) + placeOf(of);
  const before = of.error !== null || of.error_class !== null ? `After attempt ${of.attempts} (${said(of)}) ` : "";
  if (late) {
    const act = "The provider may have asked for a pause or not answer at all, or no node is sending: see what else this profile sends.";
    return { why: `${before}${before ? "it" : "It"} waits for ${who} ${whenDue(of, now)}.`, act };
  }
  return { why: `${before}${before ? "it" : "It"} is sent by ${who} ${whenDue(of, now)}.`, act: withdraw };
}

/** What no message should come to. */
const bad = ["bounced", "complained", "undelivered", "rejected"];

function accepted(of: Notification, now: string): Story {
  const took = `${profileOf(of)} took it`;
  const beware = of.told && bad.includes(of.told) ? "Look at its contact point before sending another: it may be suppressed by now." : "";
  if (of.told) return { why: `${took} and later reported: ${words(of.told)}.`, act: beware };
  const sought = of.reconciliation ? ` The provider's word is overdue: ${looksOf(of.reconciliation, now)}.` : "";
  return { why: `${took}; whether it arrived is not known yet.${sought}`, act: "" };
}

function ambiguous(of: Notification, now: string): Story {
  const left = `Attempt ${of.attempts} left for ${profileOf(of)} and nobody knows whether it was taken (${said(of)})`;
  const settle = "Look for it on the provider's own pages, then say what you found: accepted, or not sent.";
  if (!of.reconciliation) return { why: `${left}; it may have arrived.`, act: settle };
  const hope = of.reconciliation.needs_person ? settle : `Nothing has to be done yet. ${settle.replace("Look for it", "You can look for it")}`;
  return { why: `${left}: ${looksOf(of.reconciliation, now)}.`, act: hope };
}

function failed(of: Notification): Story {
  if (of.error_class === "contact_suppressed")
    return { why: `Nothing was sent: ${said(of)}.`, act: "Lift the suppression if that is right, and send another." };
  if (of.error_class === "contact_removed")
    return { why: `Nothing was sent: ${said(of)}.`, act: "Make the contact point again and send another." };
  const route = of.route_length > 1 ? `None of the ${of.route_length} profiles of its route` : `${profileOf(of)}, its route's only profile,`;
  return { why: `${route} could send it; the last error was: ${said(of)}.`, act: "Mend what the error names and send another." };
}

export function storyOf(of: Notification, around: Surroundings): Story {
  switch (of.state) {
    case "queued":
      return queued(of, around);
    case "dispatching":
      return { why: `Attempt ${of.attempts} is with ${profileOf(of)}${placeOf(of)}; its answer is awaited.`, act: "" };
    case "accepted":
      return accepted(of, around.now);
    case "ambiguous":
      return ambiguous(of, around.now);
    case "rejected":
      return { why: `${profileOf(of)} refused it after ${plural(of.attempts, "attempt")}: ${said(of)}.`,
               act: "It is not sent again. Correct what the error names and send another." };
    case "failed":
      return failed(of);
    case "expired":
      return { why: `Its time was over ${of.expires_at ? relative(of.expires_at, around.now) : ""} before it was sent`.trim()
                    + (of.attempts > 0 ? `; the last attempt ended with: ${said(of)}.` : "."),
               act: "Send another if somebody still wants it." };
    case "cancelled":
      return { why: "A person withdrew it before it was sent.", act: "" };
  }
}

/** What became of the message, which only the provider's events tell; never more than they do. */
export function deliveryOf(of: Pick<Notification, "told" | "state" | "attempts">): string {
  if (of.told) return of.told;
  return of.state === "accepted" || of.state === "ambiguous" ? "not_known" : "not_sent";
}

export function moodOfNotification(of: Notification): "calm" | "held" | "failing" | "stale" | "throttled" {
  if (of.told && bad.includes(of.told)) return "failing";
  switch (of.state) {
    case "ambiguous":
      return of.reconciliation && !of.reconciliation.needs_person ? "held" : "failing";
    case "rejected":
    case "failed":
      return "failing";
    case "expired":
      return "stale";
    case "queued":
      return of.error_class ? "held" : "calm";
    default:
      return "calm";
  }
}

/** Which acts the node would take. */
export function actsOn(of: Pick<Notification, "state">): { settle: boolean; cancel: boolean } {
  return { settle: of.state === "ambiguous", cancel: of.state === "queued" };
}

/** How one attempt ended, in a sentence. */
export function attemptStory(of: Submission): string {
  const text = said(of);
  switch (of.state) {
    case "dispatching":
      return "It is on its way.";
    case "accepted":
      return of.error ? `The provider took it. ${text}.` : "The provider took it.";
    case "rejected":
      return `Refused because of the ${of.cause ?? "provider"}: ${text}.`;
    case "retryable":
      return of.error_class === "not_sent" ? "It turned out not to have been sent." : `Not taken, and fit to be tried again: ${text}.`;
    case "ambiguous":
      return `Nobody knows whether it was taken: ${text}.`;
  }
}
