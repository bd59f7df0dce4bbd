#include "core/delivery_page.hpp"

#include "core/letter_case.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sluice::core {

namespace {

constexpr std::size_t id_part_min = 8;

std::string lowered(std::string text) {
  make_lower(text);
  return text;
}

/// What the field above the groups asks for.
class page_search {
public:
  explicit page_search(std::string text) : text_(std::move(text)) {
    trim(text_);
    make_lower(text_);
    const auto is_of_id = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-'; };
    is_id_ = text_.size() >= id_part_min && std::ranges::all_of(text_, is_of_id);
  }

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  [[nodiscard]] bool in_name(const std::string& lower_name) const {
    return lower_name.find(text_) != std::string::npos;
  }
  [[nodiscard]] bool in_id(const std::string& id) const {
    return is_id_ && id.find(text_) != std::string::npos;
  }

private:
  std::string text_;
  bool is_id_ = false;
};

struct seen_connection {
  const connection_life* connection = nullptr;
  std::string tenant; ///< in lower case, for the order
  bool sought = true;
};

/// Whether somebody waits for the rule to deliver: what a person switched off is nobody's trouble.
bool is_watched(const rule_facts& rule) {
  return rule.route_open || (rule.active && rule.target_status == connection_status::error);
}

bool is_well(rule_state state) {
  return state == rule_state::ok || state == rule_state::none;
}

bool is_unwell(rule_state state) {
  return state == rule_state::failing || state == rule_state::stale || state == rule_state::throttled;
}

/// A person's stop of the rule or of its target reaches it, whose card names it.
bool has_own_stop(const rule_facts& rule) {
  return rule.stops.rule != 0 || rule.stops.connection != 0;
}

class page_maker {
public:
  page_maker(const delivery_facts& facts, const page_wish& wish, const health_settings& settings,
             timestamp now)
      : facts_(facts), wish_(wish), settings_(settings), now_(now), search_(wish.search) {}

  delivery_page make() {
    see_connections();
    see_rules();
    page_.global = global_state_of(facts_.rules, facts_.installation, settings_, now_);
    place_stops();
    place_rules();
    finish(page_.stopped, [](const page_card& card) { return card.stop->set_at; });
    finish(page_.held, [](const page_card& card) { return card.stop->set_at; });
    finish(page_.unwell, [](const page_card& card) { return card.rules.front()->state; });
    finish(page_.backfills, [](const page_card&) { return 0; });
    finish(page_.others, [](const page_card&) { return 0; });
    page_.unwell.count += page_.stale;
    page_.notice = notice();
    return std::move(page_);
  }

private:
  void see_connections() {
    seen_.reserve(facts_.connections.size());
    for (const auto& each : facts_.connections) {
      const auto& is = each.connection;
      auto tenant = lowered(is.tenant);
      const auto sought = search_.empty() || search_.in_name(tenant) || search_.in_name(lowered(is.name))
                          || search_.in_id(is.public_id) || search_.in_id(each.tenant_public_id);
      seen_.emplace(is.id, seen_connection{&each, std::move(tenant), sought});
    }
  }

  [[nodiscard]] const seen_connection* seen(connection_id id) const {
    const auto found = seen_.find(id);
    return found == seen_.end() ? nullptr : &found->second;
  }

  /// Those that some card may name.
  void see_rules() {
    for (const auto& each : facts_.rules) {
      const auto* source = seen(each.source);
      const auto* target = seen(each.target);
      if (source == nullptr || target == nullptr)
        continue;
      const auto state = state_of(each, facts_.installation, settings_, now_);
      page_.badge += is_watched(each) && !is_well(state) ? 1 : 0;
      const auto told_by_search_alone = is_well(state) && !each.backfill_until && !has_own_stop(each);
      if (told_by_search_alone && search_.empty())
        continue;
      const auto sought = source->sought || target->sought || search_.in_name(lowered(each.name))
                          || search_.in_id(each.public_id);
      if (told_by_search_alone && !sought)
        continue;
      page_.rules.push_back({&each, state, source->connection, target->connection, nullptr, sought});
    }
    for (auto& rule : page_.rules) {
      places_.emplace(rule.facts->rule, &rule);
      if (rule.facts->stops.connection != 0 && !is_well(rule.state))
        stopped_into_[rule.facts->target].push_back(&rule);
    }
  }

  [[nodiscard]] page_rule* place_of(rule_id id) const {
    const auto found = places_.find(id);
    return found == places_.end() ? nullptr : found->second;
  }

  void place_stops() {
    for (const auto& stop : facts_.stops)
      if (stop.cause == stop_cause::volume_breaker)
        place_hold(stop);
      else if (stop.target.scope == stop_scope::global)
        page_.global_stop = &stop;
      else if (stop.target.scope == stop_scope::rule)
        place_rule_stop(stop);
      else if (const auto* target = seen(stop.target.connection))
        place_connection_stop(stop, *target);
  }

  void place_hold(const delivery_stop& hold) {
    auto* rule = place_of(hold.target.rule);
    if (rule == nullptr)
      return;
    rule->hold = &hold;
    if (!has_own_stop(*rule->facts) && rule->sought)
      page_.held.cards.push_back({rule->source, &hold, nullptr, {rule}});
  }

  void place_rule_stop(const delivery_stop& stop) {
    const auto* rule = place_of(stop.target.rule);
    if (rule != nullptr && rule->sought)
      page_.stopped.cards.push_back({rule->source, &stop, nullptr, {rule}});
  }

  void place_connection_stop(const delivery_stop& stop, const seen_connection& target) {
    page_card card{target.connection, &stop, target.connection, stopped_into_[stop.target.connection]};
    std::ranges::sort(card.rules, {}, [](const page_rule* rule) -> const auto& { return rule->facts->name; });
    if (target.sought || std::ranges::any_of(card.rules, &page_rule::sought))
      page_.stopped.cards.push_back(std::move(card));
  }

  void place_rules() {
    const auto nothing_runs =
        page_.global == global_state::scheduler_down || page_.global == global_state::runs_not_completing;
    for (const auto& rule : page_.rules) {
      if (!rule.sought)
        continue;
      const page_card card{rule.source, nullptr, nullptr, {&rule}};
      const auto backfilling = rule.facts->active && rule.facts->backfill_until;
      if (backfilling)
        page_.backfills.cards.push_back(card);
      const auto named_by_stop = has_own_stop(*rule.facts) || rule.hold != nullptr;
      const auto unwell = place_trouble(card, named_by_stop, nothing_runs);
      if (!search_.empty() && !backfilling && !named_by_stop && !unwell)
        page_.others.cards.push_back(card);
    }
  }

  /// Whether it became a card.
  bool place_trouble(const page_card& card, bool named_by_stop, bool nothing_runs) {
    const auto& rule = *card.rules.front();
    if (!is_watched(*rule.facts))
      return false;
    if (rule.state == rule_state::stopped && !named_by_stop)
      ++page_.also_stopped;
    else if (rule.state == rule_state::stale && nothing_runs)
      ++page_.stale;
    else if (is_unwell(rule.state)) {
      page_.unwell.cards.push_back(card);
      return true;
    }
    return false;
  }

  /// In the order of the page: by tenant, then by what the group goes by, then by rule name.
  template <class Key>
  void finish(page_group& group, Key key) {
    using sort_key = std::tuple<std::string_view, std::string_view, decltype(key(page_card{})),
                                std::string_view, std::int64_t>;
    std::vector<std::pair<sort_key, std::size_t>> order;
    order.reserve(group.cards.size());
    for (std::size_t at = 0; at < group.cards.size(); ++at) {
      const auto& card = group.cards[at];
      const std::string_view name = card.rules.empty() ? std::string_view{} : card.rules.front()->facts->name;
      const auto id = card.stop ? card.stop->id : card.rules.front()->facts->rule.value;
      order.emplace_back(sort_key{seen(card.whose->connection.id)->tenant, card.whose->tenant_public_id,
                                  key(card), name, id},
                         at);
    }
    std::ranges::sort(order);
    group.count = static_cast<std::int64_t>(order.size());
    order.resize(std::min(order.size(), wish_.cards_max));
    std::vector<page_card> sorted;
    sorted.reserve(order.size());
    for (const auto& [ignored, at] : order)
      sorted.push_back(std::move(group.cards[at]));
    group.cards = std::move(sorted);
  }

  [[nodiscard]] page_notice notice() const {
    const auto shown = page_.stopped.count + page_.held.count + page_.unwell.count + page_.backfills.count
                       + page_.others.count;
    if (shown > 0)
      return page_notice::none;
    if (!search_.empty())
      return page_notice::nothing_matches;
    return page_.global == global_state::ok ? page_notice::all_well : page_notice::none;
  }

  const delivery_facts& facts_;
  const page_wish& wish_;
  const health_settings& settings_;
  timestamp now_;
  page_search search_;
  std::unordered_map<connection_id, seen_connection> seen_;
  std::unordered_map<rule_id, page_rule*> places_;
  std::unordered_map<connection_id, std::vector<const page_rule*>> stopped_into_; ///< by its target's stop
  delivery_page page_;
};

} // namespace

delivery_page make_delivery_page(const delivery_facts& facts, const page_wish& wish,
                                 const health_settings& settings, timestamp now) {
  return page_maker{facts, wish, settings, now}.make();
}

std::string_view to_string(page_notice notice) noexcept {
  switch (notice) {
  case page_notice::none:
    return "none";
  case page_notice::all_well:
    return "all_well";
  case page_notice::nothing_matches:
    return "nothing_matches";
  }
  return "unknown";
}

} // namespace sluice::core
