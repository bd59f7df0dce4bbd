#pragma once

#include "app/finding.hpp"
#include "config/settings.hpp"
#include "core/time.hpp"
#include "storage/checkup.hpp"
#include "storage/lease.hpp"
#include "storage/schema.hpp"

#include <optional>

namespace sluice::app {

[[nodiscard]] finding judge_schema(const storage::schema_versions& versions);
[[nodiscard]] findings judge_sqlite(const storage::sqlite_facts& facts);
[[nodiscard]] findings judge_postgresql(const storage::postgresql_facts& facts,
                                        const config::settings& settings);
[[nodiscard]] finding judge_deviations(const std::vector<storage::schema_deviation>& deviations);

/// Who works on the database.
struct node_facts {
  std::optional<std::string> lock_holder;    ///< SQLite: the process that has the file
  std::optional<storage::lease_state> lease; ///< PostgreSQL
  std::optional<core::duration> heartbeat;   ///< how old the dispatcher's sign of life is

  [[nodiscard]] bool running() const;
};
[[nodiscard]] finding judge_node(const node_facts& node, const config::settings& settings);

} // namespace sluice::app
