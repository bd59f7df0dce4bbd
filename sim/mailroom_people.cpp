#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "sim/mailroom.hpp"
#include "storage/callback_refusals.hpp"
#include "storage/contact_points.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"

#include <algorithm>

// What people do about notifications, and what is there when somebody looks.

namespace sluice::sim {

namespace m = messages;
using core::notification_state;

namespace {

constexpr const char* who = "an operator";
constexpr std::int64_t everything = 1'000'000;
constexpr double guesses = 0.2; ///< of those who settle

} // namespace

std::vector<core::notification_record> mailroom::in_state(notification_state state) {
  core::notification_page page;
  page.state = state;
  page.limit = everything;
  return world_.must(storage::list_notifications(world_.db(), page));
}

void mailroom::act() {
  ++acts_;
  switch (dice_.below(4)) {
  case 0:
    return cancel_one();
  case 1:
    return lift_one();
  default:
    return settle_one();
  }
}

/// By what the provider says on its own pages, or by guess.
void mailroom::settle_one() {
  auto doubtful = in_state(notification_state::ambiguous);
  if (doubtful.empty())
    return;
  const auto& one = dice_.pick(doubtful);
  auto number = number_of_.at(one.id);
  auto by = std::ranges::find(providers_, one.profile, [](const auto& each) { return each->profile(); });
  settle(one, dice_.chance(guesses) ? dice_.chance(0.5) : (*by)->took(number));
}

void mailroom::settle(const core::notification_record& of, bool as_accepted) {
  auto number = number_of_.at(of.id);
  auto asked = [number](const asked_person& each) { return each.notification == number; };
  if (std::ranges::any_of(asked_, asked))
    return;
  note(std::string{who} + " says that notification " + std::to_string(number) + " was "
       + (as_accepted ? "accepted" : "not sent"));
  core::notification_settlement found;
  found.notification = of.id;
  found.what.kind = as_accepted ? core::settlement_kind::accepted : core::settlement_kind::not_sent;
  found.what.number = of.progress.attempts;
  found.who = who;
  checker_.settling(number, as_accepted);
  asked_.push_back({number, false,
                    world_.ask<core::notification_record>(world_.notification_dispatcher(),
                                                          m::settle_notification{std::move(found)})});
}

void mailroom::settle_all() {
  for (const auto& each : in_state(notification_state::ambiguous)) {
    auto by = std::ranges::find(providers_, each.profile, [](const auto& one) { return one->profile(); });
    settle(each, (*by)->took(number_of_.at(each.id)));
  }
}

void mailroom::cancel_one() {
  auto queued = in_state(notification_state::queued);
  if (queued.empty())
    return;
  const auto& one = dice_.pick(queued);
  note(std::string{who} + " cancels notification " + std::to_string(number_of_.at(one.id)));
  asked_.push_back({number_of_.at(one.id), true,
                    world_.ask<core::notification_record>(world_.notification_dispatcher(),
                                                          m::cancel_notification{{one.id, who, ""}})});
}

void mailroom::lift_one() {
  core::contact_page page;
  page.suppressed = true;
  page.limit = everything;
  for (const auto& each : world_.must(storage::list_contact_points(world_.db(), page))) {
    if (!dice_.chance(0.5))
      continue;
    note(std::string{who} + " lifts a suppression");
    static_cast<void>(world_.must(storage::transact(world_.db(), [&](storage::session& db) {
      return storage::lift_suppression(db, {each.id, who, ""}, world_.now());
    })));
  }
}

void mailroom::heed_people() {
  for (const auto& [notification, cancels, answer] : asked_) {
    if (answer.answered() && cancels)
      checker_.cancelled(notification);
    if (answer.failed() && !cancels)
      checker_.not_settled(notification);
  }
  std::erase_if(asked_, [](const auto& each) { return each.answer.answered() || each.answer.failed(); });
}

void mailroom::rest() {
  faults_.rest();
  settle_all();
}

bool mailroom::at_rest() {
  using enum notification_state;
  core::kept_event_page pending;
  pending.progress = core::event_progress::pending;
  return postings_.empty() && out_.empty() && asked_.empty() && in_state(queued).empty()
         && in_state(dispatching).empty() && in_state(ambiguous).empty()
         && world_.must(storage::list_provider_events(world_.db(), pending)).empty();
}

/// As provider_status.cpp and draw_story make them.
std::string mailroom::key_of(const core::kept_event& event) {
  auto by = std::ranges::find(providers_, event.profile, [](const auto& each) { return each->profile(); });
  const auto& what = event.what;
  auto begin = "p" + std::to_string((*by)->number()) + " ";
  if (!what.event_id.empty())
    return begin + "id " + what.event_id;
  auto key = begin + what.provider_message_id + " " + what.provider_type;
  if (event.source == core::report_source::callback)
    return key;
  auto& digest = digest_of_[event.report];
  if (digest.empty()) {
    auto body = world_.must(storage::open_report(world_.db(), event.report, {}, *world_.keys()));
    const auto made = crypto::sha256(body.value_or(""));
    digest = crypto::to_hex(crypto::as_bytes(made)).substr(0, 16);
  }
  return "asked " + key + " " + digest;
}

std::vector<seen_event> mailroom::seen_events() {
  core::kept_event_page page;
  page.limit = everything;
  std::vector<seen_event> found;
  for (const auto& each : world_.must(storage::list_provider_events(world_.db(), page)))
    found.push_back({key_of(each), each.progress, each.attempt ? each.attempt->value : 0});
  return found;
}

seen_correspondence mailroom::seen() {
  seen_correspondence made;
  core::notification_page page;
  page.limit = everything;
  for (const auto& each : world_.must(storage::list_notifications(world_.db(), page))) {
    auto number = number_of_.at(each.id);
    seen_notification one{number, std::string{to_string(each.progress.state)}, {}};
    for (const auto& attempt :
         world_.must(storage::list_notification_attempts(world_.db(), each.id, 0, everything))) {
      auto by = std::ranges::find(providers_, attempt.profile,
                                  [](const auto& one_of) { return one_of->profile(); });
      one.attempts.push_back({attempt.id.value, attempt.public_id, number, attempt.number, (*by)->number(),
                              std::string{to_string(attempt.state)}, attempt.provider_message_id,
                              attempt.told ? std::string{to_string(*attempt.told)} : std::string{}});
    }
    made.notifications.push_back(std::move(one));
  }
  made.events = seen_events();
  core::callback_audit_page audit;
  audit.limit = everything;
  for (const auto& each : world_.must(storage::list_callback_refusals(world_.db(), audit)))
    made.refused.push_back(each.digest);
  return made;
}

std::string mailroom::state_text() {
  std::string text;
  auto is = seen();
  for (const auto& one : is.notifications) {
    text += one.state + std::to_string(one.attempts.size());
    for (const auto& attempt : one.attempts)
      text += attempt.state + attempt.told + ",";
  }
  return text + std::to_string(is.events.size()) + "," + std::to_string(is.refused.size());
}

} // namespace sluice::sim
