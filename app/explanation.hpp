#pragma once

#include "core/cursor.hpp"
#include "core/decide.hpp"
#include "core/ledger.hpp"
#include "core/rule.hpp"
#include "storage/runs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::app {

/// What is known of one record under one rule when somebody asks.
struct explanation_facts {
  core::sync_rule rule;
  core::connection source;
  core::connection target;
  std::string source_id;
  std::optional<core::mirror_record> record;
  std::optional<core::ledger_row> row;
  std::optional<core::intent> intent;
  std::optional<core::delivery_cursor> cursor;
  std::optional<storage::listed_run> latest_run;
  std::optional<core::timestamp> blocked_until; ///< the target connection's 429 block
  core::timestamp now{};
};

/// What the rule would do with the record now, by the same decision the node takes; nothing without a record.
/// `why` is the filter's or the mapping's reason where one of them is it.
struct verdict {
  core::action what = core::action::skip;
  std::string why;
};
[[nodiscard]] std::optional<verdict> judge(const explanation_facts& facts);

/// Sentences for people, the most important first: where the record is, why, and what happens next.
[[nodiscard]] std::vector<std::string> explain_record(const explanation_facts& facts);

} // namespace sluice::app
