#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// Acts of people on many ledger rows, live or ended. A rule has one live job at the most: its actor goes on
// with it by the rule alone.
constexpr std::string_view rule_jobs_table = R"(
CREATE TABLE rule_jobs (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  rule_id BIGINT NOT NULL REFERENCES sync_rules (id) ON DELETE RESTRICT,
  act {key} NOT NULL,
  status {key},
  error_class {key} NOT NULL DEFAULT '',
  rows_from BIGINT,
  rows_until BIGINT,
  counted BIGINT NOT NULL,
  done BIGINT NOT NULL DEFAULT 0,
  position {key} NOT NULL DEFAULT '',
  started_at BIGINT NOT NULL,
  started_by TEXT NOT NULL,
  ended_at BIGINT,
  ended_by TEXT NOT NULL DEFAULT '',
  ending {key}
);
CREATE UNIQUE INDEX rule_jobs_live ON rule_jobs (rule_id) WHERE ended_at IS NULL;
CREATE INDEX rule_jobs_of_rule ON rule_jobs (rule_id, id);
)";

} // namespace

const migration rule_jobs{8, "acts on many rows as jobs", rule_jobs_table, {}, {}};

} // namespace sluice::storage
