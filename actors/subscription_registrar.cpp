#include "actors/subscription_registrar.hpp"

#include "actors/act_audit.hpp"
#include "actors/webhook_keys.hpp"
#include "actors/writer_session.hpp"
#include "storage/events.hpp"
#include "storage/pull.hpp"
#include "storage/subscriptions.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

constexpr auto test_type = "sluice.test";

m::named_subscription name_of(const core::subscription& one) {
  return {one.id, one.public_id, one.tenant};
}

person_act act_on(const m::named_subscription& which, const std::string& by, const std::string& act) {
  return {by, act, which.public_id, which.tenant};
}

/// Of the one that signs now, where nothing else is asked for.
result<m::signing> signing_to_rotate_to(session& db, const m::rotate_secret& ask,
                                        const crypto::key_ring& keys) {
  if (ask.signed_by)
    return *ask.signed_by;
  const auto served = storage::load_subscription(db, ask.which.id, keys);
  if (!served)
    return std::unexpected{served.error()};
  if (!*served || (*served)->secrets.empty())
    return m::signing::hmac_sha256; // storage says that there is nothing to rotate
  return signing_of((*served)->secrets.front().text).value_or(m::signing::hmac_sha256);
}

m::secret_rotated rotation_of(const std::vector<core::signing_secret>& secrets, const std::string& fresh,
                              core::timestamp now) {
  m::secret_rotated done{verification_key_of(fresh), 0, {}};
  for (const auto& one : secrets) {
    done.signing += one.signs(now) ? 1 : 0;
    if (one.expires_at && (!done.overlap_until || *one.expires_at > *done.overlap_until))
      done.overlap_until = one.expires_at;
  }
  return done;
}

core::event_to_publish test_event(const m::named_subscription& which, core::timestamp now) {
  core::event_to_publish made;
  made.tenant = which.tenant;
  made.kind = core::event_kind::test;
  made.type = test_type;
  made.body = R"({"type":")" + made.type + R"(","timestamp":")" + core::to_rfc3339(now)
              + R"(","data":{"subscription":")" + which.public_id + R"("}})";
  made.only = which.id;
  return made;
}

storage::failure gone(const m::named_subscription& which) {
  return {storage::error::not_found, "there is no subscription \"" + which.public_id + '"'};
}

} // namespace

m::subscription_registrar::behavior_type
subscription_registrar_state::behavior(subscription_registrar_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::make_subscription& ask) { return on_make(ask); },
      [this](const m::change_subscription& ask) { return on_change(ask); },
      [this](const m::remove_subscription& ask) { return on_remove(ask); },
      [this](const m::rotate_secret& ask) { return on_rotate(ask); },
      [this](const m::publish_event& ask) { return on_publish(ask); },
      [this](const m::send_test_event& ask) { return on_test(ask); },
      [this](const m::read_pull& ask) { return on_read_pull(ask); },
      [this](const m::advance_cursor& ask) { return on_advance(ask); },
  };
}

caf::result<m::subscription_made> subscription_registrar_state::on_make(const m::make_subscription& ask) {
  const auto pushes = ask.wanted.mode == core::subscription_mode::push;
  const auto secret = pushes ? make_secret(ask.signed_by) : std::string{};
  return in_transaction(*resources_.db, [&](session& db) -> result<m::subscription_made> {
    auto made = storage::make_subscription(db, ask.wanted, secret, *resources_.keys, now());
    if (!made)
      return std::unexpected{made.error()};
    if (auto kept = audit(db, act_on(name_of(*made), ask.by, "make_subscription"), now()); !kept)
      return std::unexpected{kept.error()};
    return m::subscription_made{std::move(*made), verification_key_of(secret)};
  });
}

caf::result<core::subscription> subscription_registrar_state::on_change(const m::change_subscription& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    return audited(db, storage::change_subscription(db, ask.written, *resources_.keys, now()),
                   act_on(name_of(ask.written), ask.by, "change_subscription"), now());
  });
}

caf::result<m::subscription_removed>
subscription_registrar_state::on_remove(const m::remove_subscription& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<m::subscription_removed> {
    const auto removed = storage::remove_subscription(db, {ask.which.id, ask.by, ask.revision}, now());
    if (!removed)
      return std::unexpected{removed.error()};
    if (!*removed)
      return std::unexpected{gone(ask.which)};
    return audited(db, result<m::subscription_removed>{m::subscription_removed{}},
                   act_on(ask.which, ask.by, "remove_subscription"), now());
  });
}

caf::result<m::secret_rotated> subscription_registrar_state::on_rotate(const m::rotate_secret& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<m::secret_rotated> {
    const auto signed_by = signing_to_rotate_to(db, ask, *resources_.keys);
    if (!signed_by)
      return std::unexpected{signed_by.error()};
    const auto fresh = make_secret(*signed_by);
    const auto secrets =
        storage::rotate_secret(db, ask.which.id, fresh, resources_.secret_overlap, *resources_.keys, now());
    if (!secrets)
      return std::unexpected{secrets.error()};
    return audited(db, result<m::secret_rotated>{rotation_of(*secrets, fresh, now())},
                   act_on(ask.which, ask.by, "rotate_secret"), now());
  });
}

caf::result<m::event_published> subscription_registrar_state::on_publish(const m::publish_event& ask) {
  const auto publish = [&](session& db) { return storage::publish_event(db, ask.wanted, now()); };
  return with_writer(*resources_.db, [&](session& db) -> result<m::event_published> {
    auto done = storage::transact(db, publish);
    if (!done && done.error().code == storage::error::refused)
      return m::event_published{{}, true};
    if (!done)
      return std::unexpected{done.error()};
    return m::event_published{std::move(*done), false};
  });
}

caf::result<core::published_event> subscription_registrar_state::on_test(const m::send_test_event& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    return audited(db, storage::publish_event(db, test_event(ask.which, now()), now()),
                   act_on(ask.which, ask.by, "send_test_event"), now());
  });
}

caf::result<core::pull_page> subscription_registrar_state::on_read_pull(const m::read_pull& ask) {
  return in_transaction(*resources_.db, [&](session& db) { return storage::read_pull(db, ask.wish); });
}

caf::result<core::pull_advanced> subscription_registrar_state::on_advance(const m::advance_cursor& ask) {
  return in_transaction(*resources_.db,
                        [&](session& db) { return storage::advance_pull(db, ask.wanted, now()); });
}

m::subscription_registrar::behavior_type
subscription_registrar(m::subscription_registrar::stateful_pointer<subscription_registrar_state> self,
                       subscription_registrar_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
