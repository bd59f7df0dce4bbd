#include "actors/notification_registrar.hpp"
#include "actors/writer_session.hpp"
#include "storage/notification_routes.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_profiles.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

result<m::notification_posted> missing(const std::string& kind, const std::string& name) {
  return std::unexpected{
      storage::failure{storage::error::not_found, "there is no " + kind + " \"" + name + '"'}};
}

/// Nothing points anywhere yet: that is looked up once it is clear that the key is new.
core::notification_wish wish_of(const m::post_notification& ask) {
  core::notification_wish wish;
  wish.tenant = ask.tenant;
  wish.idempotency_key = ask.idempotency_key;
  wish.request_digest = ask.request_digest;
  wish.content = ask.content;
  wish.expires_at = ask.expires_at;
  return wish;
}

/// Storage refuses one thing alone: that the key was used for another request.
result<m::notification_posted> posted_of(result<core::made_notification> made) {
  if (made)
    return m::notification_posted{{}, false, std::move(*made)};
  if (made.error().code == storage::error::refused)
    return m::notification_posted{{}, true, {}};
  return std::unexpected{std::move(made.error())};
}

result<std::optional<core::notification_route>> route_of(session& db, const m::post_notification& ask) {
  auto named = storage::find_notification_route_named(db, ask.tenant, ask.route);
  if (!named || *named)
    return named;
  return storage::find_notification_route(db, ask.route, core::tenant_scope{{{ask.tenant}}});
}

result<std::optional<core::opened_contact>> contact_of(session& db, const m::post_notification& ask,
                                                       const crypto::key_ring& keys) {
  const auto found = storage::find_contact_point(db, ask.contact, core::tenant_scope{{{ask.tenant}}});
  if (!found)
    return std::unexpected{found.error()};
  if (!*found)
    return std::nullopt;
  return storage::open_contact_point(db, (*found)->id, keys);
}

std::vector<std::string> faults_at(const providers::notification_adapter& adapter,
                                   const core::submission_order& order) {
  const auto& kinds = adapter.traits().contacts;
  if (std::ranges::find(kinds, order.contact.kind) == kinds.end())
    return {"it reaches no " + std::string{core::to_string(order.contact.kind)}};
  return adapter.faults_of(order);
}

} // namespace

result<void> notification_registrar_state::renew_adapters(session& db) {
  const auto version = storage::profiles_version(db);
  if (!version)
    return std::unexpected{version.error()};
  if (*version != adapters_version_)
    adapters_.clear();
  adapters_version_ = *version;
  return {};
}

result<notification_registrar_state::made_adapter>
notification_registrar_state::adapter_of(session& db, const core::route_step& step) {
  if (const auto known = adapters_.find(step.id); known != adapters_.end())
    return known->second;
  const auto profile = storage::load_profile(db, step.id, *resources_.keys);
  if (!profile)
    return std::unexpected{profile.error()};
  auto made = *profile ? resources_.make_adapter(**profile)
                       : made_adapter{std::unexpected{std::vector<std::string>{"it was removed"}}};
  return adapters_.emplace(step.id, std::move(made)).first->second;
}

result<std::vector<std::string>>
notification_registrar_state::faults_of(session& db, const core::notification_route& route,
                                        const core::opened_contact& contact,
                                        const m::post_notification& ask) {
  if (auto renewed = renew_adapters(db); !renewed)
    return std::unexpected{renewed.error()};
  const core::submission_order order{{}, {}, contact.address, ask.content, ask.expires_at};
  std::vector<std::string> all;
  for (const auto& step : route.steps) {
    const auto adapter = adapter_of(db, step);
    if (!adapter)
      return std::unexpected{adapter.error()};
    for (const auto& fault : *adapter ? faults_at(***adapter, order) : adapter->error())
      all.push_back("profile \"" + step.profile + "\": " + fault);
  }
  return all;
}

/// In a transaction of its own, which ends with it: what it does not find is a failure to storage.
result<std::optional<m::notification_posted>>
notification_registrar_state::posted_before(session& db, const m::post_notification& ask) {
  if (ask.idempotency_key.empty())
    return std::nullopt;
  auto looked = posted_of(storage::transact(db, [&](session& open) {
    return storage::make_notification(open, wish_of(ask), *resources_.keys, now());
  }));
  if (looked)
    return std::move(*looked);
  if (looked.error().code == storage::error::not_found)
    return std::nullopt;
  return std::unexpected{std::move(looked.error())};
}

result<m::notification_posted> notification_registrar_state::post(session& db,
                                                                  const m::post_notification& ask) {
  const auto contact = contact_of(db, ask, *resources_.keys);
  if (!contact)
    return std::unexpected{contact.error()};
  if (!*contact)
    return missing("contact point", ask.contact);
  const auto route = route_of(db, ask);
  if (!route)
    return std::unexpected{route.error()};
  if (!*route)
    return missing("route", ask.route);
  auto faults = faults_of(db, **route, **contact, ask);
  if (!faults)
    return std::unexpected{std::move(faults.error())};
  if (!faults->empty())
    return m::notification_posted{std::move(*faults), false, {}};
  auto wish = wish_of(ask);
  wish.contact = (*contact)->record.id;
  wish.route = (*route)->id;
  return posted_of(storage::make_notification(db, wish, *resources_.keys, now()));
}

/// What was asked for before is answered as before, whatever became of contact point, route and profiles.
caf::result<m::notification_posted> notification_registrar_state::on_post(const m::post_notification& ask) {
  return with_writer(*resources_.db, [&](session& db) -> result<m::notification_posted> {
    auto before = posted_before(db, ask);
    if (!before)
      return std::unexpected{std::move(before.error())};
    if (*before)
      return std::move(**before);
    return storage::transact(db, [&](session& open) { return post(open, ask); });
  });
}

} // namespace sluice::actors
