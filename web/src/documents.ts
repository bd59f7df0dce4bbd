// What the node's API answers; docs/api.md describes each.

export interface Tenant {
  name: string;
  id: string;
}

/** Where a rule delivers from or into. */
export interface RouteEnd {
  name: string;
  id: string;
  driver: string;
  host: string;
  tenant: Tenant;
}

export interface Connection {
  name: string;
  id: string;
  tenant: string;
  tenant_id: string;
  driver: string;
  host: string;
  state: string;
  reason: string;
  disconnected_at: string | null;
  purged_from: string | null;
}

export interface Finding {
  pending: number;
  known: number;
  threshold: number;
}

export interface Stop {
  id: string;
  scope: "global" | "connection" | "rule" | "subscription" | "profile";
  connection?: string;
  rule?: string;
  subscription?: string | null;
  subscription_name?: string | null;
  profile?: string | null;
  profile_name?: string | null;
  reason: string | null;
  set_by: string | null;
  set_at: string;
  finding: Finding | null;
}

export type RuleState = "stopped" | "held" | "failing" | "stale" | "throttled" | "ok" | "none";

export interface Rule {
  name: string;
  id: string;
  state: RuleState;
  sentence: string;
  since: string | null;
  blocked_until: string | null;
  route_open: boolean;
  source: RouteEnd;
  target: RouteEnd;
  hold: Stop | null;
}

export interface Card {
  stop: Stop | null;
  connection: RouteEnd | null;
  rules: Rule[];
}

export interface Progress {
  until: string;
  passed: number;
  total: number;
}

export interface Backfill extends Rule {
  until: string;
  progress: Progress | null;
}

export interface Group<Entry> {
  count: number;
  shown: number;
  tenants: { tenant: Tenant; cards: Entry[] }[];
}

export type GlobalState = "stopped" | "scheduler_down" | "runs_not_completing" | "ok";

export interface Delivery {
  now: string;
  heartbeat_at: string | null;
  badge: number;
  tiles: { global: GlobalState; stopped: number; held: number; unwell: number };
  notice: "none" | "all_well" | "nothing_matches";
  global_stop: Stop | null;
  also_stopped: number;
  stale: number;
  stopped: Group<Card>;
  held: Group<Card>;
  unwell: Group<Card>;
  others: Group<Card>; // rules that a search finds and that are on no card
  backfills: Group<Backfill>;
}

export interface Cursor {
  activated_at: string;
  delta_at: string;
  backfill_until: string | null;
  backfill_resend: boolean;
}

export interface RulePage extends Rule {
  active: boolean;
  domain: string;
  update_mode: string;
  delete_policy: string;
  anchor_domain: string;
  revision: number;
  completed_at: string | null;
  known_records: number;
  running_since: string | null;
  cursor: Cursor | null;
  stops: Stop[];
}

export interface Run {
  id: string;
  rule: string;
  state: string;
  reason: string;
  started_at: string;
  ended_at: string | null;
  counts: Record<string, number>;
}

export interface LedgerCounts {
  counts: Record<string, number>;
  total: number;
}

export interface LedgerRow {
  source_id: string;
  status: string;
  target_state: string;
  remote_id: string;
  delivered_content_changed_at: string | null;
  seen_content_changed_at: string | null;
  attempts: number;
  next_attempt_at: string | null;
  error_class: string;
  error: string;
  updated_at?: string;
}

export interface LedgerPage {
  rows: LedgerRow[];
  next_after: string | null;
}

export interface Confirmation {
  confirmed_by: string;
  confirmed_at: string;
  creates: number;
  records: number;
}

export interface BackfillPage {
  progress: Progress | null;
  confirmation: Confirmation | null;
  latest_into_target: Confirmation | null;
}

export interface Preview {
  until: string;
  records: number;
  creates: number;
  updates: number;
}

export interface Explanation {
  rule: string;
  source_id: string;
  record: { content_changed_at: string; deleted: boolean } | null;
  ledger: LedgerRow | null;
  create_unsettled: boolean;
  next: string | null;
  sentences: string[];
}

export interface Session {
  name: string;
  role: "viewer" | "operator" | "admin" | "intake";
  tenants: string[] | null; // null: every tenant
  csrf: string;
}

export type SubscriptionStatus = "active" | "paused" | "disabled";

export interface Header {
  name: string;
  value: string; // masked where it is a secret
  secret: boolean;
}

export interface Subscription {
  id: string;
  tenant: string;
  name: string;
  mode: "push" | "pull";
  url: string | null;
  event_types: string[];
  filter: object | null;
  ordered_by: string | null;
  headers: Header[];
  access_accepted: boolean;
  status: SubscriptionStatus;
  cause: "person" | "gone" | "dead_deliveries" | null;
  status_reason: string | null;
  consecutive_dead: number;
  cursor: number | null;
  offered: number | null;
  revision: number;
  created_at: string;
  updated_at: string;
}

export interface SubscriptionList {
  subscriptions: Subscription[];
  next_after: number | null;
}

export type PushState = "pending" | "delivered" | "retrying" | "failed" | "dead" | "skipped_filter";

/** What became of one event for one subscription. */
export interface Push {
  event: string;
  type: string;
  position: number;
  occurred_at: string;
  state: PushState;
  attempts: number;
  in_flight: boolean;
  due_at: string | null;
  ordering_key: string | null;
  error_class: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
}

export interface PushList {
  deliveries: Push[];
  next_before: number | null;
}

export interface Attempt {
  number: number;
  started_at: string;
  ended_at: string | null;
  took_us: number;
  ending: string | null;
  status: number | null;
  error_class: string | null;
  error: string | null;
  answer: string;
  answer_cut: boolean;
}

export interface Replay {
  id: string;
  from: string;
  to: string;
  states: PushState[];
  counted: number;
  done: number;
  started_at: string;
  started_by: string;
  ended_at: string | null;
  ended_by: string | null;
  ending: "completed" | "cancelled" | null;
}
