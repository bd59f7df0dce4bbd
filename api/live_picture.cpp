#include "api/live_picture.hpp"

#include "api/status_view.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

namespace sluice::api {

namespace {

std::string dumped(const json& data) {
  return data.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// One event. Its id is the time of the look in microseconds: whoever comes again reads everything anew.
std::string event_text(const char* name, core::timestamp at, const json& data) {
  return "event: " + std::string{name} + "\nid: " + std::to_string(core::to_us(at))
         + "\ndata: " + dumped(data) + "\n\n";
}

auto shown_parts(const core::rule_facts& rule) {
  const auto& stops = rule.stops;
  return std::tie(rule.name, rule.source, rule.target, rule.active, rule.route_open, rule.blocked_until,
                  rule.backfill_until, stops.global, stops.connection, stops.rule, stops.hold);
}

bool ended_alike(const core::rule_facts& a, const core::rule_facts& b) {
  if (!a.ended || !b.ended)
    return a.ended.has_value() == b.ended.has_value();
  return a.ended->ending == b.ended->ending && a.ended->reason == b.ended->reason;
}

bool shown_alike(const live_picture& before, std::size_t old, const live_picture& after, std::size_t now) {
  const auto& was = before.health.rules[old];
  const auto& is = after.health.rules[now];
  return before.states[old] == after.states[now] && shown_parts(was) == shown_parts(is)
         && ended_alike(was, is);
}

bool stops_alike(const live_picture& before, const live_picture& after) {
  return std::ranges::equal(before.stops, after.stops, {}, &core::delivery_stop::id,
                            &core::delivery_stop::id);
}

json stops_view(const live_picture& picture, const seen_names& called) {
  auto stops = json::array();
  for (const auto& stop : picture.stops) {
    if (called.shows(stop))
      stops.push_back(stop_view(stop, called));
  }
  return stops;
}

json backfill_view(core::rule_id rule, const core::backfill_progress& progress, const seen_names& called) {
  json view{{"rule", called.rule(rule)}};
  view.update(progress_view(progress));
  return view;
}

} // namespace

live_changes changes_between(const live_picture& before, const live_picture& after) {
  live_changes changes;
  const auto& old = before.health.rules;
  const auto& now = after.health.rules;
  std::size_t was = 0;
  for (std::size_t is = 0; is < now.size(); ++is) {
    while (was < old.size() && old[was].rule < now[is].rule)
      changes.gone.push_back(was++);
    const bool known = was < old.size() && old[was].rule == now[is].rule;
    if (!known || !shown_alike(before, was, after, is))
      changes.rules.push_back(is);
    was += known ? 1 : 0;
  }
  while (was < old.size())
    changes.gone.push_back(was++);
  for (const auto& [rule, progress] : after.backfills) {
    const auto known = before.backfills.find(rule);
    if (known == before.backfills.end() || known->second.passed != progress.passed
        || known->second.total != progress.total)
      changes.backfills.push_back(rule);
  }
  changes.stops = !stops_alike(before, after);
  return changes;
}

std::string snapshot_event(const live_picture& picture, const seen_names& called,
                           const core::health_settings& settings) {
  auto view = status_view(picture.health, called, settings, picture.at, false);
  view["stops"] = stops_view(picture, called);
  auto backfills = json::array();
  for (const auto& [rule, progress] : picture.backfills) {
    if (called.shows_rule(rule))
      backfills.push_back(backfill_view(rule, progress, called));
  }
  view["backfills"] = std::move(backfills);
  return event_text("snapshot", picture.at, view);
}

std::string state_event(const live_picture& picture, const seen_names& called,
                        const core::health_settings& settings) {
  const auto& [rules, installation] = picture.health;
  std::map<std::string, std::int64_t> counts;
  for (std::size_t at = 0; at < rules.size(); ++at) {
    if (called.shows_rule(rules[at].rule))
      ++counts[std::string{core::to_string(picture.states[at])}];
  }
  const auto global = core::global_state_of(rules, installation, settings, picture.at);
  return "event: state\ndata: "
         + dumped({{"global", core::to_string(global)},
                   {"heartbeat_at", time_view(installation.heartbeat_at)},
                   {"counts", counts}})
         + "\n";
}

std::string gone_events(const live_picture& before, const live_changes& changes, const seen_names& called) {
  std::string text;
  for (const auto at : changes.gone) {
    const auto& rule = before.health.rules[at];
    if (called.shows_rule(rule.rule))
      text += event_text("rule_gone", before.at, {{"name", rule.name}, {"id", rule.public_id}});
  }
  return text;
}

std::string change_events(const live_picture& after, const live_changes& changes, const seen_names& called) {
  std::string text;
  for (const auto at : changes.rules) {
    const auto& rule = after.health.rules[at];
    if (called.shows_rule(rule.rule))
      text += event_text("rule", after.at, rule_state_view(rule, after.states[at], called));
  }
  for (const auto rule : changes.backfills) {
    if (called.shows_rule(rule))
      text += event_text("backfill", after.at, backfill_view(rule, after.backfills.at(rule), called));
  }
  if (changes.stops)
    text += event_text("stops", after.at, {{"stops", stops_view(after, called)}});
  return text;
}

} // namespace sluice::api
