#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// A notification's state is where its submission is; what became of the message is its attempt's projection.
// `profile_id` is the one of the route whose turn it is. Neither table refers to the profile, the contact
// point or one another by a foreign key: it would be looked at for each row of the sending's hot path.
constexpr std::string_view notifications = R"(
CREATE TABLE notifications (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  idempotency_key {key},
  request_digest {key} NOT NULL DEFAULT '',
  contact_point_id BIGINT NOT NULL,
  route TEXT NOT NULL,
  content TEXT NOT NULL,
  expires_at BIGINT,
  state {key} NOT NULL,
  place BIGINT NOT NULL DEFAULT 0,
  profile_id BIGINT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  place_attempts BIGINT NOT NULL DEFAULT 0,
  next_attempt_at BIGINT,
  lease_until BIGINT,
  error_class {key} NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  row_version BIGINT NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX notifications_by_key ON notifications (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX notifications_of_tenant ON notifications (tenant_id, id);
CREATE INDEX notifications_of_contact ON notifications (contact_point_id, id);
CREATE INDEX notifications_due ON notifications (profile_id, next_attempt_at, id)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX notifications_leased ON notifications (profile_id, lease_until, id)
  WHERE lease_until IS NOT NULL;
CREATE INDEX notifications_unwell ON notifications (state, id)
  WHERE state IN ('ambiguous', 'rejected', 'failed', 'expired');
CREATE TABLE notification_attempts (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  notification_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  profile_id BIGINT NOT NULL,
  state {key} NOT NULL,
  submitted_at BIGINT NOT NULL,
  ended_at BIGINT,
  provider_message_id {key} NOT NULL DEFAULT '',
  cause {key},
  error_class {key} NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX notification_attempts_by_number ON notification_attempts (notification_id, number);
CREATE INDEX notification_attempts_by_message ON notification_attempts (profile_id, provider_message_id, id)
  WHERE provider_message_id <> '';
CREATE INDEX notification_attempts_unwell ON notification_attempts (state, submitted_at, id)
  WHERE state IN ('ambiguous', 'accepted');
)";

// What providers told is only ever inserted, and pruned from its beginning. What is still to be done with an
// event, and what it was found to be about, stands beside it in rows that are written and removed, so that
// no row of it is written twice.
constexpr std::string_view ledger = R"(
CREATE TABLE provider_reports (
  id {id},
  tenant_id BIGINT NOT NULL,
  profile_id BIGINT NOT NULL,
  source {key} NOT NULL,
  received_at BIGINT NOT NULL,
  digest {key} NOT NULL,
  body TEXT NOT NULL,
  events BIGINT NOT NULL
);
CREATE TABLE provider_events (
  id {id},
  report_id BIGINT NOT NULL,
  tenant_id BIGINT NOT NULL,
  profile_id BIGINT NOT NULL,
  key {key} NOT NULL,
  duplicate_of BIGINT,
  event_id {key} NOT NULL,
  provider_message_id {key} NOT NULL,
  attempt_id {key} NOT NULL,
  type {key} NOT NULL,
  provider_type TEXT NOT NULL,
  occurred_at BIGINT,
  suppresses {key},
  detail TEXT NOT NULL
);
CREATE INDEX provider_events_of_report ON provider_events (report_id);
CREATE INDEX provider_events_of_tenant ON provider_events (tenant_id, id);
CREATE INDEX provider_events_by_message ON provider_events (profile_id, provider_message_id, id);
CREATE TABLE provider_event_keys (
  key {key} NOT NULL PRIMARY KEY,
  event_id BIGINT NOT NULL
) {without_rowid};
CREATE TABLE pending_events (
  event_id BIGINT NOT NULL PRIMARY KEY
) {without_rowid};
CREATE TABLE unmatched_events (
  event_id BIGINT NOT NULL PRIMARY KEY,
  profile_id BIGINT NOT NULL,
  provider_message_id {key} NOT NULL,
  attempt_id {key} NOT NULL,
  since BIGINT NOT NULL
) {without_rowid};
CREATE INDEX unmatched_events_by_message ON unmatched_events (profile_id, provider_message_id, event_id)
  WHERE provider_message_id <> '';
CREATE INDEX unmatched_events_by_attempt ON unmatched_events (attempt_id, event_id) WHERE attempt_id <> '';
CREATE TABLE matched_events (
  event_id BIGINT NOT NULL PRIMARY KEY,
  attempt_id BIGINT NOT NULL
) {without_rowid};
CREATE INDEX matched_events_of_attempt ON matched_events (attempt_id, event_id);
)";

// `event_id` of a projection is NULL once retention has taken the event it stands on.
constexpr std::string_view made_of_it = R"(
CREATE TABLE attempt_projections (
  attempt_id BIGINT NOT NULL PRIMARY KEY,
  state {key} NOT NULL,
  rank BIGINT NOT NULL,
  at BIGINT,
  event_key {key} NOT NULL,
  event_id BIGINT,
  updated_at BIGINT NOT NULL
) {without_rowid};
CREATE TABLE reconciliation_targets (
  kind {key} NOT NULL,
  subject_id BIGINT NOT NULL,
  profile_id BIGINT NOT NULL,
  since BIGINT NOT NULL,
  looks BIGINT NOT NULL DEFAULT 0,
  last_look_at BIGINT,
  next_look_at BIGINT,
  verdict {key},
  needs_person BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject_id)
) {without_rowid};
CREATE INDEX reconciliation_targets_due ON reconciliation_targets (next_look_at, kind, subject_id)
  WHERE next_look_at IS NOT NULL;
CREATE INDEX reconciliation_targets_for_people ON reconciliation_targets (kind, subject_id)
  WHERE needs_person <> 0;
CREATE TABLE callback_refusals (
  id {id},
  at BIGINT NOT NULL,
  tenant_id BIGINT,
  profile_id BIGINT NOT NULL,
  source {key} NOT NULL,
  kind {key} NOT NULL,
  reason TEXT NOT NULL,
  digest {key} NOT NULL
);
CREATE INDEX callback_refusals_of_profile ON callback_refusals (profile_id, id);
)";

// Rows come and go here faster than the tables grow.
constexpr std::string_view postgresql_vacuum = R"(
ALTER TABLE pending_events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE unmatched_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
ALTER TABLE callback_refusals SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE notifications SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
)";

constexpr auto common = joined_text<notifications, ledger, made_of_it>;

} // namespace

const migration provider_events{
    14, "notifications and what providers tell of them", common, {}, postgresql_vacuum};

} // namespace sluice::storage
