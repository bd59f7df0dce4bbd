#include "api/notification_parts.hpp"
#include "api/operations.hpp"
#include "api/reconciliation_views.hpp"

#include <charconv>

namespace sluice::api {

namespace m = messages;

namespace {

void count(desk& at, const request& asked, const responder& answer) {
  at.show<core::unsettled_counts>(at.links().notification_overview,
                                  m::count_unsettled{asked.who.tenants, at.now()}, answer,
                                  unsettled_counts_view);
}

/// "RULE.RECORD", where a page of creates ended; "0" and nothing are the beginning.
std::optional<core::unknown_create_position> position_of(std::string_view text) {
  core::unknown_create_position place;
  if (text.empty() || text == "0")
    return place;
  const auto* const end = text.data() + text.size();
  const auto rule = std::from_chars(text.data(), end, place.rule.value);
  if (rule.ec != std::errc{} || rule.ptr == end || *rule.ptr != '.')
    return std::nullopt;
  const auto record = std::from_chars(rule.ptr + 1, end, place.record.value);
  return record.ec == std::errc{} && record.ptr == end ? std::optional{place} : std::nullopt;
}

template <class Item>
json item_view(const Item& one) {
  return unsettled_view(one);
}

void list_creates(desk& at, const request& asked, bool for_people, const responder& answer) {
  const auto limit = query_number(asked, "limit", 100, 1, 1000);
  const auto after = position_of(query_text(asked, "after"));
  if (!limit || !after) {
    answer(as_response(limit ? invalid_member("after", "after is the next_after of a page") : limit.error()));
    return;
  }
  const core::unknown_create_page page{asked.who.tenants, for_people, *after, *limit};
  at.show<m::unknown_creates_listed>(
      at.links().notification_overview, m::list_unknown_creates{page}, answer,
      [limit = *limit](const m::unknown_creates_listed& listed) {
        return listed_view("items", "next_after", listed.creates, limit, item_view<core::unknown_create>,
                           [](const auto& one) {
                             return std::to_string(one.rule.value) + "." + std::to_string(one.record.value);
                           });
      });
}

void list_lapsed(desk& at, const core::lapsed_page& page, const responder& answer) {
  at.show<m::lapsed_listed>(
      at.links().notification_overview, m::list_lapsed{page}, answer,
      [limit = page.limit](const m::lapsed_listed& listed) {
        return listed_view("items", "next_after", listed.attempts, limit, item_view<core::lapsed_attempt>,
                           [](const auto& one) { return std::to_string(one.id.value); });
      });
}

void list_targets(desk& at, const core::reconciliation_page& page, const responder& answer) {
  at.show<m::unsettled_listed>(at.links().notification_overview, m::list_unsettled{page}, answer,
                               [limit = page.limit](const m::unsettled_listed& listed) {
                                 return listed_view(
                                     "items", "next_after", listed.items, limit,
                                     item_view<core::named_reconciliation_item>,
                                     [](const auto& one) { return std::to_string(one.item.key.subject); });
                               });
}

void list(desk& at, const request& asked, const responder& answer) {
  const auto& kind = asked.parameters.at("kind");
  const auto target = core::parse_reconciliation_target(kind);
  if (!target && kind != create_kind && kind != lapsed_kind) {
    answer(as_response(not_found("what is not known is a " + std::string{lapsed_kind} + ", an "
                                 + words_of<core::reconciliation_target>(core::reconciliation_targets)
                                 + ", or an " + std::string{create_kind})));
    return;
  }
  const auto for_people = query_flag(asked, "for_people");
  if (!for_people) {
    answer(as_response(for_people.error()));
    return;
  }
  if (kind == create_kind) {
    list_creates(at, asked, for_people->value_or(false), answer);
    return;
  }
  const auto place = page_of(asked, "after");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  const bool of_people = for_people->value_or(false);
  if (target)
    list_targets(at, {asked.who.tenants, *target, of_people, place->from, place->limit}, answer);
  else if (of_people) // none: whoever looks at them next makes them ambiguous
    answer(json_response({{"items", json::array()}, {"next_after", nullptr}}));
  else
    list_lapsed(at, {asked.who.tenants, at.now(), {place->from}, place->limit}, answer);
}

} // namespace

void add_reconciliation_operations(router& to) {
  to.add("GET", "/v1/reconciliation", access::viewer, count);
  to.add("GET", "/v1/reconciliation/{kind}", access::viewer, list);
}

} // namespace sluice::api
