#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// Times are microseconds; texts of a fixed set of words are those of core's to_string.

constexpr std::string_view configuration = R"(
CREATE TABLE tenants (
  id {id},
  name {key} NOT NULL UNIQUE,
  created_at BIGINT NOT NULL
);
CREATE TABLE connections (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  name {key} NOT NULL UNIQUE,
  driver {key} NOT NULL,
  settings TEXT NOT NULL,
  credentials TEXT NOT NULL,
  status {key} NOT NULL,
  status_reason TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE TABLE sync_rules (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  name {key} NOT NULL UNIQUE,
  source_connection_id BIGINT NOT NULL REFERENCES connections (id) ON DELETE RESTRICT,
  target_connection_id BIGINT NOT NULL REFERENCES connections (id) ON DELETE RESTRICT,
  domain {key} NOT NULL,
  direction {key} NOT NULL,
  active BIGINT NOT NULL,
  update_mode {key} NOT NULL,
  delete_policy {key} NOT NULL,
  mapping TEXT NOT NULL,
  filter TEXT NOT NULL,
  revision BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE INDEX sync_rules_by_source ON sync_rules (source_connection_id, domain);
CREATE INDEX sync_rules_by_target ON sync_rules (target_connection_id);
CREATE TABLE configuration_version (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  version BIGINT NOT NULL
);
INSERT INTO configuration_version (id, version) VALUES (1, 0);
)";

// The scan's index carries what decides whether a record is a candidate: a pass over what is delivered
// already never touches the payloads.
constexpr std::string_view mirror = R"(
CREATE TABLE mirror_records (
  id {id},
  source_connection_id BIGINT NOT NULL REFERENCES connections (id) ON DELETE RESTRICT,
  domain {key} NOT NULL,
  source_id {key} NOT NULL,
  payload TEXT NOT NULL,
  content_changed_at BIGINT NOT NULL,
  deleted_at BIGINT,
  deletion_reason {key} NOT NULL DEFAULT 'none',
  UNIQUE (source_connection_id, domain, source_id)
);
CREATE INDEX mirror_records_by_change ON mirror_records
  (source_connection_id, domain, content_changed_at, id{covering source_id, deleted_at, deletion_reason};
)";

constexpr std::string_view delivery = R"(
CREATE TABLE delivery_cursors (
  rule_id BIGINT NOT NULL PRIMARY KEY REFERENCES sync_rules (id) ON DELETE RESTRICT,
  delta_at BIGINT NOT NULL,
  delta_id BIGINT NOT NULL,
  previous_pass_at BIGINT NOT NULL,
  rescan_from BIGINT,
  change_counter BIGINT NOT NULL DEFAULT 0,
  completed_counter BIGINT NOT NULL DEFAULT 0,
  backfill_until BIGINT,
  backfill_at BIGINT NOT NULL DEFAULT 0,
  backfill_id BIGINT NOT NULL DEFAULT 0,
  backfill_generation BIGINT NOT NULL DEFAULT 0,
  updated_at BIGINT NOT NULL
);
CREATE TABLE outbound_deliveries (
  rule_id BIGINT NOT NULL REFERENCES sync_rules (id) ON DELETE RESTRICT,
  source_id {key} NOT NULL,
  status {key} NOT NULL,
  target_state {key} NOT NULL,
  remote_id TEXT NOT NULL DEFAULT '',
  delivered_content_changed_at BIGINT,
  seen_content_changed_at BIGINT NOT NULL,
  seen_revision BIGINT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  next_attempt_at BIGINT,
  error_class {key} NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  create_generation BIGINT NOT NULL DEFAULT 0,
  row_version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  PRIMARY KEY (rule_id, source_id)
) {without_rowid};
CREATE INDEX outbound_deliveries_due ON outbound_deliveries (rule_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbound_deliveries_waiting ON outbound_deliveries (rule_id, source_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbound_deliveries_revision ON outbound_deliveries (rule_id, seen_revision, source_id)
  WHERE status IN ('undeliverable', 'filtered');
CREATE TABLE delivery_intents (
  record_id BIGINT NOT NULL,
  rule_id BIGINT NOT NULL,
  source_id {key} NOT NULL,
  content_changed_at BIGINT NOT NULL,
  create_generation BIGINT NOT NULL,
  run_id BIGINT NOT NULL,
  made_at BIGINT NOT NULL,
  idempotency_key {key} NOT NULL DEFAULT '',
  body TEXT NOT NULL DEFAULT '',
  settle_at BIGINT,
  settle_attempts BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (rule_id, record_id)
) {without_rowid};
CREATE TABLE delivery_intent_batches (
  id {id},
  rule_id BIGINT NOT NULL,
  run_id BIGINT NOT NULL,
  intents TEXT NOT NULL
);
CREATE INDEX delivery_intent_batches_by_rule ON delivery_intent_batches (rule_id);
CREATE INDEX delivery_intents_due ON delivery_intents (rule_id, settle_at) WHERE settle_at IS NOT NULL;
CREATE TABLE delivery_runs (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  rule_id BIGINT NOT NULL REFERENCES sync_rules (id) ON DELETE RESTRICT,
  ending {key},
  reason TEXT NOT NULL DEFAULT '',
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  examined BIGINT NOT NULL DEFAULT 0,
  created BIGINT NOT NULL DEFAULT 0,
  updated BIGINT NOT NULL DEFAULT 0,
  withdrawn BIGINT NOT NULL DEFAULT 0,
  reactivated BIGINT NOT NULL DEFAULT 0,
  suppressed BIGINT NOT NULL DEFAULT 0,
  filtered BIGINT NOT NULL DEFAULT 0,
  refused BIGINT NOT NULL DEFAULT 0,
  failed BIGINT NOT NULL DEFAULT 0,
  ambiguous BIGINT NOT NULL DEFAULT 0,
  skipped BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX delivery_runs_by_rule ON delivery_runs (rule_id, id);
CREATE INDEX delivery_runs_running ON delivery_runs (rule_id) WHERE ending IS NULL;
)";

constexpr std::string_view node = R"(
CREATE TABLE throttle_windows (
  connection_id BIGINT NOT NULL PRIMARY KEY REFERENCES connections (id) ON DELETE RESTRICT,
  content TEXT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE TABLE heartbeats (
  name {key} NOT NULL PRIMARY KEY,
  beat_at BIGINT NOT NULL
);
CREATE TABLE ownership (
  shard {key} NOT NULL PRIMARY KEY,
  node {key} NOT NULL,
  epoch BIGINT NOT NULL,
  lease_until BIGINT NOT NULL
);
)";

// One marker a source and domain: a bulk write costs one small look a row and one write in all.
constexpr std::string_view sqlite_markers = R"(
CREATE TABLE change_markers (
  source_connection_id BIGINT NOT NULL,
  domain TEXT NOT NULL,
  least_changed_at BIGINT NOT NULL,
  PRIMARY KEY (source_connection_id, domain)
) WITHOUT ROWID;
CREATE TRIGGER mirror_records_inserted AFTER INSERT ON mirror_records
BEGIN
  INSERT INTO change_markers (source_connection_id, domain, least_changed_at)
  VALUES (NEW.source_connection_id, NEW.domain, NEW.content_changed_at)
  ON CONFLICT (source_connection_id, domain) DO UPDATE SET least_changed_at = excluded.least_changed_at
  WHERE excluded.least_changed_at < change_markers.least_changed_at;
END;
CREATE TRIGGER mirror_records_updated AFTER UPDATE OF content_changed_at ON mirror_records
WHEN NEW.content_changed_at <> OLD.content_changed_at
BEGIN
  INSERT INTO change_markers (source_connection_id, domain, least_changed_at)
  VALUES (NEW.source_connection_id, NEW.domain, NEW.content_changed_at)
  ON CONFLICT (source_connection_id, domain) DO UPDATE SET least_changed_at = excluded.least_changed_at
  WHERE excluded.least_changed_at < change_markers.least_changed_at;
END;
)";

// A marker a statement, only ever inserted: a row that writers shared would make each wait for the other's
// commit. Whoever consumes them deletes what it can see.
constexpr std::string_view postgresql_markers = R"(
CREATE TABLE change_markers (
  source_connection_id BIGINT NOT NULL,
  domain TEXT COLLATE "C" NOT NULL,
  least_changed_at BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE delivery_intent_batches SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE delivery_intent_batches ALTER COLUMN intents SET STORAGE EXTERNAL;
CREATE FUNCTION mirror_records_mark_inserted() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO change_markers (source_connection_id, domain, least_changed_at)
  SELECT source_connection_id, domain, min(content_changed_at) FROM written
  GROUP BY source_connection_id, domain;
  IF FOUND THEN
    PERFORM pg_notify('sluice_mirror', '');
  END IF;
  RETURN NULL;
END
$body$;
CREATE FUNCTION mirror_records_mark_updated() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO change_markers (source_connection_id, domain, least_changed_at)
  SELECT w.source_connection_id, w.domain, min(w.content_changed_at)
  FROM written AS w JOIN replaced AS r ON r.id = w.id
  WHERE w.content_changed_at <> r.content_changed_at
  GROUP BY w.source_connection_id, w.domain;
  IF FOUND THEN
    PERFORM pg_notify('sluice_mirror', '');
  END IF;
  RETURN NULL;
END
$body$;
CREATE TRIGGER mirror_records_inserted AFTER INSERT ON mirror_records
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION mirror_records_mark_inserted();
CREATE TRIGGER mirror_records_updated AFTER UPDATE ON mirror_records
  REFERENCING OLD TABLE AS replaced NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mirror_records_mark_updated();
)";

} // namespace

const migration first_schema{1, "first schema", joined_text<configuration, mirror, delivery, node>,
                             sqlite_markers, postgresql_markers};

} // namespace sluice::storage
