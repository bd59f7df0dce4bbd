/** What a person may have found out about an ambiguous notification. */
export type Outcome = "accepted" | "not-sent";

/** What is typed to confirm it. */
export const outcomeWords: Record<Outcome, string> = { accepted: "accepted", "not-sent": "not sent" };

/** What the node does by it, said before it does. */
export function consequenceOf(outcome: Outcome, attempt: number, profile: string): string {
  if (outcome === "accepted")
    return `Attempt ${attempt} counts as taken by ${profile}: it is not sent again. If ${profile} does not have it, nobody gets it.`;
  return `It is due again at once, at ${profile}, as attempt ${attempt + 1}. If attempt ${attempt} arrived after all, its receiver gets the message twice.`;
}

/** What the node is asked: about the attempt that was shown, so that it refuses where another came meanwhile. */
export function settled(outcome: Outcome, attempt: number, messageId: string, reason: string): object {
  const id = messageId.trim();
  return { outcome, attempt, reason: reason.trim(), ...(outcome === "accepted" && id ? { provider_message_id: id } : {}) };
}
