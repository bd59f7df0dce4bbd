#include "storage/explanations.hpp"

#include "core/payload.hpp"
#include "core/request_window.hpp"
#include "storage/anchors.hpp"
#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/mirror.hpp"
#include "storage/node_state.hpp"
#include "storage/rules.hpp"
#include "storage/runs.hpp"
#include "storage/stops.hpp"
#include "storage/stored_rule.hpp"

#include <algorithm>
#include <limits>

namespace sluice::storage {

namespace {

using core::explanation_facts;

result<void> read_ends(session& db, explanation_facts& facts) {
  for (auto [into, id] :
       {std::pair{&facts.source, facts.rule.source}, std::pair{&facts.target, facts.rule.target}}) {
    auto found = read_connection(db, id);
    if (!found)
      return std::unexpected{found.error()};
    if (*found)
      *into = std::move((*found)->connection);
    into->credentials.clear();
  }
  return {};
}

result<std::optional<core::listed_ledger_row>> row_of(session& db, core::rule_id rule,
                                                      std::string_view source_id) {
  core::ledger_filter one;
  one.rule = rule;
  one.source_id = source_id;
  auto rows = list_ledger(db, one);
  if (!rows)
    return std::unexpected{rows.error()};
  return rows->empty() ? std::nullopt : std::optional{std::move(rows->front())};
}

result<void> read_record(session& db, explanation_facts& facts) {
  auto record = find_record(db, facts.rule.source, facts.rule.domain, facts.source_id);
  if (!record)
    return std::unexpected{record.error()};
  auto row = row_of(db, facts.rule.id, facts.source_id);
  if (!row)
    return std::unexpected{row.error()};
  facts.record = std::move(*record);
  if (*row) {
    facts.row_written_at = (*row)->updated_at;
    facts.row = std::move((*row)->row);
  }
  return {};
}

result<void> read_intent(session& db, const crypto::key_ring& keys, explanation_facts& facts) {
  auto intents =
      read_intents(db, facts.rule.id, std::nullopt, std::numeric_limits<std::int32_t>::max(), keys);
  if (!intents)
    return std::unexpected{intents.error()};
  auto found = std::ranges::find(*intents, facts.source_id, &core::intent::source_id);
  if (found != intents->end())
    facts.made = std::move(*found);
  return {};
}

result<void> read_progress(session& db, explanation_facts& facts) {
  auto cursor = find_cursor(db, facts.rule.id);
  if (!cursor)
    return std::unexpected{cursor.error()};
  auto runs = list_runs(db, facts.rule.id, 1);
  if (!runs)
    return std::unexpected{runs.error()};
  const auto window = load_window(db, facts.rule.target);
  if (!window)
    return std::unexpected{window.error()};
  facts.cursor = *cursor;
  if (!runs->empty())
    facts.latest_run = std::move(runs->front());
  if (*window) {
    if (const auto read = core::request_window::from_text(**window, 0, facts.now))
      facts.blocked_until = read->blocked_until(facts.now);
  }
  return {};
}

result<void> read_stops(session& db, explanation_facts& facts) {
  auto stops = live_stops(db);
  if (!stops)
    return std::unexpected{stops.error()};
  for (auto& stop : *stops) {
    if (stop.target.reaches(facts.rule.id, facts.rule.target))
      facts.stops.push_back(std::move(stop));
  }
  return {};
}

std::string parent_id(const explanation_facts& facts) {
  if (facts.row && !facts.row->anchor_source_id.empty())
    return facts.row->anchor_source_id;
  auto reader = core::payload_reader::compile({facts.rule.anchor_pointer});
  std::vector<core::value> values;
  if (!facts.record || !reader || !reader->read(facts.record->payload, values))
    return {};
  const auto& value = values.front();
  const auto names = value.kind == core::value_kind::string || value.kind == core::value_kind::number;
  return names ? value.text : std::string{};
}

result<void> read_parent(session& db, explanation_facts& facts) {
  if (!facts.rule.dependent())
    return {};
  auto& parent = facts.parent.emplace();
  parent.source_id = parent_id(facts);
  auto id = find_parent_rule(db, facts.rule);
  if (!id)
    return std::unexpected{id.error()};
  if (!*id)
    return {};
  auto rule = read_rule(db, **id);
  auto record = find_record(db, facts.rule.source, facts.rule.anchor_domain, parent.source_id);
  auto row = row_of(db, **id, parent.source_id);
  if (!rule || !record || !row)
    return std::unexpected{!rule ? rule.error() : !record ? record.error() : row.error()};
  if (*rule) {
    parent.rule_name = (*rule)->rule.name;
    parent.rule_active = (*rule)->rule.active;
  }
  parent.in_mirror = record->has_value();
  parent.deleted = *record && (*record)->is_tombstone();
  if (*row)
    parent.row = std::move((*row)->row);
  return {};
}

} // namespace

result<explanation_facts> read_explanation(session& db, std::string_view rule, std::string_view source_id,
                                           const crypto::key_ring& keys, core::timestamp now) {
  auto found = find_rule(db, rule);
  if (!found)
    return std::unexpected{found.error()};
  if (!*found)
    return std::unexpected{failure{error::not_found, "There is no rule \"" + std::string{rule} + "\"."}};
  explanation_facts facts;
  facts.rule = std::move(**found);
  facts.source_id = source_id;
  facts.now = now;
  for (auto* read : {read_ends, read_record, read_progress, read_stops, read_parent}) {
    if (auto done = read(db, facts); !done)
      return std::unexpected{done.error()};
  }
  if (auto done = read_intent(db, keys, facts); !done)
    return std::unexpected{done.error()};
  return facts;
}

} // namespace sluice::storage
