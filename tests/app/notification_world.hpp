#pragma once

#include "providers/webhook_secret.hpp"
#include "storage/callback_refusals.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"
#include "storage/provider_profiles.hpp"
#include "tests/app/subscription_world.hpp"

#include <functional>
#include <string>
#include <utility>

namespace sluice::tests {

/// What tests of notifications ask of a node, and what they do in its database that its notifier would do.
struct notification_world : subscription_world {
  using subscription_world::subscription_world;

  [[nodiscard]] static std::string id_of(const json& one) { return one.at("id").get<std::string>(); }

  /// Of a making, as it answered.
  [[nodiscard]] json made_at(const std::string& path, json wanted) const {
    wanted.emplace("tenant", "acme");
    const auto answer = ask("POST", path, wanted);
    INFO(answer.document.dump());
    REQUIRE(answer.status == 201);
    return answer.document;
  }

  [[nodiscard]] static json profile_wish(const std::string& name = "hooks") {
    return {{"name", name},
            {"provider", "webhook"},
            {"settings", {{"url", "https://hooks.example.com/notify"}}},
            {"credentials",
             {{"secrets", {providers::make_webhook_secret(providers::signature_scheme::hmac_sha256)}}}}};
  }

  [[nodiscard]] json made_profile(const std::string& name = "hooks") const {
    return made_at("/v1/profiles", profile_wish(name));
  }

  [[nodiscard]] json made_route(const std::string& name = "usual", const json& profiles = {"hooks"}) const {
    return made_at("/v1/routes", {{"name", name}, {"profiles", profiles}});
  }

  [[nodiscard]] json made_contact(const std::string& address = "ann@example.com",
                                  const std::string& kind = "email") const {
    return made_at("/v1/contact-points", {{"kind", kind}, {"address", address}});
  }

  [[nodiscard]] static json notification_wish(const json& contact, const std::string& route = "usual") {
    return {
        {"tenant", "acme"}, {"contact", id_of(contact)}, {"route", route}, {"text", "Your order is there."}};
  }

  [[nodiscard]] http_client::answer post(const json& wanted, const std::string& key = "") const {
    return http_client{port()}.send("POST", "/v1/notifications", wanted.dump(),
                                    authorized() + (key.empty() ? key : "Idempotency-Key: " + key + "\r\n"));
  }

  [[nodiscard]] json made_notification(const json& contact) const {
    return made_at("/v1/notifications", notification_wish(contact));
  }

  /// Does it in the node's database, in one transaction.
  template <class Work>
  auto in_database(Work work) const {
    auto db = app::open_session(context, storage::access::write).value();
    auto done = storage::transact(db, work);
    REQUIRE(done);
    return std::move(*done);
  }

  [[nodiscard]] core::provider_profile_id profile_id(const json& profile) const {
    return in_database([&](storage::session& db) {
             return storage::find_profile(db, id_of(profile), core::tenant_scope{});
           })
        .value()
        .profile.id;
  }

  /// The node itself sends nothing from here on.
  void stand_still() const {
    const auto status = ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "hold still"}}).status;
    REQUIRE((status == 201 || status == 200 || status == 409)); // it may stand still already
  }

  /// A notification whose one attempt left, and nobody knows what became of it.
  [[nodiscard]] json made_ambiguous(const json& profile, const json& contact) const {
    stand_still();
    const auto made = made_notification(contact);
    const auto id = profile_id(profile);
    const auto keys = app::open_keys(context.settings).value();
    const auto now = app::wall_now();
    core::notification_claim_wish wish;
    wish.profile = id;
    wish.lease = std::chrono::minutes{1};
    const auto claimed =
        in_database([&](storage::session& db) { return storage::claim_notifications(db, wish, keys, now); });
    REQUIRE(claimed.notifications.size() == 1);
    const auto& one = claimed.notifications.front();
    core::ended_submission ended{one.notification, {one.claim.number, {}, {}}};
    ended.end.what.error_class = "timed_out";
    ended.end.what.error = "no answer came";
    in_database([&](storage::session& db) {
      return storage::record_submissions(db, id, {&ended, 1}, wish.looks, now);
    });
    return made;
  }

  /// An event of a message nobody here has sent.
  void told(const json& profile, const std::string& message) const {
    core::provider_report report;
    report.profile = profile_id(profile);
    report.tenant = "acme";
    report.received_at = app::wall_now();
    report.body = "{}";
    core::provider_event event;
    event.provider_message_id = message;
    event.type = core::provider_event_type::delivered;
    event.provider_type = "done";
    report.events = {event};
    const auto keys = app::open_keys(context.settings).value();
    in_database([&](storage::session& db) { return storage::append_reports(db, {&report, 1}, keys); });
  }

  void refuse(const json& profile) const {
    core::refused_callback refused;
    refused.at = app::wall_now();
    refused.profile = profile_id(profile);
    refused.tenant = "acme";
    refused.source = "203.0.113.7";
    refused.reason = "its signature is not the profile's";
    refused.digest = std::string(64, 'a');
    auto db = app::open_session(context, storage::access::write).value();
    REQUIRE(storage::transact(
        db, [&](storage::session& open) { return storage::add_callback_refusals(open, {&refused, 1}, {}); }));
  }

  /// The words of the acts that the audit has of a thing, newest first.
  [[nodiscard]] std::vector<std::string> acts_on(const json& one) const {
    std::vector<std::string> acts;
    const auto audit = ask("GET", "/v1/audit?subject=" + id_of(one)).document;
    for (const auto& entry : audit.at("entries"))
      acts.push_back(entry.at("act").get<std::string>());
    return acts;
  }
};

} // namespace sluice::tests
