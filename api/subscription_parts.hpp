#pragma once

#include "api/operation_parts.hpp"
#include "api/subscription_views.hpp"
#include "messages/subscription_overview.hpp"
#include "messages/subscription_registrar.hpp"

#include <expected>
#include <functional>
#include <optional>
#include <string>

/// What the operations on subscriptions, events and deliveries share.
namespace sluice::api {

inline constexpr std::int64_t subscription_rows_max = 1000; ///< of a page

/// Goes on with the subscription the route's {subscription} names. One that the caller may not see does not
/// exist for them.
void with_subscription(desk& at, const request& asked, const responder& answer,
                       std::function<void(core::subscription&)> then);

/// Likewise with the one of this id, which a body names.
void with_subscription(desk& at, const caller& who, const std::string& id, const responder& answer,
                       std::function<void(core::subscription&)> then);

/// Goes on with what became of the route's {event} for its {subscription}.
void with_delivery(desk& at, const request& asked, const responder& answer,
                   std::function<void(const core::subscription&, core::event_delivery&)> then);

[[nodiscard]] messages::named_subscription named(const core::subscription& one);

/// The tenant `given` names; without a name the only one the caller sees.
[[nodiscard]] std::expected<std::string, problem> tenant_of(const caller& who, const std::string& given);

/// The members a person writes, over what is there; their faults go into `body`. A masked value stands for
/// the one its header has.
void read_settings(body_reader& body, core::subscription& into);

/// Absent: it is not said.
[[nodiscard]] std::optional<messages::signing> signing_of(body_reader& body);

/// A new event waits to be fanned out.
void hint_events(const desk& at);
/// A subscription was made, changed or removed.
void hint_subscription(const desk& at, core::subscription_id which);

/// The place of a page: where it begins and how long it is.
struct page_place {
  std::int64_t from = 0;
  std::int64_t limit = 100;
};
[[nodiscard]] std::expected<page_place, problem> page_of(const request& asked, std::string_view from_name);

/// {NAME: rows, NEXT: where the next page begins, or null}.
template <class Rows, class View, class Place>
json listed_view(const char* name, const char* next, const Rows& rows, std::int64_t limit, View view,
                 Place place) {
  auto shown = json::array();
  for (const auto& row : rows)
    shown.push_back(view(row));
  const auto more = std::cmp_equal(rows.size(), limit);
  return {{name, std::move(shown)}, {next, more ? json(place(rows.back())) : json(nullptr)}};
}

} // namespace sluice::api
