#include "actors/act_audit.hpp"
#include "actors/notification_registrar.hpp"
#include "actors/writer_session.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

storage::failure gone(const core::contact_record& which) {
  return {storage::error::not_found, "there is no contact point \"" + which.public_id + '"'};
}

person_act act_on(const core::contact_record& which, const std::string& by, const std::string& act) {
  return {by, act, which.public_id, which.tenant};
}

/// As it is once `done` is.
result<core::contact_record> after(session& db, const result<bool>& done, const core::contact_record& which) {
  if (!done)
    return std::unexpected{done.error()};
  auto now = storage::find_contact_point(db, which.public_id, core::tenant_scope{});
  if (!now)
    return std::unexpected{std::move(now.error())};
  if (!*now)
    return std::unexpected{gone(which)};
  return std::move(**now);
}

} // namespace

caf::result<core::found_contact>
notification_registrar_state::on_find_or_make_contact(const m::find_or_make_contact& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    return storage::find_or_create_contact_point(db, ask.wish, keys(), now());
  });
}

caf::result<core::opened_contact> notification_registrar_state::on_reveal(const m::reveal_contact& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<core::opened_contact> {
    auto opened = storage::open_contact_point(db, ask.which.id, *resources_.keys);
    if (!opened)
      return std::unexpected{std::move(opened.error())};
    if (!*opened)
      return std::unexpected{gone(ask.which)};
    return audited(db, result<core::opened_contact>{std::move(**opened)},
                   act_on(ask.which, ask.by, "reveal_contact_point"), now());
  });
}

caf::result<core::contact_record> notification_registrar_state::on_suppress(const m::suppress_contact& ask) {
  const core::contact_suppression told{core::suppression_reason::person, ask.detail, now(), ask.by, {}};
  return in_transaction(*resources_.db, [&](session& db) {
    return after(db, storage::suppress_contact_point(db, ask.which.id, told), ask.which);
  });
}

caf::result<core::contact_record> notification_registrar_state::on_lift(const m::lift_contact& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    return after(db, storage::lift_suppression(db, {ask.which.id, ask.by, ask.note}, now()), ask.which);
  });
}

caf::result<m::thing_removed> notification_registrar_state::on_remove_contact(const m::remove_contact& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<m::thing_removed> {
    const auto removed = storage::remove_contact_point(db, ask.which.id, now());
    if (!removed)
      return std::unexpected{removed.error()};
    if (!*removed)
      return std::unexpected{gone(ask.which)};
    return audited(db, result<m::thing_removed>{m::thing_removed{}},
                   act_on(ask.which, ask.by, "remove_contact_point"), now());
  });
}

} // namespace sluice::actors
