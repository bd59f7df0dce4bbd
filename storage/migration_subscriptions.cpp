#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// The domains whose changes are events, "*" for all of a tenant's: what the mirror's triggers look at.
constexpr std::string_view events = R"(
CREATE TABLE wanted_domains (
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  domain {key} NOT NULL,
  PRIMARY KEY (tenant_id, domain)
) {without_rowid};
CREATE TABLE change_events (
  id {id},
  public_id {key} UNIQUE,
  tenant_id BIGINT NOT NULL,
  kind {key} NOT NULL,
  type {key} NOT NULL,
  source_connection_id BIGINT,
  domain {key} NOT NULL DEFAULT '',
  source_id {key} NOT NULL DEFAULT '',
  body TEXT NOT NULL,
  idempotency_key {key},
  only_subscription_id BIGINT,
  occurred_at BIGINT NOT NULL,
  position BIGINT,
  sequenced_at BIGINT
);
CREATE UNIQUE INDEX change_events_by_position ON change_events (position) WHERE position IS NOT NULL;
CREATE INDEX change_events_unsequenced ON change_events (id) WHERE position IS NULL;
CREATE UNIQUE INDEX change_events_by_key ON change_events (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX change_events_of_tenant ON change_events (tenant_id, id);
CREATE INDEX change_events_of_source ON change_events (source_connection_id, id)
  WHERE source_connection_id IS NOT NULL;
CREATE TABLE fan_out_cursor (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  sequenced_position BIGINT NOT NULL,
  position BIGINT NOT NULL,
  subscription_id BIGINT NOT NULL,
  pruned_position BIGINT NOT NULL,
  deliveries_pruned_position BIGINT NOT NULL,
  attempts_pruned_position BIGINT NOT NULL
);
INSERT INTO fan_out_cursor (id, sequenced_position, position, subscription_id, pruned_position,
  deliveries_pruned_position, attempts_pruned_position) VALUES (1, 0, 0, 0, 0, 0, 0);
)";

constexpr std::string_view subscriptions_table = R"(
CREATE TABLE subscriptions (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  name {key} NOT NULL,
  mode {key} NOT NULL,
  url TEXT NOT NULL,
  event_types TEXT NOT NULL,
  filter TEXT NOT NULL,
  ordered_by TEXT NOT NULL,
  headers TEXT NOT NULL,
  access_accepted BIGINT NOT NULL,
  status {key} NOT NULL,
  status_cause {key},
  status_reason TEXT NOT NULL DEFAULT '',
  consecutive_dead BIGINT NOT NULL DEFAULT 0,
  starts_after BIGINT NOT NULL,
  cursor_position BIGINT NOT NULL,
  offered_position BIGINT NOT NULL,
  refused_position BIGINT NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX subscriptions_live ON subscriptions (tenant_id, name) WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_pulled ON subscriptions (cursor_position) WHERE mode = 'pull';
CREATE INDEX subscriptions_lost ON subscriptions (id) WHERE deleted_at IS NOT NULL OR access_accepted = 0;
CREATE TABLE subscription_secrets (
  id {id},
  subscription_id BIGINT NOT NULL REFERENCES subscriptions (id) ON DELETE RESTRICT,
  secret TEXT NOT NULL,
  expires_at BIGINT
);
CREATE INDEX subscription_secrets_by_subscription ON subscription_secrets (subscription_id, id);
CREATE TABLE subscriptions_version (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  version BIGINT NOT NULL
);
INSERT INTO subscriptions_version (id, version) VALUES (1, 0);
)";

// Neither refers to what it belongs to by a foreign key: it would be looked at for each of 50,000 rows a
// second. Deliveries go before their event and their subscription, attempts before their delivery.
constexpr std::string_view deliveries = R"(
CREATE TABLE event_deliveries (
  subscription_id BIGINT NOT NULL,
  position BIGINT NOT NULL,
  state {key} NOT NULL,
  ordering_key {key},
  attempts BIGINT NOT NULL DEFAULT 0,
  round_attempts BIGINT NOT NULL DEFAULT 0,
  next_attempt_at BIGINT,
  lease_until BIGINT,
  error_class {key} NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  row_version BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (subscription_id, position)
) {without_rowid};
CREATE INDEX event_deliveries_by_position ON event_deliveries (position, subscription_id);
CREATE INDEX event_deliveries_due ON event_deliveries (subscription_id, next_attempt_at, position)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX event_deliveries_leased ON event_deliveries (subscription_id, lease_until)
  WHERE lease_until IS NOT NULL;
CREATE INDEX event_deliveries_of_key ON event_deliveries (subscription_id, ordering_key, position)
  WHERE ordering_key IS NOT NULL AND state IN ('pending', 'retrying');
CREATE INDEX event_deliveries_unwell ON event_deliveries (subscription_id, state, position)
  WHERE state IN ('retrying', 'failed', 'dead');
CREATE TABLE delivery_attempts (
  subscription_id BIGINT NOT NULL,
  position BIGINT NOT NULL,
  number BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  took BIGINT NOT NULL DEFAULT 0,
  ending {key},
  status BIGINT NOT NULL DEFAULT 0,
  error_class {key} NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  answer TEXT NOT NULL DEFAULT '',
  answer_cut BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (subscription_id, position, number)
) {without_rowid};
)";

// Only ever inserted into, and pruned from its beginning.
constexpr std::string_view audit_log = R"(
CREATE TABLE audit_log (
  id {id},
  at BIGINT NOT NULL,
  done_by TEXT NOT NULL,
  act {key} NOT NULL,
  subject {key} NOT NULL,
  tenant_id BIGINT REFERENCES tenants (id) ON DELETE RESTRICT,
  details TEXT NOT NULL,
  concerned BIGINT NOT NULL
);
CREATE INDEX audit_log_by_age ON audit_log (at, id);
CREATE INDEX audit_log_of_subject ON audit_log (subject, id);
)";

constexpr auto common = joined_text<events, subscriptions_table, deliveries, audit_log>;

// Beside the triggers that leave the markers. The whole question is asked before the insert, whose setting up
// costs more than all of it, and without IN, for which SQLite builds a table a row: while nobody subscribes a
// row costs 0.3 µs, where others do 1 µs.
constexpr std::string_view sqlite_triggers = R"(
CREATE TRIGGER mirror_records_tell_inserted AFTER INSERT ON mirror_records
WHEN NEW.deleted_at IS NULL AND EXISTS (SELECT 1 FROM wanted_domains)
  AND (EXISTS (SELECT 1 FROM wanted_domains WHERE domain = NEW.domain AND tenant_id =
         (SELECT tenant_id FROM connections WHERE id = NEW.source_connection_id))
    OR EXISTS (SELECT 1 FROM wanted_domains WHERE domain = '*' AND tenant_id =
         (SELECT tenant_id FROM connections WHERE id = NEW.source_connection_id)))
BEGIN
  INSERT INTO change_events (tenant_id, kind, type, source_connection_id, domain, source_id, body, occurred_at)
  VALUES ((SELECT tenant_id FROM connections WHERE id = NEW.source_connection_id), 'change',
    NEW.domain || '.created', NEW.source_connection_id, NEW.domain, NEW.source_id, NEW.payload,
    NEW.content_changed_at);
END;
CREATE TRIGGER mirror_records_tell_updated AFTER UPDATE OF content_changed_at ON mirror_records
WHEN NEW.content_changed_at <> OLD.content_changed_at
  AND (NEW.deleted_at IS NULL OR (OLD.deleted_at IS NULL AND NEW.deletion_reason = 'source_event'))
  AND EXISTS (SELECT 1 FROM wanted_domains)
  AND (EXISTS (SELECT 1 FROM wanted_domains WHERE domain = NEW.domain AND tenant_id =
         (SELECT tenant_id FROM connections WHERE id = NEW.source_connection_id))
    OR EXISTS (SELECT 1 FROM wanted_domains WHERE domain = '*' AND tenant_id =
         (SELECT tenant_id FROM connections WHERE id = NEW.source_connection_id)))
BEGIN
  INSERT INTO change_events (tenant_id, kind, type, source_connection_id, domain, source_id, body, occurred_at)
  VALUES ((SELECT tenant_id FROM connections WHERE id = NEW.source_connection_id), 'change',
    NEW.domain || CASE WHEN NEW.deleted_at IS NOT NULL THEN '.deleted'
      WHEN OLD.deleted_at IS NOT NULL THEN '.created' ELSE '.updated' END,
    NEW.source_connection_id, NEW.domain, NEW.source_id, NEW.payload, NEW.content_changed_at);
END;
)";

// They run with their owner's rights: a role that may write the mirror need not know of events. Their search
// path is pinned, with temporary tables last, so that nobody puts another table in the place of one.
constexpr std::string_view postgresql_triggers = R"(
ALTER TABLE event_deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
ALTER TABLE change_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
ALTER TABLE fan_out_cursor SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE FUNCTION mirror_records_tell_inserted() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER AS $body$
BEGIN
  IF EXISTS (SELECT 1 FROM wanted_domains) THEN
    INSERT INTO change_events (tenant_id, kind, type, source_connection_id, domain, source_id, body, occurred_at)
    SELECT c.tenant_id, 'change', w.domain || '.created', w.source_connection_id, w.domain, w.source_id, w.payload,
      w.content_changed_at
    FROM written AS w JOIN connections AS c ON c.id = w.source_connection_id
    WHERE w.deleted_at IS NULL AND EXISTS (SELECT 1 FROM wanted_domains AS d
      WHERE d.tenant_id = c.tenant_id AND d.domain IN (w.domain, '*'))
    ORDER BY w.content_changed_at, w.id;
  END IF;
  RETURN NULL;
END
$body$;
CREATE FUNCTION mirror_records_tell_updated() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER AS $body$
BEGIN
  IF EXISTS (SELECT 1 FROM wanted_domains) THEN
    INSERT INTO change_events (tenant_id, kind, type, source_connection_id, domain, source_id, body, occurred_at)
    SELECT c.tenant_id, 'change', w.domain || CASE WHEN w.deleted_at IS NOT NULL THEN '.deleted'
        WHEN r.deleted_at IS NOT NULL THEN '.created' ELSE '.updated' END,
      w.source_connection_id, w.domain, w.source_id, w.payload, w.content_changed_at
    FROM written AS w JOIN replaced AS r ON r.id = w.id JOIN connections AS c ON c.id = w.source_connection_id
    WHERE w.content_changed_at <> r.content_changed_at
      AND (w.deleted_at IS NULL OR (r.deleted_at IS NULL AND w.deletion_reason = 'source_event'))
      AND EXISTS (SELECT 1 FROM wanted_domains AS d
        WHERE d.tenant_id = c.tenant_id AND d.domain IN (w.domain, '*'))
    ORDER BY w.content_changed_at, w.id;
  END IF;
  RETURN NULL;
END
$body$;
DO $do$
BEGIN
  EXECUTE format('ALTER FUNCTION mirror_records_tell_inserted() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION mirror_records_tell_updated() SET search_path = %I, pg_temp', current_schema());
END
$do$;
CREATE TRIGGER mirror_records_tell_inserted AFTER INSERT ON mirror_records
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION mirror_records_tell_inserted();
CREATE TRIGGER mirror_records_tell_updated AFTER UPDATE ON mirror_records
  REFERENCING OLD TABLE AS replaced NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mirror_records_tell_updated();
)";

} // namespace

const migration subscriptions{9, "events and subscriptions", common, sqlite_triggers, postgresql_triggers};

} // namespace sluice::storage
