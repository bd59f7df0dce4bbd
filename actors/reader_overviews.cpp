#include "actors/reader.hpp"
#include "storage/backfills.hpp"
#include "storage/health.hpp"
#include "storage/intent_batches.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/mirror.hpp"
#include "storage/rules.hpp"
#include "storage/stops.hpp"
#include "storage/waiting_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

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

constexpr std::int64_t intents_max = 100'000;

/// The intent is looked for by name: its record may have left the mirror. Intents are read before the row:
/// an outcome deletes one and writes the row at once, so that not both are missed.
result<m::record_read> record_of(session& db, const m::read_record& ask, const crypto::key_ring& keys) {
  m::record_read answer;
  auto out = storage::has_call_out(db, ask.rule, ask.source_id);
  if (!out)
    return std::unexpected{out.error()};
  answer.call_out = *out;
  auto intents = storage::read_intents(db, ask.rule, std::nullopt, intents_max, keys);
  if (!intents)
    return std::unexpected{intents.error()};
  auto made = std::ranges::find(*intents, ask.source_id, &core::intent::source_id);
  if (made != intents->end())
    answer.intent = made->record;
  auto record = storage::find_record(db, ask.source, ask.domain, ask.source_id);
  if (!record)
    return std::unexpected{record.error()};
  if (*record)
    answer.about.record = std::move(**record);
  auto row = storage::find_ledger_row(db, ask.rule, ask.source_id);
  if (!row)
    return std::unexpected{row.error()};
  answer.about.row = std::move(*row);
  return answer;
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

result<m::survey_taken> survey_of(session& db, const m::take_survey& ask, core::timestamp now) {
  auto facts = health(db, std::nullopt);
  if (!facts)
    return std::unexpected{facts.error()};
  auto due = storage::read_overdue(db, now);
  if (!due)
    return std::unexpected{due.error()};
  auto connections = storage::list_connections(db);
  if (!connections)
    return std::unexpected{connections.error()};
  m::survey_taken answer{core::survey_of(facts->rules, facts->installation, *due, ask.health, now), {}};
  for (auto& connection : *connections) {
    if (std::ranges::find(ask.connections, connection.id) != ask.connections.end())
      answer.names.emplace_back(connection.id, std::move(connection.name));
  }
  return answer;
}

} // namespace

caf::result<m::record_read> reader_state::on_read_record(const m::read_record& ask) {
  return with_session([&](session& db) { return record_of(db, ask, *resources_.keys); });
}

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

caf::result<core::installation_facts> reader_state::on_read_installation() {
  return with_session([](session& db) { return storage::read_installation_facts(db); });
}

caf::result<m::survey_taken> reader_state::on_take_survey(const m::take_survey& ask) {
  return with_session([&](session& db) { return survey_of(db, ask, resources_.time->wall()); });
}

caf::result<m::ambiguous_listed> reader_state::on_list_ambiguous(const m::list_ambiguous& ask) {
  return with_session(
      [&](session& db) { return carried<m::ambiguous_listed>(storage::list_ambiguous(db, ask.page)); });
}

} // namespace sluice::actors
