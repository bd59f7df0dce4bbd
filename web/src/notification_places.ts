import { asking } from "./address";
import { shortId } from "./format";

/** Where somebody is who looks at notifications and what belongs to them. */
export type NotificationPlace =
  | { page: "notifications"; state: string; contact: string; before: string }
  | { page: "notification"; notification: string }
  | { page: "contacts"; kind: string; suppressed: string; after: string }
  | { page: "contact"; contact: string }
  | { page: "callbacks"; progress: string; profile: string; before: string }
  | { page: "refused"; before: string }
  | { page: "reconciliation"; kind: string; people: string; after: string }
  | { page: "profiles" }
  | { page: "keys" };

const pages: string[] = ["notifications", "notification", "contacts", "contact", "callbacks", "refused", "reconciliation", "profiles", "keys"];

export function isNotificationPlace(place: { page: string }): place is NotificationPlace {
  return pages.includes(place.page);
}

type Asked = (name: string) => string;

const lists: Record<string, (asked: Asked) => NotificationPlace> = {
  notifications: (asked) => ({ page: "notifications", state: asked("state"), contact: asked("contact"), before: asked("before") }),
  contacts: (asked) => ({ page: "contacts", kind: asked("kind"), suppressed: asked("suppressed"), after: asked("after") }),
  callbacks: (asked) => ({ page: "callbacks", progress: asked("progress"), profile: asked("profile"), before: asked("before") }),
  reconciliation: (asked) => ({ page: "reconciliation", kind: asked("kind"), people: asked("people"), after: asked("after") }),
  profiles: () => ({ page: "profiles" }),
  keys: () => ({ page: "keys" }),
};

const ones: Record<string, (second: string, asked: Asked) => NotificationPlace | null> = {
  notifications: (notification) => ({ page: "notification", notification }),
  contacts: (contact) => ({ page: "contact", contact }),
  callbacks: (second, asked) => (second === "refused" ? { page: "refused", before: asked("before") } : null),
};

/** Nothing where the address is of another part of the page, or of none. */
export function notificationPlaceOf(parts: string[], query: URLSearchParams): NotificationPlace | null {
  const [first, second] = parts;
  const asked = (name: string) => query.get(name) ?? "";
  if (first === undefined || parts.length > 2) return null;
  if (second === undefined) return Object.hasOwn(lists, first) ? (lists[first]?.(asked) ?? null) : null;
  return Object.hasOwn(ones, first) ? (ones[first]?.(second, asked) ?? null) : null;
}

export function notificationAddressOf(place: NotificationPlace): string {
  switch (place.page) {
    case "notification":
      return `/notifications/${encodeURIComponent(place.notification)}`;
    case "contact":
      return `/contacts/${encodeURIComponent(place.contact)}`;
    case "refused":
      return asking("/callbacks/refused", { before: place.before });
    default: {
      const { page, ...values } = place;
      return asking(`/${page}`, values);
    }
  }
}

export function notificationTitleOf(place: NotificationPlace): string {
  switch (place.page) {
    case "notifications":
      return "Notifications";
    case "notification":
      return `Notification ${shortId(place.notification)}`;
    case "contacts":
      return "Contact points";
    case "contact":
      return `Contact point ${shortId(place.contact)}`;
    case "callbacks":
      return "Callbacks";
    case "refused":
      return "Refused callbacks";
    case "reconciliation":
      return "Reconciliation";
    case "profiles":
      return "Profiles and routes";
    case "keys":
      return "Keys";
  }
}
