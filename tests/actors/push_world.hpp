#pragma once

#include "providers/webhook_signature.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/events.hpp"
#include "storage/subscriptions.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::tests {

inline constexpr const char* webhook_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A world whose node fans out and pushes. A subscriber is a target that answers 204, at its name's address.
struct push_world : catch_world {
  struct options {
    std::string target = "hook";
    std::string ordered_by = {};
    std::string filter = {};
    std::vector<std::string> types = {"*"};
  };

  explicit push_world(const config::subscription_settings& changed = {})
      : catch_world(with_subscriptions(changed)) {
    add_tenant("acme");
    add_subscriber("hook");
    settle();
  }

  static harness::world_options with_subscriptions(const config::subscription_settings& changed) {
    harness::world_options made;
    made.settings.subscriptions = changed;
    made.settings.delivery.dispatch_interval = std::chrono::minutes{1}; // hints do; a day passes sooner
    made.settings.subscriptions.fan_out_interval = std::chrono::minutes{1};
    made.subscriptions = true;
    return made;
  }

  harness::scripted_target& add_subscriber(const std::string& name) {
    auto& made = add_target(name);
    made.on("POST", harness::answer(204));
    return made;
  }
  harness::scripted_target& hook() { return target("hook"); }

  core::subscription_id subscribe(const std::string& name, const options& how) {
    core::subscription wanted;
    wanted.tenant = "acme";
    wanted.name = name;
    wanted.url = target(how.target).address() + "/events";
    wanted.event_types = how.types;
    wanted.filter = how.filter;
    wanted.ordered_by = how.ordered_by;
    auto made = must(storage::transact(db(), [&](storage::session& open) {
      return storage::make_subscription(open, wanted, webhook_secret, *keys(), now());
    }));
    hint();
    settle();
    return made.id;
  }
  core::subscription_id subscribe(const std::string& name = "all") { return subscribe(name, options{}); }

  core::subscription stored(core::subscription_id subscription) {
    auto found = must(storage::load_subscription(db(), subscription, *keys()));
    if (!found)
      fail("the subscription is gone");
    return found->settings;
  }

  /// Committed, hinted and not yet looked at; the event's public id.
  std::string publish(const std::string& body = "{}", const std::string& type = "orders.created") {
    core::event_to_publish wanted;
    wanted.tenant = "acme";
    wanted.type = type;
    wanted.body = body;
    auto made = must(storage::transact(
        db(), [&](storage::session& open) { return storage::publish_event(open, wanted, now()); }));
    hint();
    return made.public_id;
  }

  core::event_delivery delivery(core::subscription_id subscription, std::string_view event) {
    auto found = must(storage::find_event_delivery(db(), subscription, event));
    if (!found)
      fail("there is no delivery of event " + std::string{event});
    return *found;
  }
  /// Its word; "none": there is no such delivery.
  std::string state(core::subscription_id subscription, std::string_view event) {
    auto found = must(storage::find_event_delivery(db(), subscription, event));
    return found ? std::string{core::to_string(found->progress.state)} : "none";
  }
  std::vector<core::delivery_attempt> attempts(core::subscription_id subscription, std::string_view event) {
    return must(storage::list_attempts(db(), subscription, delivery(subscription, event).position, 0, 100));
  }
  /// "1 transient, 2 acknowledged"; an attempt on its way has no ending.
  std::string endings(core::subscription_id subscription, std::string_view event) {
    std::string text;
    for (const auto& each : attempts(subscription, event))
      text += (text.empty() ? "" : ", ") + std::to_string(each.number)
              + (each.ending ? " " + std::string{core::to_string(*each.ending)} : "");
    return text;
  }

  messages::change_subscription_status change(core::subscription_id subscription,
                                              core::subscription_status from, core::subscription_status to) {
    core::subscription_status_change wanted{subscription, from, to, {}, "a person says so"};
    if (to == core::subscription_status::disabled)
      wanted.cause = core::disable_cause::person;
    core::audit_entry audit;
    audit.by = "ada";
    audit.act = "change_status";
    audit.subject = stored(subscription).public_id;
    audit.tenant = "acme";
    return {{wanted, audit}};
  }
};

/// The value of a header of a call, empty where it has none.
inline std::string header_of(const harness::seen_call& call, std::string_view name) {
  const auto begin = std::string{name} + ": ";
  for (const auto& line : call.headers) {
    if (line.starts_with(begin))
      return line.substr(begin.size());
  }
  return {};
}

inline bool verifies(const harness::seen_call& call) {
  const auto id = header_of(call, "webhook-id");
  const auto timestamp = header_of(call, "webhook-timestamp");
  const auto signature = header_of(call, "webhook-signature");
  return providers::verify_webhook({id, timestamp, signature, call.body}, webhook_secret, call.at)
      .has_value();
}

/// The bodies of the calls, in their order, with blanks between.
inline std::string bodies_of(const std::vector<harness::seen_call>& calls) {
  std::string text;
  for (const auto& call : calls)
    text += (text.empty() ? "" : " ") + call.body;
  return text;
}

} // namespace sluice::tests
