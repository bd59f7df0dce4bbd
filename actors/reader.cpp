#include "actors/reader.hpp"

#include "storage/anchors.hpp"
#include "storage/candidates.hpp"
#include "storage/cursor.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/node_state.hpp"
#include "storage/rule_jobs.hpp"
#include "storage/rules.hpp"

#include <unordered_map>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

result<m::routes_listed> routes_and_dues(session& db) {
  auto routes = storage::list_routes(db);
  if (!routes)
    return std::unexpected{routes.error()};
  auto dues = storage::all_next_due(db);
  if (!dues)
    return std::unexpected{dues.error()};
  auto jobs = storage::rules_with_jobs(db);
  if (!jobs)
    return std::unexpected{jobs.error()};
  return m::routes_listed{std::move(*routes), std::move(*dues), std::move(*jobs)};
}

result<m::changes_seen> changes(session& db) {
  auto markers = storage::has_markers(db);
  if (!markers)
    return std::unexpected{markers.error()};
  auto version = storage::configuration_version(db);
  if (!version)
    return std::unexpected{version.error()};
  return m::changes_seen{*markers, *version};
}

result<m::unsettled_read> unsettled_of(session& db, const m::read_unsettled& ask, core::timestamp now,
                                       const crypto::key_ring& keys) {
  auto intents =
      storage::read_intents(db, ask.rule, ask.all ? std::nullopt : std::optional{now}, ask.limit, keys);
  if (!intents)
    return std::unexpected{intents.error()};
  std::vector<core::record_id> records;
  for (const auto& intent : *intents)
    records.push_back(intent.record);
  auto candidates = storage::read_candidates(db, ask.rule, records);
  if (!candidates)
    return std::unexpected{candidates.error()};
  std::unordered_map<core::record_id, core::candidate> by_record;
  for (auto& candidate : *candidates)
    by_record.emplace(candidate.record.id, std::move(candidate));
  m::unsettled_read answer;
  for (auto& intent : *intents) {
    auto found = by_record.find(intent.record);
    answer.found.push_back(
        {std::move(intent), found == by_record.end() ? core::candidate{} : std::move(found->second)});
  }
  return answer;
}

} // namespace

m::reader::behavior_type reader_state::behavior(reader_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](m::list_routes) { return on_list_routes(); },
      [this](m::look_for_changes) { return on_look_for_changes(); },
      [this](const m::read_scan& ask) { return on_read_scan(ask); },
      [this](const m::read_due& ask) { return on_read_due(ask); },
      [this](const m::read_unsettled& ask) { return on_read_unsettled(ask); },
      [this](const m::read_next_due& ask) { return on_read_next_due(ask); },
      [this](const m::read_cursor& ask) { return on_read_cursor(ask); },
      [this](const m::load_window& ask) { return on_load_window(ask); },
      [this](const m::read_anchors& ask) { return on_read_anchors(ask); },
      [this](const m::read_record& ask) { return on_read_record(ask); },
      [this](m::list_live_stops) { return on_list_live_stops(); },
      [this](const m::list_stops& ask) { return on_list_stops(ask); },
      [this](const m::preview_backfill& ask) { return on_preview_backfill(ask); },
      [this](const m::read_backfill& ask) { return on_read_backfill(ask); },
      [this](const m::read_health& ask) { return on_read_health(ask); },
      [this](m::read_installation) { return on_read_installation(); },
      [this](const m::take_survey& ask) { return on_take_survey(ask); },
      [this](const m::list_ambiguous& ask) { return on_list_ambiguous(ask); },
      [this](const m::read_fan_out& ask) { return on_read_fan_out(ask); },
      [this](const m::load_subscription& ask) { return on_load_subscription(ask); },
      [this](m::list_push_dues) { return on_list_push_dues(); },
      [this](const m::load_profile& ask) { return on_load_profile(ask); },
      [this](m::list_notification_dues) { return on_list_notification_dues(); },
      [this](const m::open_profile& ask) { return on_open_profile(ask); },
      [this](const m::list_due_targets& ask) { return on_list_due_targets(ask); },
      [this](m::list_rules_of_due_creates) { return on_list_rules_of_due_creates(); },
      [this](m::list_living_profiles) { return on_list_living_profiles(); },
  };
}

caf::result<m::routes_listed> reader_state::on_list_routes() {
  return with_session([](session& db) { return routes_and_dues(db); });
}

caf::result<m::changes_seen> reader_state::on_look_for_changes() {
  return with_session([](session& db) { return changes(db); });
}

caf::result<core::scan_batch> reader_state::on_read_scan(const m::read_scan& ask) {
  auto query = ask.query;
  query.now = resources_.time->wall();
  return with_session([&](session& db) {
    return ask.step == core::step_kind::backfill ? storage::read_backfill(db, query)
                                                 : storage::read_delta(db, query);
  });
}

caf::result<core::due_batch> reader_state::on_read_due(const m::read_due& ask) {
  return with_session([&](session& db) { return storage::read_due(db, ask.query); });
}

caf::result<m::unsettled_read> reader_state::on_read_unsettled(const m::read_unsettled& ask) {
  return with_session(
      [&](session& db) { return unsettled_of(db, ask, resources_.time->wall(), *resources_.keys); });
}

caf::result<m::next_due_read> reader_state::on_read_next_due(const m::read_next_due& ask) {
  return with_session(
      [&](session& db) { return carried<m::next_due_read>(storage::next_due(db, ask.rule)); });
}

caf::result<core::delivery_cursor> reader_state::on_read_cursor(const m::read_cursor& ask) {
  return with_session([&](session& db) -> result<core::delivery_cursor> {
    auto cursor = storage::find_cursor(db, ask.rule);
    if (!cursor)
      return std::unexpected{cursor.error()};
    if (!*cursor)
      return std::unexpected{storage::failure{storage::error::not_found, "the rule has no cursor"}};
    return **cursor;
  });
}

caf::result<m::window_loaded> reader_state::on_load_window(const m::load_window& ask) {
  return with_session(
      [&](session& db) { return carried<m::window_loaded>(storage::load_window(db, ask.connection)); });
}

caf::result<m::anchors_read> reader_state::on_read_anchors(const m::read_anchors& ask) {
  return with_session([&](session& db) {
    return carried<m::anchors_read>(storage::read_anchors(db, ask.parent, ask.source_ids));
  });
}

m::reader::behavior_type reader(m::reader::stateful_pointer<reader_state> self, reader_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
