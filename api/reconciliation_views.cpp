#include "api/reconciliation_views.hpp"

#include <utility>

namespace sluice::api {

namespace {

json or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

/// What is known of every kind; the rest is null until its kind fills it in.
json item_of(std::string_view kind, core::timestamp since) {
  return {{"kind", kind},
          {"tenant", nullptr},
          {"notification", nullptr},
          {"attempt", nullptr},
          {"event", nullptr},
          {"profile", nullptr},
          {"rule", nullptr},
          {"record", nullptr},
          {"provider_message_id", nullptr},
          {"since", time_view(since)},
          {"looks", 0},
          {"last_look_at", nullptr},
          {"next_look_at", nullptr},
          {"verdict", nullptr},
          {"needs_person", false}};
}

json count_view(std::string_view kind, const core::unsettled_counts::of_kind& of) {
  return {{"kind", kind},
          {"left", of.targets},
          {"for_people", of.for_people},
          {"since", time_view(of.since)},
          {"next_look_at", time_view(of.next_look)}};
}

} // namespace

json looks_view(const core::reconciliation_item& one) {
  return {{"kind", core::to_string(one.key.kind)},
          {"since", time_view(one.since)},
          {"looks", one.looks},
          {"last_look_at", time_view(one.last_look)},
          {"next_look_at", time_view(one.next_look)},
          {"verdict", one.verdict ? json(core::to_string(*one.verdict)) : json(nullptr)},
          {"needs_person", one.needs_person}};
}

json unsettled_view(const core::named_reconciliation_item& one) {
  const bool event = one.item.key.kind == core::reconciliation_target::unmatched_event;
  auto view = item_of(core::to_string(one.item.key.kind), one.item.since);
  view.update(looks_view(one.item));
  view["tenant"] = or_null(one.tenant);
  view["notification"] = or_null(one.notification);
  if (one.item.number != 0)
    view["attempt"] = one.item.number;
  if (event)
    view["event"] = one.item.key.subject;
  view["profile"] = or_null(one.profile_name);
  view["provider_message_id"] = or_null(one.provider_message_id);
  return view;
}

json unsettled_view(const core::lapsed_attempt& one) {
  auto view = item_of(lapsed_kind, one.since);
  view["tenant"] = one.tenant;
  view["notification"] = one.notification;
  view["attempt"] = one.number;
  view["profile"] = or_null(one.profile_name);
  return view;
}

json unsettled_view(const core::unknown_create& one) {
  auto view = item_of(create_kind, one.since);
  view["rule"] = one.rule_name;
  view["record"] = one.source_id;
  view["looks"] = one.looks;
  view["next_look_at"] = time_view(one.next_look);
  view["needs_person"] = one.needs_person;
  return view;
}

json unsettled_counts_view(const core::unsettled_counts& counts) {
  auto kinds = json::array();
  kinds.push_back(count_view(lapsed_kind, counts.lapsed));
  for (std::size_t kind = 0; kind < core::reconciliation_targets; ++kind) {
    const auto which = static_cast<core::reconciliation_target>(kind);
    kinds.push_back(count_view(core::to_string(which), counts.of(which)));
  }
  kinds.push_back(count_view(create_kind, counts.creates));
  return {{"ambiguous_notifications", counts.ambiguous}, {"kinds", std::move(kinds)}};
}

} // namespace sluice::api
