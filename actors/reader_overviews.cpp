#include "actors/reader.hpp"
#include "storage/backfills.hpp"
#include "storage/health.hpp"
#include "storage/stops.hpp"
#include "storage/waiting_rows.hpp"

// What people ask a reader.

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

result<m::backfill_read> backfill_of(session& db, core::rule_id rule) {
  auto progress = storage::read_progress(db, rule);
  if (!progress)
    return std::unexpected{progress.error()};
  auto confirmation = storage::confirmation_in_progress(db, rule);
  if (!confirmation)
    return std::unexpected{confirmation.error()};
  auto latest = storage::latest_confirmation(db, rule);
  if (!latest)
    return std::unexpected{latest.error()};
  return m::backfill_read{*progress, std::move(*confirmation), std::move(*latest)};
}

result<m::health_read> health(session& db, std::optional<core::rule_id> rule) {
  auto rules = storage::read_rule_facts(db, rule);
  if (!rules)
    return std::unexpected{rules.error()};
  auto installation = storage::read_installation_facts(db);
  if (!installation)
    return std::unexpected{installation.error()};
  return m::health_read{std::move(*rules), *installation};
}

} // namespace

caf::result<m::stops_listed> reader_state::on_list_live_stops() {
  return with_session([](session& db) { return carried<m::stops_listed>(storage::live_stops(db)); });
}

caf::result<m::stops_listed> reader_state::on_list_stops(const m::list_stops& ask) {
  return with_session(
      [&](session& db) { return carried<m::stops_listed>(storage::stop_history(db, ask.page)); });
}

caf::result<core::backfill_preview> reader_state::on_preview_backfill(const m::preview_backfill& ask) {
  return with_session(
      [&](session& db) { return storage::preview_backfill(db, ask.rule, ask.until, ask.resend); });
}

caf::result<m::backfill_read> reader_state::on_read_backfill(const m::read_backfill& ask) {
  return with_session([&](session& db) { return backfill_of(db, ask.rule); });
}

caf::result<m::health_read> reader_state::on_read_health(const m::read_health& ask) {
  return with_session([&](session& db) { return health(db, ask.rule); });
}

caf::result<m::ambiguous_listed> reader_state::on_list_ambiguous(const m::list_ambiguous& ask) {
  return with_session(
      [&](session& db) { return carried<m::ambiguous_listed>(storage::list_ambiguous(db, ask.page)); });
}

} // namespace sluice::actors
