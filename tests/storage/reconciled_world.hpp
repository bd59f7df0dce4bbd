#pragma once

#include "storage/reconciliation_targets.hpp"
#include "tests/storage/notification_world.hpp"

#include <string>
#include <vector>

namespace sluice::tests {

/// Notifications whose outcome is not known, and what is done about them.
struct reconciled_world : notification_world {
  using notification_world::notification_world;

  /// Became ambiguous at second 2.
  core::notification_record doubted() {
    auto made = sent();
    record(made, core::ambiguous_end());
    return made;
  }

  core::reconciliation_key
  key_of(const core::notification_record& of,
         core::reconciliation_target kind = core::reconciliation_target::ambiguous_submission) {
    return {kind, attempts(of).back().id.value};
  }

  std::vector<core::reconciliation_question> due(double seconds) {
    return must(storage::due_reconciliation_targets(db(), 100, sealing, at(seconds)));
  }

  core::look_recorded look(const core::reconciliation_key& key, core::reconciliation_verdict said,
                           double seconds, const std::string& message = "") {
    return committed(db(), [&](storage::session& in) {
      return storage::record_look(in, {key, said, message}, {}, at(seconds));
    });
  }

  core::overdue_found search(double until, core::overdue_position after = {}, std::int64_t limit = 100) {
    core::overdue_search wanted;
    wanted.profiles = {mail};
    wanted.until = at(until);
    wanted.after = after;
    wanted.limit = limit;
    return committed(
        db(), [&](storage::session& in) { return storage::add_overdue_callbacks(in, wanted, at(until)); });
  }

  core::unsettled_counts unsettled(const core::tenant_scope& tenants = {}, double now = 10) {
    return must(storage::count_unsettled(db(), tenants, at(now)));
  }

  core::notification_standing standing(const core::notification_record& one) {
    const auto found = must(storage::read_notification_standings(db(), {&one.id, 1}));
    return found.empty() ? core::notification_standing{} : found.front();
  }
};

} // namespace sluice::tests
