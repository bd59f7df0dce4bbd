#include "core/provider_event_rank.hpp"

#include <string_view>
#include <tuple>
#include <utility>

namespace sluice::core {

std::int32_t rank_of(provider_event_type type) noexcept {
  switch (type) {
    using enum provider_event_type;
  case queued:
    return 1;
  case sent:
    return 2;
  case delayed:
    return 3;
  case delivered:
    return 4;
  case soft_bounced:
    return 5;
  case rejected:
    return 6;
  case undelivered:
    return 7;
  case bounced:
    return 8;
  case complained:
    return 9;
  case other:
    break;
  }
  return 0;
}

bool is_settled(provider_event_type type) noexcept {
  return rank_of(type) >= rank_of(provider_event_type::delivered);
}

bool outranks(const projected_event& event, const projection& before) noexcept {
  const auto rank = rank_of(event.type);
  if (rank != before.rank)
    return rank > before.rank;
  if (rank == 0)
    return false;
  const auto moment = [](const std::optional<timestamp>& at) {
    return std::pair{!at.has_value(), at.value_or(timestamp{})};
  };
  return std::tuple{moment(event.occurred_at), std::string_view{event.key}}
         < std::tuple{moment(before.at), std::string_view{before.event}};
}

projection project(const projection& before, const projected_event& event) {
  if (!outranks(event, before))
    return before;
  return {.state = event.type, .rank = rank_of(event.type), .at = event.occurred_at, .event = event.key};
}

} // namespace sluice::core
