#include "core/event_matcher.hpp"

#include "core/event_type.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

event_matcher::event_matcher(std::vector<fan_out_subscription> subscriptions) {
  std::ranges::sort(subscriptions, {}, &fan_out_subscription::id);
  for (auto& each : subscriptions)
    of_tenant_[each.tenant].push_back(compile(std::move(each)));
}

event_matcher::matched event_matcher::compile(fan_out_subscription about) {
  matched made;
  made.about = std::move(about);
  if (!made.about.filter.empty()) {
    if (auto predicate = filter::compile(made.about.filter))
      made.predicate = std::move(*predicate);
    else
      made.predicate_unreadable = true;
  }
  if (!made.about.ordered_by.empty()) {
    if (auto order = ordering_key::compile(made.about.ordered_by))
      made.order = std::move(*order);
  }
  return made;
}

std::optional<fanned_out> event_matcher::match(matched& subscription, const change_event& event) {
  const auto& about = subscription.about;
  if (!about.access_accepted || event.position <= about.starts_after)
    return std::nullopt;
  if (event.only && event.only != about.id)
    return std::nullopt;
  fanned_out made{about.id, event.position, about.mode, true, std::nullopt};
  if (event.only)
    return made;
  made.passes = !subscription.predicate_unreadable && matches_event_type(about.event_types, event.type)
                && (!subscription.predicate || subscription.predicate->passes(event.body).value_or(false));
  if (made.passes && subscription.order) {
    if (auto key = subscription.order->of(event.body))
      made.ordering_key = std::move(*key);
  }
  return made;
}

fan_out_batch event_matcher::next_batch(const fan_out_cursor& from, const std::vector<change_event>& events,
                                        const fan_out_limits& limits) {
  fan_out_batch batch{from, from, {}};
  const auto of_event = events.size() == 1 ? limits.deliveries_of_lone_event : limits.deliveries;
  for (const auto& event : events) {
    const auto found = of_tenant_.find(event.tenant);
    if (found != of_tenant_.end()) {
      auto& all = found->second;
      const auto after = [](const matched& each) { return each.about.id; };
      auto next = std::ranges::upper_bound(all, batch.to.subscription, {}, after);
      const auto most = std::min(limits.deliveries, batch.deliveries.size() + of_event);
      for (; next != all.end(); ++next) {
        if (batch.deliveries.size() >= most)
          return batch;
        if (auto made = match(*next, event))
          batch.deliveries.push_back(std::move(*made));
        batch.to.subscription = next->about.id;
      }
    }
    batch.to = {event.position, {}};
  }
  return batch;
}

} // namespace sluice::core
