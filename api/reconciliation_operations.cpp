#include "api/notification_parts.hpp"
#include "api/operations.hpp"

#include <charconv>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::string_view create_kind = "unknown_create"; ///< beside those of core::reconciliation_target

template <class T>
json or_null(const T& value) {
  return value == T{} ? json(nullptr) : json(value);
}

json item_view(const core::reconciliation_item& one) {
  const bool event = one.key.kind == core::reconciliation_target::unmatched_event;
  return {{"kind", core::to_string(one.key.kind)},
          {"notification", or_null(one.notification_public_id)},
          {"attempt", or_null(one.number)},
          {"event", event ? json(one.key.subject) : json(nullptr)},
          {"profile", or_null(one.profile_name)},
          {"rule", nullptr},
          {"record", nullptr},
          {"since", time_view(one.since)},
          {"looks", one.looks},
          {"next_look_at", time_view(one.next_look)},
          {"verdict", one.verdict ? json(core::to_string(*one.verdict)) : json(nullptr)},
          {"needs_person", one.needs_person}};
}

json create_view(const core::unknown_create& one) {
  return {{"kind", create_kind},     {"notification", nullptr},
          {"attempt", nullptr},      {"event", nullptr},
          {"profile", nullptr},      {"rule", one.rule_name},
          {"record", one.source_id}, {"since", time_view(one.since)},
          {"looks", one.looks},      {"next_look_at", time_view(one.next_look)},
          {"verdict", nullptr},      {"needs_person", one.needs_person}};
}

json count_view(std::string_view kind, const core::unsettled_counts::of_kind& of) {
  return {
      {"kind", kind}, {"left", of.targets}, {"for_people", of.for_people}, {"since", time_view(of.since)}};
}

void count(desk& at, const request& asked, const responder& answer) {
  at.show<core::unsettled_counts>(at.links().notification_overview, m::count_unsettled{asked.who.tenants},
                                  answer, [](const core::unsettled_counts& counts) {
                                    auto kinds = json::array();
                                    for (std::size_t kind = 0; kind < core::reconciliation_targets; ++kind) {
                                      const auto which = static_cast<core::reconciliation_target>(kind);
                                      kinds.push_back(count_view(core::to_string(which), counts.of(which)));
                                    }
                                    kinds.push_back(count_view(create_kind, counts.creates));
                                    return json{{"ambiguous_notifications", counts.ambiguous},
                                                {"kinds", std::move(kinds)}};
                                  });
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
        return listed_view("items", "next_after", listed.creates, limit, create_view, [](const auto& one) {
          return std::to_string(one.rule.value) + "." + std::to_string(one.record.value);
        });
      });
}

void list_targets(desk& at, const request& asked, core::reconciliation_page page, const responder& answer) {
  const auto place = page_of(asked, "after");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  page.after_subject = place->from;
  page.limit = place->limit;
  at.show<m::unsettled_listed>(at.links().notification_overview, m::list_unsettled{page}, answer,
                               [limit = page.limit](const m::unsettled_listed& listed) {
                                 return listed_view(
                                     "items", "next_after", listed.items, limit, item_view,
                                     [](const auto& one) { return std::to_string(one.key.subject); });
                               });
}

void list(desk& at, const request& asked, const responder& answer) {
  const auto& kind = asked.parameters.at("kind");
  const auto wanted = query_text(asked, "for_people");
  if (!wanted.empty() && wanted != "true" && wanted != "false") {
    answer(as_response(invalid_member("for_people", "for_people must be true or false")));
    return;
  }
  const bool for_people = wanted == "true";
  const auto target = core::parse_reconciliation_target(kind);
  if (kind == create_kind)
    list_creates(at, asked, for_people, answer);
  else if (target)
    list_targets(at, asked, {asked.who.tenants, *target, for_people, 0, 100}, answer);
  else
    answer(as_response(not_found("what is not known is an "
                                 + words_of<core::reconciliation_target>(core::reconciliation_targets)
                                 + ", or an " + std::string{create_kind})));
}

} // namespace

void add_reconciliation_operations(router& to) {
  to.add("GET", "/v1/reconciliation", access::viewer, count);
  to.add("GET", "/v1/reconciliation/{kind}", access::viewer, list);
}

} // namespace sluice::api
