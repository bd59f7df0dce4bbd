import { plural } from "./format";
import type { Key } from "./notification_documents";

const things: Record<string, [one: string, many: string]> = {
  contact_addresses: ["address", "addresses"],
  contact_fingerprints: ["fingerprint", "fingerprints"],
  profile_credentials: ["profile's credentials", "profiles' credentials"],
  notification_contents: ["message's content", "messages' contents"],
  provider_reports: ["provider's report", "providers' reports"],
  connection_credentials: ["connection's credentials", "connections' credentials"],
  subscription_headers: ["subscription's headers", "subscriptions' headers"],
  subscription_secrets: ["subscription's secret", "subscriptions' secrets"],
};

function listed(parts: string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** What still needs the key: "120 addresses and 2 profiles' credentials"; empty where nothing does. */
export function neededBy(key: Key): string {
  return listed(key.uses.filter((use) => use.live > 0).map((use) => {
    const [one, many] = things[use.thing] ?? [use.thing, use.thing];
    return plural(use.live, one, many);
  }));
}

export type KeyStanding = "makes_new" | "needed" | "missing" | "not_needed";

export function standingOf(key: Key): KeyStanding {
  if (key.first) return "makes_new";
  const needed = key.uses.some((use) => use.live > 0);
  if (!key.in_settings) return needed ? "missing" : "not_needed";
  return needed ? "needed" : "not_needed";
}

/** What the key is for now, and whether it may go. */
export function keyStory(key: Key): string {
  const by = neededBy(key);
  const lost = key.uses.reduce((sum, use) => sum + use.removed, 0);
  const forgotten = lost > 0 ? ` When it goes, ${plural(lost, "suppression")} of removed contact points ${lost === 1 ? "is" : "are"} forgotten.` : "";
  switch (standingOf(key)) {
    case "makes_new":
      return by ? `Everything new is made with it; ${by} have it already.` : "Everything new is made with it.";
    case "needed":
      return `Still needed to read ${by}. “sluice keys rotate” makes them anew with the first key.${forgotten}`;
    case "missing":
      return `${by[0]?.toUpperCase() ?? ""}${by.slice(1)} cannot be read: this key is not in the settings. Put it back, behind the first one.${forgotten}`;
    case "not_needed":
      return `Nothing that is kept needs it. It may go once another key has come first for a day, and no unknown create is older than that.${forgotten}`;
  }
}
