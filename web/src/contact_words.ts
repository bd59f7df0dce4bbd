import { words } from "./format";
import type { Suppression } from "./notification_documents";

export const contactKinds = ["email", "phone", "fcm_installation", "fcm_token", "apns_token", "web_push", "other"];

const kinds: Record<string, string> = {
  email: "E-mail address",
  phone: "Phone number",
  fcm_installation: "FCM installation",
  fcm_token: "FCM token",
  apns_token: "APNs token",
  web_push: "Web push subscription",
  other: "Another address",
};

export function kindText(kind: string): string {
  return kinds[kind] ?? words(kind);
}

const reasons: Record<string, string> = {
  hard_bounce: "Its mail server says that it does not exist.",
  complaint: "Whoever it belongs to complained.",
  retired_token: "Its app is gone, or has another token.",
  unsubscribed: "Whoever it belongs to wants no more.",
  person: "A person suppressed it.",
};

/** What should make somebody think before lifting it. */
const warnings: Record<string, string> = {
  hard_bounce: "Providers count what is sent to dead addresses against you.",
  complaint: "Sending to somebody who complained hurts everything that is sent from the same account.",
  unsubscribed: "They asked for nothing more: lift it only when they ask for it again.",
  retired_token: "A dead token only lives again when its app registers it.",
};

export function suppressionText(of: Suppression): string {
  return reasons[of.reason] ?? words(of.reason);
}

export function liftingWarning(of: Suppression): string {
  return warnings[of.reason] ?? "";
}
