import { asking } from "./address";
import { shortId } from "./format";
import { notificationAddressOf, notificationPlaceOf, notificationTitleOf, type NotificationPlace } from "./notification_places";

/** Where in the page somebody is; each has an address of its own. */
export type Place =
  | { page: "delivery"; search: string }
  | { page: "connections" }
  | { page: "rule"; rule: string; status: string }
  | { page: "record"; rule: string; sourceId: string }
  | { page: "subscriptions"; status: string; after: string }
  | { page: "subscription"; subscription: string; state: string; before: string }
  | { page: "push"; subscription: string; event: string; before: string }
  | NotificationPlace
  | { page: "nowhere" };

const nowhere: Place = { page: "nowhere" };

function ruleAt(rule: string, [third, sourceId]: string[], status: string): Place {
  if (third === undefined) return { page: "rule", rule, status };
  return third === "records" && sourceId !== undefined ? { page: "record", rule, sourceId } : nowhere;
}

function subscriptionAt(subscription: string, [third, event]: string[], query: URLSearchParams): Place {
  const before = query.get("before") ?? "";
  if (third === undefined) return { page: "subscription", subscription, state: query.get("state") ?? "", before };
  return third === "deliveries" && event !== undefined ? { page: "push", subscription, event, before } : nowhere;
}

export function placeOf(address: { pathname: string; search: string }): Place {
  const query = new URLSearchParams(address.search);
  const parts = address.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const [first, second, ...rest] = parts;
  const status = query.get("status") ?? "";
  if (first === undefined) return { page: "delivery", search: query.get("q") ?? "" };
  if (first === "connections" && second === undefined) return { page: "connections" };
  if (first === "rules" && second !== undefined) return ruleAt(second, rest, status);
  if (first !== "subscriptions") return notificationPlaceOf(parts, query) ?? nowhere;
  return second === undefined ? { page: "subscriptions", status, after: query.get("after") ?? "" } : subscriptionAt(second, rest, query);
}

export function addressOf(place: Place): string {
  switch (place.page) {
    case "delivery":
      return asking("/", { q: place.search });
    case "connections":
      return "/connections";
    case "rule":
      return asking(`/rules/${encodeURIComponent(place.rule)}`, { status: place.status });
    case "record":
      return `/rules/${encodeURIComponent(place.rule)}/records/${encodeURIComponent(place.sourceId)}`;
    case "subscriptions":
      return asking("/subscriptions", { status: place.status, after: place.after });
    case "subscription":
      return asking(`/subscriptions/${encodeURIComponent(place.subscription)}`, { state: place.state, before: place.before });
    case "push":
      return asking(`/subscriptions/${encodeURIComponent(place.subscription)}/deliveries/${encodeURIComponent(place.event)}`,
                    { before: place.before });
    case "nowhere":
      return "/";
    default:
      return notificationAddressOf(place);
  }
}

function nameOf(place: Place): string {
  switch (place.page) {
    case "delivery":
      return "Delivery";
    case "connections":
      return "Connections";
    case "rule":
      return place.rule;
    case "record":
      return place.sourceId;
    case "subscriptions":
      return "Subscriptions";
    case "subscription":
      return `Subscription ${shortId(place.subscription)}`;
    case "push":
      return `Event ${shortId(place.event)}`;
    case "nowhere":
      return "Nothing here";
    default:
      return notificationTitleOf(place);
  }
}

export function titleOf(place: Place, badge: number): string {
  return `${badge > 0 ? `(${badge}) ` : ""}${nameOf(place)} · Sluice`;
}
