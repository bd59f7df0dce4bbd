#pragma once

#include "storage/contact_points.hpp"
#include "storage/notification_routes.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_profiles.hpp"
#include "storage/reconciliation_targets.hpp"
#include "tests/actors/sending_adapter.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

/// A world whose node sends notifications. A provider is a target that takes messages at its name's address;
/// tenant "acme" has profiles "mail" and "backup", and a route over both. What is made is told to the node.
struct notification_world : catch_world {
  using settings_change = std::function<void(config::settings&)>;

  explicit notification_world(
      const config::notification_settings& changed = {}, const std::string& settings = "",
      const settings_change& change = [](auto&) {})
      : catch_world(with_notifications(changed, change)) {
    add_tenant("acme");
    mail = add_provider("mail", settings);
    backup = add_provider("backup");
    person = contact("ada@x.example");
    route = make_route("over both", {"mail", "backup"});
    settle();
  }

  static harness::world_options with_notifications(const config::notification_settings& changed,
                                                   const settings_change& change) {
    harness::world_options made;
    made.settings.notifications = changed;
    made.settings.delivery.dispatch_interval = std::chrono::minutes{1}; // it is told; a day passes sooner
    made.notifications = true;
    change(made.settings);
    made.shape = [](harness::node_parts& parts) { parts.make_adapter = sending_adapter::make; };
    return made;
  }

  core::provider_profile profile(const std::string& name, const std::string& more = "") {
    core::provider_profile made;
    made.tenant = "acme";
    made.name = name;
    made.settings = R"({"url":")" + target(name).address() + "\"" + more + "}";
    made.credentials = R"({"secret":"of )" + name + "\"}";
    return made;
  }

  core::provider_profile_id add_provider(const std::string& name, const std::string& more = "") {
    auto& made = add_target(name);
    take_messages(made);
    return must(storage::transact(db(),
                                  [&](storage::session& open) {
                                    return storage::make_profile(open, profile(name, more), *keys(), now());
                                  }))
        .profile.id;
  }

  /// Every message is taken, under a number of its own; tokens are given.
  static void take_messages(harness::scripted_target& by) {
    by.decide([taken = 0](const harness::seen_call& call) mutable -> std::optional<harness::reaction> {
      if (call.path != "/messages")
        return std::nullopt;
      return harness::answer(202, R"({"id":"m-)" + std::to_string(++taken) + "\"}");
    });
  }

  core::contact_point_id contact(const std::string& address) {
    core::contact_wish wish;
    wish.tenant = "acme";
    wish.address = {core::contact_kind::email, address};
    wish.by = "ada";
    return must(storage::transact(db(),
                                  [&](storage::session& open) {
                                    return storage::find_or_create_contact_point(
                                        open, wish, {*keys(), fingerprints_}, now());
                                  }))
        .record.id;
  }

  core::notification_route_id make_route(const std::string& name, const std::vector<std::string>& profiles) {
    core::notification_route wanted;
    wanted.tenant = "acme";
    wanted.name = name;
    for (const auto& each : profiles)
      wanted.steps.push_back({each, {}, {}});
    return must(storage::transact(db(),
                                  [&](storage::session& open) {
                                    return storage::make_notification_route(open, wanted, now());
                                  }))
        .id;
  }

  core::notification_wish wanted(const std::string& text = "It is on its way.") const {
    core::notification_wish made;
    made.tenant = "acme";
    made.request_digest = "digest";
    made.contact = person;
    made.route = route;
    made.content.text = text;
    return made;
  }

  /// Made and told of, not yet looked at.
  core::notification_record notify(const core::notification_wish& wish) {
    auto made = must(storage::transact(db(), [&](storage::session& open) {
                  return storage::make_notification(open, wish, *keys(), now());
                })).record;
    if (made.progress.due_at)
      inject(messages::notifications_due{{{made.profile, *made.progress.due_at}}})
          .to(notification_dispatcher());
    return made;
  }
  core::notification_record notify() { return notify(wanted()); }
  std::vector<core::notification_record> notify_times(int count) {
    std::vector<core::notification_record> made;
    for (int i = 0; i < count; ++i)
      made.push_back(notify(wanted("message " + std::to_string(i))));
    return made;
  }

  core::notification_record now_of(const core::notification_record& of) {
    auto found = must(storage::find_notification(db(), of.public_id, {}));
    if (!found)
      fail("the notification is gone");
    return std::move(*found);
  }
  std::string state(const core::notification_record& of) {
    return std::string{core::to_string(now_of(of).progress.state)};
  }
  std::vector<core::notification_attempt> attempts(const core::notification_record& of) {
    return must(storage::list_notification_attempts(db(), of.id, 0, 100));
  }
  /// "1 retryable, 2 accepted".
  std::string history(const core::notification_record& of) {
    std::string text;
    for (const auto& each : attempts(of))
      text.append(text.empty() ? "" : ", ")
          .append(std::to_string(each.number) + " ")
          .append(core::to_string(each.state));
    return text;
  }
  std::size_t count_in(const std::vector<core::notification_record>& of, const std::string& wanted_state) {
    return static_cast<std::size_t>(
        std::ranges::count_if(of, [&](const auto& each) { return state(each) == wanted_state; }));
  }

  /// Messages the provider saw, tokens and status queries left out.
  std::vector<harness::seen_call> messages_at(const std::string& provider) {
    std::vector<harness::seen_call> found;
    std::ranges::copy_if(target(provider).calls(), std::back_inserter(found),
                         [](const harness::seen_call& each) { return each.path == "/messages"; });
    return found;
  }
  std::size_t calls_to(const std::string& provider, const std::string& path) {
    return static_cast<std::size_t>(
        std::ranges::count(target(provider).calls(), path, &harness::seen_call::path));
  }

  messages::settle_notification settlement(const core::notification_record& of, core::settlement_kind as) {
    core::notification_settlement found;
    found.notification = of.id;
    found.what.kind = as;
    found.who = "ada";
    found.note = "I asked them.";
    return {found};
  }

  core::provider_profile_id mail{};
  core::provider_profile_id backup{};
  core::contact_point_id person{};
  core::notification_route_id route{};

private:
  static crypto::key_ring finding_keys() {
    const std::vector<crypto::named_key> named{{"finding", std::string(64, '6')}};
    return crypto::key_ring::read(named).value();
  }

  crypto::key_ring fingerprints_ = finding_keys();
};

/// What the call's body says under the name; a number as it is written.
inline std::string member(const harness::seen_call& call, const char* name) {
  const auto found = nlohmann::json::parse(call.body).at(name);
  return found.is_string() ? found.get<std::string>() : found.dump();
}

} // namespace sluice::tests
