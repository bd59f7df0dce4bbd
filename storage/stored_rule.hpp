#pragma once

#include "core/rule.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// A rule as its row holds it, with what an apply compares.
struct stored_rule {
  core::sync_rule rule;
  std::string source_name;
  std::string target_name;
  std::string source_tenant;
  std::string target_tenant;
  core::timestamp updated_at{};
  std::optional<core::timestamp> deleted_at;
  bool has_cursor = false;

  [[nodiscard]] bool deleted() const noexcept { return deleted_at.has_value(); }
};

/// In the order of their names, deleted ones included.
[[nodiscard]] result<std::vector<stored_rule>> read_rules(session& db);
[[nodiscard]] result<std::optional<stored_rule>> read_rule(session& db, std::string_view name);
[[nodiscard]] result<std::optional<stored_rule>> read_rule(session& db, core::rule_id id);

} // namespace sluice::storage
