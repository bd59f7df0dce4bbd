#include "actors/reader.hpp"
#include "storage/intents.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/provider_profiles.hpp"
#include "storage/reconciliation_targets.hpp"

#include <utility>

// What the sending of notifications and reconciliation ask a reader.

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

constexpr std::int64_t profiles_at_once = 1000;

/// The version comes first: a profile that changes behind it is seen as changed the next time.
result<m::notification_dues_listed> dues_of(session& db) {
  auto version = storage::profiles_version(db);
  if (!version)
    return std::unexpected{version.error()};
  auto dues = storage::all_next_notification_due(db);
  if (!dues)
    return std::unexpected{dues.error()};
  return m::notification_dues_listed{std::move(*dues), *version};
}

result<m::living_profiles_listed> living_profiles(session& db) {
  m::living_profiles_listed answer;
  core::profile_page page;
  page.limit = profiles_at_once;
  for (;;) {
    auto found = storage::list_profiles(db, page);
    if (!found)
      return std::unexpected{found.error()};
    for (const auto& each : *found)
      answer.profiles.push_back(each.profile.id);
    if (std::ssize(*found) < page.limit)
      return answer;
    page.after_id = found->back().profile.id;
  }
}

} // namespace

caf::result<m::notification_dues_listed> reader_state::on_list_notification_dues() {
  return with_session([](session& db) { return dues_of(db); });
}

caf::result<m::profile_opened> reader_state::on_open_profile(const m::open_profile& ask) {
  return with_session([&](session& db) {
    return carried<m::profile_opened>(storage::load_profile(db, ask.profile, *resources_.keys));
  });
}

caf::result<m::due_targets_listed> reader_state::on_list_due_targets(const m::list_due_targets& ask) {
  return with_session([&](session& db) {
    return carried<m::due_targets_listed>(
        storage::due_reconciliation_targets(db, ask.limit, *resources_.keys, resources_.time->wall()));
  });
}

caf::result<m::rules_of_due_creates> reader_state::on_list_rules_of_due_creates() {
  return with_session([&](session& db) {
    return carried<m::rules_of_due_creates>(storage::rules_of_due_creates(db, resources_.time->wall()));
  });
}

caf::result<m::living_profiles_listed> reader_state::on_list_living_profiles() {
  return with_session([](session& db) { return living_profiles(db); });
}

} // namespace sluice::actors
