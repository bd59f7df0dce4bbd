#include "actors/notification_registrar.hpp"

#include "actors/act_audit.hpp"
#include "actors/writer_session.hpp"
#include "core/name_fault.hpp"
#include "storage/notification_routes.hpp"
#include "storage/provider_profiles.hpp"
#include "storage/resealing.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

storage::failure gone(const std::string& kind, const std::string& public_id) {
  return {storage::error::not_found, "there is no " + kind + " \"" + public_id + '"'};
}

/// Of a removal: false is that somebody else was first.
result<m::thing_removed> removal_of(const result<bool>& removed, const std::string& kind,
                                    const std::string& public_id) {
  if (!removed)
    return std::unexpected{removed.error()};
  if (!*removed)
    return std::unexpected{gone(kind, public_id)};
  return m::thing_removed{};
}

std::vector<std::string> profile_faults(const core::provider_profile& profile, const adapter_maker& make) {
  std::vector<std::string> faults;
  if (auto fault = core::name_fault(profile.name, core::profile_name_bytes_max))
    faults.push_back("name: " + *fault);
  if (auto made = make(profile); !made)
    faults.insert(faults.end(), made.error().begin(), made.error().end());
  return faults;
}

/// What is written, with the credentials it will have: those that are there, where none are sent.
result<core::provider_profile> judged(session& db, const core::profile_change& change,
                                      const crypto::key_ring& keys) {
  auto written = change.written;
  if (!change.keeps_credentials)
    return written;
  auto stored = storage::load_profile(db, written.id, keys);
  if (!stored)
    return std::unexpected{std::move(stored.error())};
  if (!*stored)
    return std::unexpected{gone("profile", written.public_id)};
  written.credentials = std::move((*stored)->credentials);
  return written;
}

result<m::profile_written> written(result<core::profile_record> record) {
  if (!record)
    return std::unexpected{std::move(record.error())};
  return m::profile_written{{}, std::move(*record)};
}

} // namespace

m::notification_registrar::behavior_type
notification_registrar_state::behavior(notification_registrar_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::make_profile& ask) { return on_make_profile(ask); },
      [this](const m::change_profile& ask) { return on_change_profile(ask); },
      [this](const m::remove_profile& ask) { return on_remove_profile(ask); },
      [this](const m::make_route& ask) { return on_make_route(ask); },
      [this](const m::change_route& ask) { return on_change_route(ask); },
      [this](const m::remove_route& ask) { return on_remove_route(ask); },
      [this](const m::find_or_make_contact& ask) { return on_find_or_make_contact(ask); },
      [this](const m::reveal_contact& ask) { return on_reveal(ask); },
      [this](const m::suppress_contact& ask) { return on_suppress(ask); },
      [this](const m::lift_contact& ask) { return on_lift(ask); },
      [this](const m::remove_contact& ask) { return on_remove_contact(ask); },
      [this](const m::post_notification& ask) { return on_post(ask); },
      [this](const m::reseal_step& ask) { return on_reseal(ask); },
  };
}

caf::result<m::profile_written> notification_registrar_state::on_make_profile(const m::make_profile& ask) {
  if (auto faults = profile_faults(ask.wanted, resources_.make_adapter); !faults.empty())
    return m::profile_written{std::move(faults), {}};
  return in_transaction(*resources_.db, [&](session& db) -> result<m::profile_written> {
    auto made = storage::make_profile(db, ask.wanted, *resources_.keys, now());
    const auto public_id = made ? made->profile.public_id : std::string{};
    return audited(db, written(std::move(made)), {ask.by, "make_profile", public_id, ask.wanted.tenant},
                   now());
  });
}

caf::result<m::profile_written>
notification_registrar_state::on_change_profile(const m::change_profile& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<m::profile_written> {
    const auto& wanted = ask.change.written;
    const auto whole = judged(db, ask.change, *resources_.keys);
    if (!whole)
      return std::unexpected{whole.error()};
    if (auto faults = profile_faults(*whole, resources_.make_adapter); !faults.empty())
      return m::profile_written{std::move(faults), {}};
    return audited(db, written(storage::change_profile(db, ask.change, *resources_.keys, now())),
                   {ask.by, "change_profile", wanted.public_id, wanted.tenant}, now());
  });
}

caf::result<m::thing_removed> notification_registrar_state::on_remove_profile(const m::remove_profile& ask) {
  const auto& which = ask.which.profile;
  return in_transaction(*resources_.db, [&](session& db) {
    return audited(
        db,
        removal_of(storage::remove_profile(db, {which.id, ask.revision}, now()), "profile", which.public_id),
        {ask.by, "remove_profile", which.public_id, which.tenant}, now());
  });
}

caf::result<core::notification_route> notification_registrar_state::on_make_route(const m::make_route& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    auto made = storage::make_notification_route(db, ask.wanted, now());
    const auto public_id = made ? made->public_id : std::string{};
    return audited(db, std::move(made), {ask.by, "make_route", public_id, ask.wanted.tenant}, now());
  });
}

caf::result<core::notification_route>
notification_registrar_state::on_change_route(const m::change_route& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    return audited(db, storage::change_notification_route(db, ask.written, now()),
                   {ask.by, "change_route", ask.written.public_id, ask.written.tenant}, now());
  });
}

caf::result<m::thing_removed> notification_registrar_state::on_remove_route(const m::remove_route& ask) {
  const auto& which = ask.which;
  return in_transaction(*resources_.db, [&](session& db) {
    return audited(db,
                   removal_of(storage::remove_notification_route(db, {which.id, ask.revision}, now()),
                              "route", which.public_id),
                   {ask.by, "remove_route", which.public_id, which.tenant}, now());
  });
}

/// A pass begins once a thing and key, and that is what the audit has; the steps behind it are the pass.
caf::result<core::resealing_step> notification_registrar_state::on_reseal(const m::reseal_step& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<core::resealing_step> {
    auto step = storage::reseal(db, ask.order, keys());
    if (ask.order.after_id != 0)
      return step;
    const auto what = std::string{core::to_string(ask.order.thing)} + " " + ask.order.key;
    return audited(db, std::move(step), {ask.by, "rotate_key", what, {}}, now());
  });
}

m::notification_registrar::behavior_type
notification_registrar(m::notification_registrar::stateful_pointer<notification_registrar_state> self,
                       notification_registrar_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
