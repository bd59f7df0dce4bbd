#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace sluice::core {

/// An integer identity that cannot be mixed up with another kind of identity.
/// Zero never names a row; a default-made id means "none".
template <class Tag>
struct strong_id {
  std::int64_t value = 0;

  [[nodiscard]] explicit operator bool() const noexcept { return value != 0; }
  friend auto operator<=>(strong_id, strong_id) = default;
};

template <class Inspector, class Tag>
auto inspect(Inspector& f, strong_id<Tag>& x) {
  return f(x.value);
}

using connection_id = strong_id<struct connection_tag>;      ///< one account in one outside system
using rule_id = strong_id<struct rule_tag>;                  ///< one sync rule
using record_id = strong_id<struct record_tag>;              ///< the mirror's local row id, growing
using run_id = strong_id<struct run_tag>;                    ///< one chain of steps
using intent_batch_id = strong_id<struct intent_batch_tag>;  ///< intents written together
using subscription_id = strong_id<struct subscription_tag>;  ///< who wants change events, and how
using change_event_id = strong_id<struct change_event_tag>;  ///< one change event
using event_position = strong_id<struct event_position_tag>; ///< its place among the committed ones, dense
using provider_profile_id = strong_id<struct provider_profile_tag>;         ///< one account at one provider
using notification_id = strong_id<struct notification_tag>;                 ///< one thing that is to be told
using notification_attempt_id = strong_id<struct notification_attempt_tag>; ///< one numbered try of it
using provider_report_id = strong_id<struct provider_report_tag>;           ///< what a provider told at once
using provider_event_id = strong_id<struct provider_event_tag>;             ///< one event of it, growing
using contact_point_id = strong_id<struct contact_point_tag>;               ///< one address of somebody
using notification_route_id = strong_id<struct notification_route_tag>;     ///< profiles in their order

} // namespace sluice::core

template <class Tag>
struct std::hash<sluice::core::strong_id<Tag>> {
  std::size_t operator()(sluice::core::strong_id<Tag> id) const noexcept {
    return std::hash<std::int64_t>{}(id.value);
  }
};
