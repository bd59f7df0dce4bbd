#include "api/delivery_views.hpp"
#include "api/operation_parts.hpp"
#include "api/operations.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t search_bytes_max = 200;
constexpr std::size_t cards_max = 200; ///< a group: what more there are is counted, and found by a search

using facts_handle = std::shared_ptr<core::delivery_facts>;
using with_facts_then = std::function<void(const facts_handle&)>;

void with_rules(desk& at, const facts_handle& facts, std::optional<core::rule_id> rule,
                const responder& answer, with_facts_then then) {
  at.ask<m::health_read>(at.links().reader, m::read_health{rule}, answer,
                         [facts, then = std::move(then)](m::health_read& read) {
                           facts->rules = std::move(read.rules);
                           facts->installation = read.installation;
                           then(facts);
                         });
}

void with_stops(desk& at, const facts_handle& facts, std::optional<core::rule_id> rule,
                const responder& answer, with_facts_then then) {
  at.ask<m::stops_listed>(at.links().reader, m::list_live_stops{}, answer,
                          [&at, facts, rule, answer, then = std::move(then)](m::stops_listed& live) {
                            facts->stops = std::move(live.stops);
                            with_rules(at, facts, rule, answer, then);
                          });
}

/// Goes on with what is known of every rule, or of one, and of the connections the caller may see.
void with_facts(desk& at, const request& asked, std::optional<core::rule_id> rule, const responder& answer,
                with_facts_then then) {
  auto facts = std::make_shared<core::delivery_facts>();
  at.ask<m::connections_listed>(
      at.links().overview, m::list_connections{}, answer,
      [&at, facts, who = asked.who, rule, answer, then = std::move(then)](m::connections_listed& listed) {
        facts->connections = std::move(listed.connections);
        std::erase_if(facts->connections, [&](const auto& each) {
          return each.disconnected_at || !who.may_see(each.connection.tenant);
        });
        with_stops(at, facts, rule, answer, then);
      });
}

m::count_backfills backfills_of(const core::delivery_page& page) {
  m::count_backfills ask;
  for (const auto& card : page.backfills.cards) {
    const auto& facts = *card.rules.front()->facts;
    ask.backfills.emplace_back(facts.rule, *facts.backfill_until);
  }
  return ask;
}

void show_delivery(desk& at, const facts_handle& facts, const core::page_wish& wish,
                   const responder& answer) {
  const auto now = at.now();
  const auto page =
      std::make_shared<core::delivery_page>(core::make_delivery_page(*facts, wish, at.links().health, now));
  at.show<m::backfills_counted>(at.links().overview, backfills_of(*page), answer,
                                [facts, page, now](const m::backfills_counted& counted) {
                                  const backfill_counts counts{counted.counts.begin(), counted.counts.end()};
                                  return delivery_view(*page, facts->installation, counts, now);
                                });
}

void delivery(desk& at, const request& asked, const responder& answer) {
  core::page_wish wish{query_text(asked, "q"), cards_max};
  if (wish.search.size() > search_bytes_max) {
    answer(as_response(invalid_member("q", "q has at most " + std::to_string(search_bytes_max) + " bytes")));
    return;
  }
  with_facts(at, asked, std::nullopt, answer,
             [&at, wish, answer](const facts_handle& facts) { show_delivery(at, facts, wish, answer); });
}

const core::connection_life* find_connection(const core::delivery_facts& facts, core::connection_id id) {
  const auto found =
      std::ranges::find(facts.connections, id, [](const auto& each) { return each.connection.id; });
  return found == facts.connections.end() ? nullptr : &*found;
}

/// Nothing where the rule delivers nothing, or a connection of it has gone meanwhile.
std::optional<rule_page> rule_page_of(const core::delivery_facts& facts, const core::sync_rule& rule,
                                      const core::health_settings& settings, core::timestamp now) {
  rule_page page;
  page.source = find_connection(facts, rule.source);
  page.target = find_connection(facts, rule.target);
  if (facts.rules.empty() || !page.source || !page.target)
    return std::nullopt;
  page.rule = rule;
  page.facts = facts.rules.front();
  page.state = core::state_of(page.facts, facts.installation, settings, now);
  std::ranges::copy_if(facts.stops, std::back_inserter(page.stops),
                       [&](const auto& stop) { return stop.target.reaches(rule.id, rule.target); });
  return page;
}

/// `facts` holds the connections the page points to.
void show_rule(desk& at, const facts_handle& facts, rule_page page, const responder& answer) {
  if (!page.facts.cursor_updated_at) {
    answer(json_response(rule_page_view(page)));
    return;
  }
  const auto rule = page.rule.id;
  at.show<core::delivery_cursor>(
      at.links().reader, m::read_cursor{rule}, answer,
      [facts, page = std::move(page)](const core::delivery_cursor& cursor) mutable {
        page.cursor = cursor;
        return rule_page_view(page);
      });
}

void rule_page_document(desk& at, const request& asked, const responder& answer) {
  at.with_rule(asked, answer, [&at, asked, answer](m::rule_found& found) {
    with_facts(at, asked, found.rule.id, answer, [&at, rule = found.rule, answer](const facts_handle& facts) {
      auto page = rule_page_of(*facts, rule, at.links().health, at.now());
      if (page)
        show_rule(at, facts, std::move(*page), answer);
      else
        answer(as_response(conflict("the rule delivers nothing: it has the direction pull_in")));
    });
  });
}

} // namespace

void add_page_operations(router& to) {
  to.add("GET", "/v1/delivery", access::viewer, delivery);
  to.add("GET", "/v1/rules/{rule}/page", access::viewer, rule_page_document);
}

} // namespace sluice::api
