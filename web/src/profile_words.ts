import { words } from "./format";
import type { Profile, Route } from "./notification_documents";

/** How a profile's provider tells what became of a message; one that does not has no word for it. */
const telling: Record<string, "callbacks" | "mails"> = { ses: "callbacks", twilio: "callbacks", webhook: "callbacks", smtp: "mails" };

export function tellsBy(of: Pick<Profile, "provider">): "callbacks" | "mails" | "nothing" {
  return telling[of.provider] ?? "nothing";
}

export function routesWith(of: Pick<Profile, "tenant" | "name">, routes: Route[]): Route[] {
  return routes.filter((route) => route.tenant === of.tenant && route.profiles.includes(of.name));
}

/** A profile's settings as people read them, in the order they are kept. */
export function settingRows(settings: Record<string, unknown>): [string, string][] {
  return Object.entries(settings).map(([name, value]) => [words(name), typeof value === "string" ? value : JSON.stringify(value)]);
}

/** The order with the profile at `at` moved by one, up or down; as it was at either end. */
export function moved(order: string[], at: number, by: -1 | 1): string[] {
  const to = at + by;
  if (to < 0 || to >= order.length) return order;
  const next = [...order];
  next.splice(to, 0, ...next.splice(at, 1));
  return next;
}

/** The profiles a route could have besides. */
export function addable(order: string[], profiles: Pick<Profile, "name">[]): string[] {
  return profiles.map((each) => each.name).filter((name) => !order.includes(name));
}
