#include "tests/conformance/callback_world.hpp"

#include "actors/callback_intake.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/webhook_signature.hpp"
#include "storage/callback_refusals.hpp"
#include "storage/contact_points.hpp"
#include "storage/notification_routes.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"
#include "storage/provider_profiles.hpp"
#include "storage/reconciliation_targets.hpp"

#include <algorithm>

namespace sluice::tests {

namespace {

constexpr const char* secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* other_secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

std::expected<std::shared_ptr<const providers::notification_adapter>, std::vector<std::string>>
adapter_of(const core::provider_profile& of) {
  return providers::make_notification_adapter(of,
                                              {"https://sluice.example.com/v1/callbacks/" + of.public_id});
}

harness::world_options sending_world() {
  harness::world_options made;
  made.settings.delivery.dispatch_interval = std::chrono::minutes{1};
  made.notifications = true;
  made.shape = [](harness::node_parts& parts) { parts.make_adapter = adapter_of; };
  return made;
}

crypto::key_ring finding_keys() {
  const std::vector<crypto::named_key> named{{"finding", std::string(64, '6')}};
  return crypto::key_ring::read(named).value();
}

std::optional<harness::reaction> take_message(const harness::seen_call& call, int& taken) {
  if (call.path != "/messages" || call.method != "POST")
    return std::nullopt;
  return harness::answer(202, R"({"id":"m-)" + std::to_string(++taken) + "\"}");
}

} // namespace

callback_world::callback_world(bool askable) : conformance_world(sending_world()) {
  add_tenant("acme");
  auto& receiver = add_target("receiver");
  receiver.decide([taken = 0](const harness::seen_call& call) mutable { return take_message(call, taken); });
  core::provider_profile wanted;
  wanted.tenant = "acme";
  wanted.name = "receiver";
  wanted.provider = core::provider_kind::webhook;
  wanted.settings =
      R"({"url":")" + receiver.address() + R"(/messages")"
      + (askable ? R"(,"status":{"url":")" + receiver.address() + R"(/status/{attempt_id}"})" : "") + "}";
  wanted.credentials = R"({"secrets":[")" + std::string{secret} + R"("]})";
  core::contact_wish somebody;
  somebody.tenant = "acme";
  somebody.address = {core::contact_kind::other, "desk 7"};
  core::notification_route over;
  over.tenant = "acme";
  over.name = "over it";
  over.steps = {{"receiver", {}, {}}};
  must(storage::transact(db(), [&](storage::session& open) -> storage::result<void> {
    profile_ = must(storage::make_profile(open, wanted, *keys(), now())).profile.public_id;
    person_ = must(storage::find_or_create_contact_point(open, somebody, {*keys(), finding_keys()}, now()))
                  .record.id;
    route_ = must(storage::make_notification_route(open, over, now())).id;
    return {};
  }));
  auto links = std::make_shared<actors::node_links>();
  links->recorder = recorder();
  links->courier = courier();
  links->alarm = alarm();
  links->time = &clock();
  links->settings = &settings();
  intake = spawn("callback_intake", actors::callback_intake,
                 actors::callback_intake_resources{links, recorder(), recorder(), reader(), adapter_of});
  settle();
}

core::notification_record callback_world::notify(const std::string& text) {
  core::notification_wish wish;
  wish.tenant = "acme";
  wish.request_digest = "digest";
  wish.contact = person_;
  wish.route = route_;
  wish.content.text = text;
  auto made = must(storage::transact(db(), [&](storage::session& open) {
                return storage::make_notification(open, wish, *keys(), now());
              })).record;
  inject(messages::notifications_due{{{made.profile, *made.progress.due_at}}}).to(notification_dispatcher());
  settle();
  return made;
}

core::notification_record callback_world::now_of(const core::notification_record& of) {
  return must(storage::find_notification(db(), of.public_id, {})).value();
}

std::string callback_world::state(const core::notification_record& of) {
  return std::string{core::to_string(now_of(of).progress.state)};
}

core::notification_attempt callback_world::attempt(const core::notification_record& of) {
  return must(storage::list_notification_attempts(db(), of.id, 0, 100)).back();
}

std::string callback_world::told(const core::notification_record& of) {
  const auto word = attempt(of).told;
  return word ? std::string{core::to_string(*word)} : "";
}

core::callback_outcome callback_world::post(const posted_callback& what) {
  messages::take_callback made;
  made.profile = what.profile.empty() ? profile_ : what.profile;
  made.request.method = "POST";
  made.request.path_and_query = "/v1/callbacks/" + made.profile;
  made.request.headers.emplace_back("content-type", what.type);
  made.request.body = what.body;
  made.source = "192.0.2.1";
  made.digest = "the digest";
  const auto* const key = what.forged ? other_secret : secret;
  const auto lines =
      providers::sign_webhook(what.id, what.body, {{std::string{key}, std::nullopt}}, now()).value();
  for (const auto& line : lines) {
    const auto colon = line.find(':');
    made.request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  const auto asked = ask<messages::callback_taken>(intake, std::move(made));
  settle();
  if (!asked.answered())
    fail("the callback has no answer");
  return asked.value().outcome;
}

core::callback_outcome callback_world::tell(const std::string& message, const std::string& word,
                                            const std::string& id) {
  return post({.body = R"({"id":")" + message + R"(","state":")" + word + "\"}", .id = id});
}

std::vector<core::kept_event> callback_world::events() {
  auto listed = must(storage::list_provider_events(db(), {}));
  std::ranges::reverse(listed);
  return listed;
}

std::vector<core::refused_callback> callback_world::refused() {
  return must(storage::list_callback_refusals(db(), {}));
}

std::vector<core::reconciliation_item> callback_world::targets(core::reconciliation_target kind) {
  core::reconciliation_page page;
  page.kind = kind;
  std::vector<core::reconciliation_item> items;
  for (const auto& one : must(storage::list_reconciliation_targets(db(), page)))
    items.push_back(one.item);
  return items;
}

} // namespace sluice::tests
