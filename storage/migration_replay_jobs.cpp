#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// Window replays, live or ended. A subscription has one live one at the most; those of one that is pruned go
// with it.
constexpr std::string_view replay_jobs_table = R"(
CREATE TABLE replay_jobs (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  subscription_id BIGINT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
  occurred_from BIGINT NOT NULL,
  occurred_to BIGINT NOT NULL,
  states {key} NOT NULL,
  counted BIGINT NOT NULL,
  done BIGINT NOT NULL DEFAULT 0,
  position BIGINT NOT NULL,
  last_position BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  started_by TEXT NOT NULL,
  ended_at BIGINT,
  ended_by TEXT NOT NULL DEFAULT '',
  ending {key}
);
CREATE UNIQUE INDEX replay_jobs_live ON replay_jobs (subscription_id) WHERE ended_at IS NULL;
CREATE INDEX replay_jobs_of_subscription ON replay_jobs (subscription_id, id);
)";

} // namespace

const migration replay_jobs{11, "window replays as jobs", replay_jobs_table, {}, {}};

} // namespace sluice::storage
