#pragma once

#include "core/reconciliation_item.hpp"
#include "storage/soci_session.hpp"

#include <optional>
#include <string>
#include <string_view>

// Columns of reconciliation_targets, which every reader of it selects alike.

namespace sluice::storage {

/// Of a target `r` and, where it is an attempt, of that attempt `a`.
inline constexpr std::string_view reconciliation_columns =
    "r.kind, r.subject_id, r.profile_id, r.since, r.looks, r.last_look_at, r.next_look_at, r.verdict, "
    "r.needs_person, a.notification_id, a.number";

/// Puts them into an item, row after row.
class reconciliation_columns_target {
public:
  explicit reconciliation_columns_target(core::reconciliation_item& item) : item_(item) {}

  void bind(query& rows);
  /// False: a join has found no target.
  bool take();

private:
  core::reconciliation_item& item_;
  std::string kind_;
  std::optional<std::string> verdict_;
};

} // namespace sluice::storage
