#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// A rule's rows by status, kept by the transaction that writes them: counting a million of them takes too
// long for whoever asks, and takes a core from the deliveries. Trashed rows are not counted.
constexpr std::string_view counts = R"(
CREATE TABLE ledger_counts (
  rule_id BIGINT NOT NULL REFERENCES sync_rules (id) ON DELETE CASCADE,
  status {key} NOT NULL,
  records BIGINT NOT NULL,
  PRIMARY KEY (rule_id, status)
) {without_rowid};
INSERT INTO ledger_counts (rule_id, status, records)
  SELECT rule_id, status, count(*) FROM outbound_deliveries WHERE deleted_at IS NULL GROUP BY rule_id, status;
)";

constexpr std::string_view by_the_row = R"(
CREATE TRIGGER outbound_deliveries_count_new AFTER INSERT ON outbound_deliveries WHEN NEW.deleted_at IS NULL
BEGIN
  INSERT INTO ledger_counts (rule_id, status, records) VALUES (NEW.rule_id, NEW.status, 1)
    ON CONFLICT (rule_id, status) DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER outbound_deliveries_count_changed AFTER UPDATE OF status, deleted_at ON outbound_deliveries
WHEN OLD.status <> NEW.status OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE ledger_counts SET records = records - 1
    WHERE rule_id = OLD.rule_id AND status = OLD.status AND OLD.deleted_at IS NULL;
  INSERT INTO ledger_counts (rule_id, status, records)
    SELECT NEW.rule_id, NEW.status, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT (rule_id, status) DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER outbound_deliveries_count_gone AFTER DELETE ON outbound_deliveries WHEN OLD.deleted_at IS NULL
BEGIN
  UPDATE ledger_counts SET records = records - 1 WHERE rule_id = OLD.rule_id AND status = OLD.status;
END;
)";

constexpr std::string_view by_the_statement = R"(
CREATE FUNCTION outbound_deliveries_are_counted() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO ledger_counts AS c (rule_id, status, records)
      SELECT rule_id, status, count(*) FROM written WHERE deleted_at IS NULL
      GROUP BY rule_id, status ORDER BY rule_id, status
      ON CONFLICT (rule_id, status) DO UPDATE SET records = c.records + excluded.records;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO ledger_counts AS c (rule_id, status, records)
      SELECT rule_id, status, sum(one) FROM (
        SELECT rule_id, status, 1 AS one FROM written WHERE deleted_at IS NULL
        UNION ALL SELECT rule_id, status, -1 FROM replaced WHERE deleted_at IS NULL) AS changed
      GROUP BY rule_id, status HAVING sum(one) <> 0 ORDER BY rule_id, status
      ON CONFLICT (rule_id, status) DO UPDATE SET records = c.records + excluded.records;
  ELSE
    UPDATE ledger_counts AS c SET records = c.records - gone.records FROM (
      SELECT rule_id, status, count(*) AS records FROM replaced WHERE deleted_at IS NULL
      GROUP BY rule_id, status) AS gone
      WHERE c.rule_id = gone.rule_id AND c.status = gone.status;
  END IF;
  RETURN NULL;
END
$body$;
CREATE TRIGGER outbound_deliveries_count_new AFTER INSERT ON outbound_deliveries
  REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION outbound_deliveries_are_counted();
CREATE TRIGGER outbound_deliveries_count_changed AFTER UPDATE ON outbound_deliveries
  REFERENCING OLD TABLE AS replaced NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION outbound_deliveries_are_counted();
CREATE TRIGGER outbound_deliveries_count_gone AFTER DELETE ON outbound_deliveries
  REFERENCING OLD TABLE AS replaced
  FOR EACH STATEMENT EXECUTE FUNCTION outbound_deliveries_are_counted();
)";

} // namespace

const migration ledger_counts{7, "the ledger's rows are counted as they change", counts, by_the_row,
                              by_the_statement};

} // namespace sluice::storage
