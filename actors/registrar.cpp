#include "actors/registrar.hpp"

#include "actors/configuration_write.hpp"
#include "actors/writer_session.hpp"
#include "storage/answers.hpp"
#include "storage/lifecycle.hpp"
#include "storage/rules.hpp"
#include "storage/tokens.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

result<m::connection_moved> moved(const result<storage::lifecycle_report>& done) {
  if (!done)
    return std::unexpected{done.error()};
  return m::connection_moved{done->disconnected_at, done->rules, done->records};
}

} // namespace

m::registrar::behavior_type registrar_state::behavior(registrar_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::apply_configuration& ask) { return on_apply(ask); },
      [this](const m::disconnect_connection& ask) { return on_disconnect(ask); },
      [this](const m::reconnect_connection& ask) { return on_reconnect(ask); },
      [this](const m::uninstall_connection& ask) { return on_uninstall(ask); },
      [this](const m::clear_connection_error& ask) { return on_clear_error(ask); },
      [this](const m::record_token& ask) { return on_token(ask); },
      [this](const m::record_token_revoked& ask) { return on_revoked(ask); },
      [this](const m::begin_answer& ask) { return on_begin_answer(ask); },
      [this](const m::keep_answer& ask) { return on_keep_answer(ask); },
  };
}

caf::result<m::configuration_applied> registrar_state::on_apply(const m::apply_configuration& ask) {
  return with_writer(*resources_.db, [&](session& db) -> result<m::configuration_applied> {
    auto outcome = ask.how == m::keeping::look
                       ? rehearse_configuration(db, ask.wanted, *resources_.keys, resources_.outside, now())
                       : keep_configuration(db, ask.wanted, *resources_.keys, resources_.outside, now(),
                                            {nullptr, ask.seen});
    if (!outcome)
      return std::unexpected{outcome.error()};
    if (!outcome->faults.empty())
      return std::unexpected{refusal_of(outcome->faults)};
    return m::configuration_applied{std::move(outcome->changes), std::move(outcome->subscriptions)};
  });
}

caf::result<m::connection_moved> registrar_state::on_disconnect(const m::disconnect_connection& ask) {
  return with_writer(*resources_.db,
                     [&](session& db) { return moved(storage::disconnect_connection(db, ask.name, now())); });
}

caf::result<m::connection_moved> registrar_state::on_reconnect(const m::reconnect_connection& ask) {
  return with_writer(*resources_.db, [&](session& db) {
    return moved(storage::reconnect_connection(db, ask.name, resources_.grace_period, now()));
  });
}

caf::result<m::connection_removed> registrar_state::on_uninstall(const m::uninstall_connection& ask) {
  return with_writer(*resources_.db, [&](session& db) -> result<m::connection_removed> {
    auto rows = storage::uninstall_connection(db, ask.name, now());
    if (!rows)
      return std::unexpected{rows.error()};
    return m::connection_removed{*rows};
  });
}

caf::result<m::connection_cleared> registrar_state::on_clear_error(const m::clear_connection_error& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<m::connection_cleared> {
    if (auto cleared = storage::clear_connection_error(db, ask.name, now()); !cleared)
      return std::unexpected{cleared.error()};
    return m::connection_cleared{};
  });
}

caf::result<core::api_token> registrar_state::on_token(const m::record_token& ask) {
  return in_transaction(*resources_.db,
                        [&](session& db) { return storage::make_token(db, ask.wanted, now()); });
}

caf::result<core::api_token> registrar_state::on_revoked(const m::record_token_revoked& ask) {
  return in_transaction(*resources_.db,
                        [&](session& db) { return storage::revoke_token(db, ask.name, ask.by, now()); });
}

caf::result<core::kept_answer> registrar_state::on_begin_answer(const m::begin_answer& ask) {
  return in_transaction(*resources_.db, [&](session& db) {
    return storage::begin_answer(db, ask.key_digest, ask.request_digest, *resources_.keys, now());
  });
}

caf::result<m::answer_kept> registrar_state::on_keep_answer(const m::keep_answer& ask) {
  return in_transaction(*resources_.db, [&](session& db) -> result<m::answer_kept> {
    auto kept = ask.answer.empty() ? storage::forget_answer(db, ask.key_digest)
                                   : storage::keep_answer(db, ask.key_digest, ask.answer, *resources_.keys);
    if (!kept)
      return std::unexpected{kept.error()};
    return m::answer_kept{};
  });
}

m::registrar::behavior_type registrar(m::registrar::stateful_pointer<registrar_state> self,
                                      registrar_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
