#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// Stops, holds and releases are one history: a row lives while ended_at is empty and is never removed before
// its rule or connection.
constexpr std::string_view stops = R"(
CREATE TABLE delivery_stops (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  scope {key} NOT NULL,
  cause {key} NOT NULL,
  connection_id BIGINT REFERENCES connections (id) ON DELETE RESTRICT,
  rule_id BIGINT REFERENCES sync_rules (id) ON DELETE RESTRICT,
  reason TEXT NOT NULL DEFAULT '',
  set_by TEXT NOT NULL DEFAULT '',
  set_at BIGINT NOT NULL,
  pending_withdrawals BIGINT,
  known_records BIGINT,
  threshold BIGINT,
  ended_at BIGINT,
  ended_by TEXT NOT NULL DEFAULT '',
  resolution {key},
  allowed_withdrawals BIGINT,
  allowance_consumed_at BIGINT
);
CREATE UNIQUE INDEX delivery_stops_live_global ON delivery_stops (cause)
  WHERE scope = 'global' AND ended_at IS NULL;
CREATE UNIQUE INDEX delivery_stops_live_connection ON delivery_stops (connection_id, cause)
  WHERE scope = 'connection' AND ended_at IS NULL;
CREATE UNIQUE INDEX delivery_stops_live_rule ON delivery_stops (rule_id, cause)
  WHERE scope = 'rule' AND ended_at IS NULL;
CREATE UNIQUE INDEX delivery_stops_release_in_force ON delivery_stops (rule_id)
  WHERE resolution = 'released' AND allowance_consumed_at IS NULL;
CREATE INDEX delivery_stops_live ON delivery_stops (set_at, id) WHERE ended_at IS NULL;
CREATE INDEX delivery_stops_of_rule ON delivery_stops (rule_id);
CREATE INDEX delivery_stops_of_connection ON delivery_stops (connection_id);
)";

// What the volume breaker counts, and what finds a record that waits for its parent.
constexpr std::string_view counting = R"(
CREATE TABLE rule_withdrawals (
  rule_id BIGINT NOT NULL REFERENCES sync_rules (id) ON DELETE RESTRICT,
  minute_at BIGINT NOT NULL,
  withdrawn BIGINT NOT NULL,
  PRIMARY KEY (rule_id, minute_at)
) {without_rowid};
CREATE INDEX mirror_records_tombstones ON mirror_records (source_connection_id, domain, content_changed_at,
  id{covering source_id} WHERE deletion_reason = 'source_event';
ALTER TABLE outbound_deliveries ADD COLUMN anchor_source_id {key};
CREATE INDEX outbound_deliveries_held ON outbound_deliveries (rule_id, source_id) WHERE status = 'held';
CREATE INDEX outbound_deliveries_awaiting ON outbound_deliveries (rule_id, source_id)
  WHERE status = 'awaiting_anchor';
CREATE INDEX outbound_deliveries_ambiguous ON outbound_deliveries (rule_id, source_id)
  WHERE status = 'ambiguous';
CREATE INDEX outbound_deliveries_terminal ON outbound_deliveries (rule_id, source_id)
  WHERE status IN ('remote_gone', 'exhausted');
ALTER TABLE sync_rules ADD COLUMN anchor_domain {key} NOT NULL DEFAULT '';
ALTER TABLE sync_rules ADD COLUMN anchor_pointer TEXT NOT NULL DEFAULT '';
)";

constexpr std::string_view backfills = R"(
ALTER TABLE delivery_cursors ADD COLUMN activated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE delivery_cursors ADD COLUMN known_records BIGINT NOT NULL DEFAULT 0;
ALTER TABLE delivery_cursors ADD COLUMN backfill_resend BIGINT NOT NULL DEFAULT 0;
UPDATE delivery_cursors SET
  activated_at = coalesce(backfill_until, (SELECT created_at FROM sync_rules WHERE id = rule_id)),
  known_records = (SELECT count(*) FROM outbound_deliveries o
                   WHERE o.rule_id = delivery_cursors.rule_id AND o.target_state <> 'absent');
CREATE TABLE backfill_confirmations (
  id {id},
  rule_id BIGINT NOT NULL REFERENCES sync_rules (id) ON DELETE RESTRICT,
  target_connection_id BIGINT NOT NULL REFERENCES connections (id) ON DELETE RESTRICT,
  backfill_until BIGINT NOT NULL,
  backfill_generation BIGINT NOT NULL,
  records BIGINT NOT NULL,
  creates BIGINT NOT NULL,
  resend BIGINT NOT NULL,
  confirmed_by TEXT NOT NULL,
  confirmed_at BIGINT NOT NULL
);
CREATE INDEX backfill_confirmations_of_connection ON backfill_confirmations (target_connection_id, confirmed_at);
CREATE INDEX backfill_confirmations_of_rule ON backfill_confirmations (rule_id, backfill_until);
)";

// What the state of 10,000 rules is derived from at once. How a rule's latest run ended stands beside its
// cursor: looking it up among the runs costs 6 µs a rule, more than everything else together.
constexpr std::string_view health = R"(
ALTER TABLE throttle_windows ADD COLUMN blocked_until BIGINT;
ALTER TABLE delivery_cursors ADD COLUMN ended_run_id BIGINT;
ALTER TABLE delivery_cursors ADD COLUMN ended_run_ending {key};
ALTER TABLE delivery_cursors ADD COLUMN ended_run_reason TEXT;
ALTER TABLE delivery_cursors ADD COLUMN ended_run_started_at BIGINT;
ALTER TABLE delivery_cursors ADD COLUMN ended_run_ended_at BIGINT;
ALTER TABLE delivery_cursors ADD COLUMN completed_at BIGINT;
UPDATE delivery_cursors SET
  ended_run_id = (SELECT max(d.id) FROM delivery_runs d
                  WHERE d.rule_id = delivery_cursors.rule_id AND d.ending IS NOT NULL),
  completed_at = (SELECT max(d.ended_at) FROM delivery_runs d
                  WHERE d.rule_id = delivery_cursors.rule_id AND d.ending = 'completed');
UPDATE delivery_cursors SET
  ended_run_ending = (SELECT ending FROM delivery_runs WHERE id = ended_run_id),
  ended_run_reason = (SELECT reason FROM delivery_runs WHERE id = ended_run_id),
  ended_run_started_at = (SELECT started_at FROM delivery_runs WHERE id = ended_run_id),
  ended_run_ended_at = (SELECT ended_at FROM delivery_runs WHERE id = ended_run_id)
WHERE ended_run_id IS NOT NULL;
)";

// A purge that has begun has no way back, whatever the grace period says.
constexpr std::string_view lifecycle = R"(
ALTER TABLE connections ADD COLUMN purging_since BIGINT;
)";

constexpr auto common = joined_text<stops, counting, backfills, health, lifecycle>;

} // namespace

const migration decisions{3, "what people decide, and what it is decided on", common, {}, {}};

} // namespace sluice::storage
