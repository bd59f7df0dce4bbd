#pragma once

#include "core/provider_report.hpp"
#include "storage/provider_events.hpp"
#include "tests/storage/world.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

inline constexpr core::provider_profile_id mailer{7}; ///< a profile of tenant "acme"
inline constexpr core::provider_profile_id other_mailer{8};

/// A world with two tenants, "acme" and "globex", whose providers tell things. Each step is a transaction of
/// its own.
struct provider_world : world {
  explicit provider_world(storage::engine kind) : world(kind) {
    execute("INSERT INTO tenants (name, public_id, created_at) VALUES ('acme', 'a', 1), ('globex', 'g', 1)");
  }

  static core::provider_event event(core::provider_event_type type, const std::string& event_id,
                                    const std::string& message = "m-1",
                                    std::optional<core::timestamp> occurred_at = at()) {
    core::provider_event made;
    made.event_id = event_id;
    made.provider_message_id = message;
    made.type = type;
    made.provider_type = core::to_string(type);
    made.occurred_at = occurred_at;
    return made;
  }

  static core::provider_report report(std::vector<core::provider_event> events,
                                      const std::string& body = R"({"to":"person@example.com"})") {
    core::provider_report made;
    made.profile = mailer;
    made.tenant = "acme";
    made.received_at = at(1);
    made.body = body;
    made.events = std::move(events);
    return made;
  }

  storage::result<core::reports_appended> try_append(storage::session& in,
                                                     const std::vector<core::provider_report>& reports) {
    return storage::transact(
        in, [&](storage::session& within) { return storage::append_reports(within, reports, keys()); });
  }

  core::reports_appended append(const std::vector<core::provider_report>& reports) {
    return must(try_append(db(), reports));
  }

  core::reports_appended append(const core::provider_event& one) { return append({report({one})}); }

  core::events_projected project(std::int64_t limit = 1000, core::timestamp now = at(2)) {
    return committed(db(), [&](storage::session& in) {
      return storage::project_events(in, limit, core::reconciliation_schedule{}, now);
    });
  }

  /// The row of an attempt, as a notifier writes it; the id of its notification is the same.
  static std::string attempt_row(std::int64_t id, const std::string& message,
                                 core::provider_profile_id profile = mailer) {
    return "INSERT INTO notification_attempts (id, public_id, notification_id, number, profile_id, state, "
           "submitted_at, provider_message_id) VALUES ("
           + std::to_string(id) + ", '" + attempt_name(id) + "', " + std::to_string(id) + ", 1, "
           + std::to_string(profile.value) + ", 'accepted', 1, '" + message + "')";
  }

  static std::string attempt_name(std::int64_t id) { return "attempt-" + std::to_string(id); }

  void attempt(std::int64_t id, const std::string& message = "", core::provider_profile_id profile = mailer) {
    execute(attempt_row(id, message, profile));
  }

  std::int64_t match_early(std::int64_t id, const std::string& message = "",
                           core::provider_profile_id profile = mailer) {
    const std::vector<core::named_attempt> named{{attempt_name(id), profile, message}};
    return committed(db(), [&](storage::session& in) { return storage::match_early_events(in, named); });
  }

  /// What became of the attempts up to this one, by their ids.
  std::map<std::int64_t, core::projection> projections(std::int64_t last = 100) {
    std::vector<core::notification_attempt_id> ids;
    for (std::int64_t id = 1; id <= last; ++id)
      ids.push_back({id});
    std::map<std::int64_t, core::projection> found;
    for (const auto& one : must(storage::read_projections(db(), ids)))
      found[one.attempt.value] = one.told;
    return found;
  }

  std::optional<core::provider_event_type> state_of(std::int64_t attempt) {
    return projections(attempt)[attempt].state;
  }

  /// From the first attempt to the last, in batches.
  std::int64_t rebuild(std::int64_t limit) {
    core::projections_rebuilt step;
    std::int64_t events = 0;
    for (int calls = 0; calls < 1000 && !step.through; ++calls) {
      const auto after = step.upto;
      step = committed(
          db(), [&](storage::session& in) { return storage::rebuild_projections(in, after, limit, at(50)); });
      events += step.events;
    }
    CHECK(step.through);
    return events;
  }

  [[nodiscard]] std::string count(const std::string& what) const {
    return value("SELECT count(*) FROM " + what);
  }
};

} // namespace sluice::tests
