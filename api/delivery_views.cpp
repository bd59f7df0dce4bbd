#include "api/delivery_views.hpp"

#include "core/state_sentence.hpp"

namespace sluice::api {

namespace {

json tenant_view(const core::connection_life& of) {
  return {{"name", of.connection.tenant}, {"id", of.tenant_public_id}};
}

json end_view(const core::connection_life& one) {
  const auto& connection = one.connection;
  return {{"name", connection.name},
          {"id", connection.public_id},
          {"driver", connection.driver},
          {"host", core::host_of(connection.settings)},
          {"tenant", tenant_view(one)}};
}

/// `of`: what its rule or connection is called.
json stop_or_null(const core::delivery_stop* stop, const std::string& of) {
  if (!stop)
    return nullptr;
  return stop_view(*stop, {[&of](core::rule_id) { return of; }, [&of](core::connection_id) { return of; }});
}

/// When the trouble began, as far as anything says it.
std::optional<core::timestamp> since(const core::rule_facts& rule, core::rule_state state) {
  if (state == core::rule_state::stale)
    return rule.completed_at;
  return rule.ended ? rule.ended->ended_at : std::nullopt;
}

json card_rule_view(const core::page_rule& rule) {
  return {{"name", rule.facts->name},
          {"id", rule.facts->public_id},
          {"state", core::to_string(rule.state)},
          {"sentence", core::describe(*rule.facts, rule.state)},
          {"since", time_view(since(*rule.facts, rule.state))},
          {"blocked_until", time_view(rule.facts->blocked_until)},
          {"route_open", rule.facts->route_open},
          {"source", end_view(*rule.source)},
          {"target", end_view(*rule.target)},
          {"hold", stop_or_null(rule.hold, rule.facts->name)}};
}

json card_view(const core::page_card& card) {
  auto rules = json::array();
  for (const auto* rule : card.rules)
    rules.push_back(card_rule_view(*rule));
  const auto& of = card.connection ? card.connection->connection.name : card.rules.front()->facts->name;
  return {{"stop", stop_or_null(card.stop, of)},
          {"connection", card.connection ? end_view(*card.connection) : json(nullptr)},
          {"rules", std::move(rules)}};
}

/// Cards by tenant; those of one tenant lie side by side.
template <class View>
json group_view(const core::page_group& group, View view) {
  auto tenants = json::array();
  std::string_view current;
  for (const auto& card : group.cards) {
    if (tenants.empty() || current != card.whose->tenant_public_id) {
      current = card.whose->tenant_public_id;
      tenants.push_back({{"tenant", tenant_view(*card.whose)}, {"cards", json::array()}});
    }
    tenants.back()["cards"].push_back(view(card));
  }
  return {{"count", group.count}, {"shown", group.cards.size()}, {"tenants", std::move(tenants)}};
}

json backfill_view(const core::page_card& card, const backfill_counts& counts) {
  const auto& rule = *card.rules.front();
  auto view = card_rule_view(rule);
  view["until"] = time_view(rule.facts->backfill_until);
  const auto counted = counts.find(rule.facts->rule);
  view["progress"] = counted == counts.end() ? json(nullptr) : progress_view(counted->second);
  return view;
}

} // namespace

json delivery_view(const core::delivery_page& page, const core::installation_facts& installation,
                   const backfill_counts& counts, core::timestamp now) {
  json view{{"now", time_view(now)},
            {"heartbeat_at", time_view(installation.heartbeat_at)},
            {"badge", page.badge},
            {"tiles",
             {{"global", core::to_string(page.global)},
              {"stopped", page.stopped.count},
              {"held", page.held.count},
              {"unwell", page.unwell.count}}},
            {"notice", core::to_string(page.notice)},
            {"global_stop", stop_or_null(page.global_stop, {})},
            {"also_stopped", page.also_stopped},
            {"stale", page.stale}};
  view["stopped"] = group_view(page.stopped, card_view);
  view["held"] = group_view(page.held, card_view);
  view["unwell"] = group_view(page.unwell, card_view);
  view["others"] = group_view(page.others, card_view);
  view["backfills"] =
      group_view(page.backfills, [&](const core::page_card& card) { return backfill_view(card, counts); });
  return view;
}

json rule_page_view(const rule_page& page) {
  const auto& rule = page.rule;
  auto view = card_rule_view({&page.facts, page.state, page.source, page.target, nullptr, true});
  view.erase("hold");
  view["active"] = rule.active;
  view["domain"] = rule.domain;
  view["update_mode"] = core::to_string(rule.updates);
  view["delete_policy"] = core::to_string(rule.deletes);
  view["anchor_domain"] = rule.anchor_domain;
  view["revision"] = rule.revision;
  view["completed_at"] = time_view(page.facts.completed_at);
  view["known_records"] = page.facts.known_records;
  view["running_since"] = page.facts.running ? time_view(page.facts.running->started_at) : json(nullptr);
  view["cursor"] = page.cursor ? cursor_view(*page.cursor) : json(nullptr);
  view["stops"] = json::array();
  view["hold"] = nullptr;
  for (const auto& stop : page.stops) {
    const auto on_target = stop.target.scope == core::stop_scope::connection;
    auto shown = stop_or_null(&stop, on_target ? page.target->connection.name : rule.name);
    if (stop.cause == core::stop_cause::volume_breaker)
      view["hold"] = std::move(shown);
    else
      view["stops"].push_back(std::move(shown));
  }
  return view;
}

} // namespace sluice::api
