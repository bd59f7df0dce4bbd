#include "actors/notification_overview.hpp"

#include "storage/callback_refusals.hpp"
#include "storage/contact_points.hpp"
#include "storage/notification_routes.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"
#include "storage/provider_profiles.hpp"
#include "storage/reconciliation_targets.hpp"
#include "storage/resealing.hpp"
#include "storage/waiting_rows.hpp"

#include <set>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

constexpr std::int64_t attempts_max = 1000; ///< of one notification that are shown

/// The live profiles that rows name, each once.
template <class Row>
result<std::vector<core::profile_record>> profiles_of(session& db, const std::vector<Row>& rows) {
  std::set<core::provider_profile_id> ids;
  for (const auto& row : rows)
    if (row.profile)
      ids.insert(row.profile);
  std::vector<core::profile_record> found;
  for (const auto id : ids) {
    core::profile_page page;
    page.after_id = {id.value - 1};
    page.limit = 1;
    auto next = storage::list_profiles(db, page);
    if (!next)
      return std::unexpected{std::move(next.error())};
    if (!next->empty() && next->front().profile.id == id)
      found.push_back(std::move(next->front()));
  }
  return found;
}

/// The rows with their profiles, as the message that carries both.
template <class Answer, class Row>
result<Answer> with_profiles(session& db, result<std::vector<Row>> rows) {
  if (!rows)
    return std::unexpected{std::move(rows.error())};
  auto profiles = profiles_of(db, *rows);
  if (!profiles)
    return std::unexpected{std::move(profiles.error())};
  return Answer{std::move(*rows), std::move(*profiles)};
}

result<m::notification_found> notification_of(session& db, const m::find_notification& ask) {
  auto record =
      found(storage::find_notification(db, ask.public_id, ask.tenants), "notification", ask.public_id);
  if (!record)
    return std::unexpected{std::move(record.error())};
  auto attempts = storage::list_notification_attempts(db, record->id, 0, attempts_max);
  if (!attempts)
    return std::unexpected{std::move(attempts.error())};
  auto standings = storage::read_notification_standings(db, {&record->id, 1});
  if (!standings)
    return std::unexpected{std::move(standings.error())};
  auto standing = standings->empty() ? core::notification_standing{} : std::move(standings->front());
  return m::notification_found{std::move(*record), std::move(*attempts), std::move(standing)};
}

result<m::notifications_listed> notifications_of(session& db, const core::notification_page& page) {
  auto listed = storage::list_notifications(db, page);
  if (!listed)
    return std::unexpected{std::move(listed.error())};
  std::vector<core::notification_id> ids;
  for (const auto& one : *listed)
    ids.push_back(one.id);
  auto standings = storage::read_notification_standings(db, ids);
  if (!standings)
    return std::unexpected{std::move(standings.error())};
  return m::notifications_listed{std::move(*listed), std::move(*standings)};
}

std::vector<std::string> names_of(const crypto::key_ring& ring) {
  std::vector<std::string> names;
  for (const auto& key : ring.keys())
    names.push_back(key.name());
  return names;
}

} // namespace

m::notification_overview::behavior_type
notification_overview_state::behavior(notification_overview_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::find_profile& ask) { return on_find_profile(ask); },
      [this](const m::list_profiles& ask) { return on_list_profiles(ask); },
      [this](const m::find_route& ask) { return on_find_route(ask); },
      [this](const m::list_notification_routes& ask) { return on_list_routes(ask); },
      [this](const m::find_contact& ask) { return on_find_contact(ask); },
      [this](const m::list_contacts& ask) { return on_list_contacts(ask); },
      [this](const m::find_notification& ask) { return on_find(ask); },
      [this](const m::list_notifications& ask) { return on_list(ask); },
      [this](const m::list_provider_events& ask) { return on_list_events(ask); },
      [this](const m::list_callback_refusals& ask) { return on_list_refusals(ask); },
      [this](const m::list_unsettled& ask) { return on_list_unsettled(ask); },
      [this](const m::list_lapsed& ask) { return on_list_lapsed(ask); },
      [this](const m::list_unknown_creates& ask) { return on_list_unknown_creates(ask); },
      [this](const m::count_unsettled& ask) { return on_count_unsettled(ask); },
      [this](const m::count_key_uses&) { return on_count_key_uses(); },
  };
}

caf::result<core::profile_record> notification_overview_state::on_find_profile(const m::find_profile& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return found(storage::find_profile(db, ask.public_id, ask.tenants), "profile", ask.public_id);
  });
}

caf::result<m::profiles_listed> notification_overview_state::on_list_profiles(const m::list_profiles& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::profiles_listed>(storage::list_profiles(db, ask.page));
  });
}

caf::result<core::notification_route> notification_overview_state::on_find_route(const m::find_route& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return found(storage::find_notification_route(db, ask.public_id, ask.tenants), "route", ask.public_id);
  });
}

caf::result<m::notification_routes_listed>
notification_overview_state::on_list_routes(const m::list_notification_routes& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::notification_routes_listed>(storage::list_notification_routes(db, ask.page));
  });
}

caf::result<core::contact_record> notification_overview_state::on_find_contact(const m::find_contact& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return found(storage::find_contact_point(db, ask.public_id, ask.tenants), "contact point", ask.public_id);
  });
}

caf::result<m::contacts_listed> notification_overview_state::on_list_contacts(const m::list_contacts& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::contacts_listed>(storage::list_contact_points(db, ask.page));
  });
}

caf::result<m::notification_found> notification_overview_state::on_find(const m::find_notification& ask) {
  return with_session(*resources_.db, [&](session& db) { return notification_of(db, ask); });
}

caf::result<m::notifications_listed> notification_overview_state::on_list(const m::list_notifications& ask) {
  return with_session(*resources_.db, [&](session& db) { return notifications_of(db, ask.page); });
}

caf::result<m::provider_events_listed>
notification_overview_state::on_list_events(const m::list_provider_events& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return with_profiles<m::provider_events_listed>(db, storage::list_provider_events(db, ask.page));
  });
}

caf::result<m::callback_refusals_listed>
notification_overview_state::on_list_refusals(const m::list_callback_refusals& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return with_profiles<m::callback_refusals_listed>(db, storage::list_callback_refusals(db, ask.page));
  });
}

caf::result<m::unsettled_listed>
notification_overview_state::on_list_unsettled(const m::list_unsettled& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::unsettled_listed>(storage::list_reconciliation_targets(db, ask.page));
  });
}

caf::result<m::lapsed_listed> notification_overview_state::on_list_lapsed(const m::list_lapsed& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::lapsed_listed>(storage::list_lapsed_attempts(db, ask.page));
  });
}

caf::result<m::unknown_creates_listed>
notification_overview_state::on_list_unknown_creates(const m::list_unknown_creates& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::unknown_creates_listed>(storage::list_unknown_creates(db, ask.page));
  });
}

caf::result<core::unsettled_counts>
notification_overview_state::on_count_unsettled(const m::count_unsettled& ask) {
  return with_session(*resources_.db,
                      [&](session& db) { return storage::count_unsettled(db, ask.tenants, ask.now); });
}

caf::result<m::key_uses_counted> notification_overview_state::on_count_key_uses() {
  return with_session(*resources_.db, [&](session& db) -> result<m::key_uses_counted> {
    auto uses = storage::count_key_uses(db);
    if (!uses)
      return std::unexpected{std::move(uses.error())};
    return m::key_uses_counted{std::move(*uses), names_of(*resources_.keys),
                               names_of(*resources_.fingerprints)};
  });
}

m::notification_overview::behavior_type
notification_overview(m::notification_overview::stateful_pointer<notification_overview_state> self,
                      notification_overview_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
