// What the node's API answers about notifications; docs/api.md describes each.

export type NotificationState =
  | "queued" | "dispatching" | "accepted" | "rejected" | "ambiguous" | "failed" | "expired" | "cancelled";

export type Kind = "lapsed_attempt" | "ambiguous_submission" | "overdue_callback" | "unmatched_event" | "unknown_create";
export type Verdict = "known" | "matched" | "not_found" | "several" | "unread" | "unsupported";

/** How often something was looked for that is not known, and when that is done again. */
export interface Looks {
  kind: Kind;
  since: string;
  looks: number;
  last_look_at: string | null;
  next_look_at: string | null;
  verdict: Verdict | null;
  needs_person: boolean;
}

export interface Notification {
  id: string;
  tenant: string;
  contact: string;
  idempotency_key: string | null;
  state: NotificationState;
  profile: string | null;
  place: number;
  route_length: number;
  attempts: number;
  in_flight: boolean;
  due_at: string | null;
  stopped: string | null; // while it is queued within a stop: by whom, and why
  expires_at: string | null;
  error_class: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
  told: string | null; // what became of the message, which the state does not say
  told_at: string | null;
  reconciliation: Looks | null;
}

export interface Submission {
  id: string;
  number: number;
  profile: string | null;
  state: "dispatching" | "accepted" | "rejected" | "retryable" | "ambiguous";
  submitted_at: string;
  ended_at: string | null;
  provider_message_id: string | null;
  cause: "recipient" | "message" | "provider" | null;
  error_class: string | null;
  error: string | null;
  told: string | null;
  told_at: string | null;
}

export interface NotificationHistory extends Notification {
  history: Submission[];
}

export interface NotificationList {
  notifications: Notification[];
  next_before: number | null;
}

export interface Suppression {
  reason: string;
  detail: string | null;
  at: string;
  by: string | null;
}

/** Never with its address. */
export interface Contact {
  id: string;
  tenant: string;
  kind: string;
  suppression: Suppression | null;
  token_seen_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ContactList {
  contact_points: Contact[];
  next_after: number | null;
}

export interface ProviderEvent {
  id: number;
  tenant: string;
  profile: string | null;
  source: "callback" | "reconciliation";
  received_at: string;
  progress: "pending" | "unmatched" | "matched" | "duplicate";
  duplicate_of: number | null;
  provider_message_id: string | null;
  attempt: string | null;
  type: string;
  provider_type: string | null;
  occurred_at: string | null;
  suppresses: string | null;
  detail: string | null;
}

export interface ProviderEventList {
  events: ProviderEvent[];
  next_before: number | null;
}

export interface RefusedCallback {
  id: number;
  at: string;
  tenant: string | null;
  profile: string | null;
  source: string;
  kind: string;
  reason: string;
  digest: string;
}

export interface RefusedList {
  refused: RefusedCallback[];
  next_before: number | null;
}

export interface Left {
  kind: Kind;
  left: number;
  for_people: number;
  since: string | null;
  next_look_at: string | null;
}

export interface ReconciliationOverview {
  ambiguous_notifications: number;
  kinds: Left[];
}

export interface ReconciliationItem extends Looks {
  tenant: string | null;
  notification: string | null; // of an attempt
  attempt: number | null;
  event: number | null;
  profile: string | null; // its name
  rule: string | null; // of a create, with its record
  record: string | null;
  provider_message_id: string | null;
}

export interface ReconciliationList {
  items: ReconciliationItem[];
  next_after: string | null;
}

export interface Profile {
  id: string;
  tenant: string;
  name: string;
  provider: string;
  settings: Record<string, unknown>;
  credentials: string | null; // masked
  revision: number;
  updated_at: string;
}

export interface Route {
  id: string;
  tenant: string;
  name: string;
  profiles: string[];
  revision: number;
  updated_at: string;
}

export interface Key {
  name: string;
  first: boolean;
  in_settings: boolean;
  uses: { thing: string; live: number; removed: number }[];
}

export interface Keys {
  keys: Key[];
  fingerprint_keys: Key[];
}
