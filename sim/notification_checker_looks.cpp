#include "sim/notification_checker.hpp"

#include <algorithm>
#include <array>

// What is checked where somebody looks at what lies in the database.

namespace sluice::sim {

using core::event_progress;

/// The order each channel gives its words, as docs/notifications.md tells it to people: written down here
/// once more, for a checker that asked the product would believe it.
notification_checker::meaning notification_checker::meaning_of(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, meaning>, 20> words{{
      {"Send", {"sent", 1}},
      {"DeliveryDelay", {"delayed", 2}},
      {"Delivery", {"delivered", 3}},
      {"Bounce Transient", {"soft_bounced", 4}},
      {"Bounce Permanent", {"bounced", 5}},
      {"Complaint", {"complained", 6}},
      {"sms queued", {"queued", 1}},
      {"sms sent", {"sent", 2}},
      {"sms delivered", {"delivered", 3}},
      {"sms undelivered", {"undelivered", 4}},
      {"sms failed", {"undelivered", 4}},
      {"hook queued", {"queued", 1}},
      {"hook sent", {"sent", 2}},
      {"hook delayed", {"delayed", 3}},
      {"hook delivered", {"delivered", 4}},
      {"hook rejected", {"rejected", 5}},
      {"hook undelivered", {"undelivered", 6}},
      {"dsn delayed", {"delayed", 2}},
      {"dsn failed 4.4.7", {"soft_bounced", 4}},
      {"dsn failed 5.1.1", {"bounced", 5}},
  }};
  const auto* found = std::ranges::find(words, word, &std::pair<std::string_view, meaning>::first);
  return found == words.end() ? meaning{"a word nobody knows", 0} : found->second;
}

/// Who takes one message once tells of it under the attempt that came first.
bool notification_checker::fits(const told_event& event, const seen_attempt& attempt, bool by_id) {
  return attempt.notification == event.notification && attempt.provider == event.provider
         && (!by_id || attempt.public_id == event.attempt);
}

void notification_checker::check_event(const seen_event& row, const known_event& event,
                                       const std::map<std::int64_t, const seen_attempt*>& attempts) {
  const auto& what = event.what;
  auto by_id = !what.attempt.empty() && !takes_once_.contains(what.provider);
  if (row.progress == event_progress::matched) {
    auto found = attempts.find(row.attempt);
    if (found == attempts.end() || !fits(what, *found->second, by_id))
      violated(13,
               "event " + row.key + " of " + name_of(what.notification) + " counts for another's attempt");
    return;
  }
  if (row.progress != event_progress::unmatched)
    return;
  for (const auto& [id, attempt] : attempts) {
    auto named = what.names_attempt && attempt->public_id == what.attempt;
    auto same_message = !what.message_id.empty() && attempt->message_id == what.message_id;
    if (attempt->provider == what.provider && (named || same_message))
      violated(13, "event " + row.key + " is not matched, and its attempt is recorded");
  }
}

std::map<std::int64_t, notification_checker::folded>
notification_checker::check_ledger(const seen_correspondence& seen) {
  std::map<std::int64_t, const seen_attempt*> attempts;
  for (const auto& one : seen.notifications) {
    for (const auto& attempt : one.attempts)
      attempts[attempt.id] = &attempt;
  }
  std::map<std::int64_t, folded> by_events;
  std::set<std::string> originals;
  for (const auto& row : seen.events) {
    auto known = events_.find(row.key);
    if (known == events_.end()) {
      violated(13, "the ledger has " + row.key + ", which no provider told");
      continue;
    }
    if (row.progress == event_progress::duplicate)
      continue;
    if (!originals.insert(row.key).second)
      violated(13, "event " + row.key + " counts twice");
    check_event(row, known->second, attempts);
    if (row.progress != event_progress::matched)
      continue;
    auto& of = by_events[row.attempt];
    of.told = true;
    auto says = meaning_of(known->second.what.word);
    if (says.rank > of.rank)
      of = {std::string{says.state}, says.rank, true};
  }
  for (const auto& [key, event] : events_) {
    if (event.acknowledged && !originals.contains(key))
      violated(13, "event " + key + " was acknowledged, and is not in the ledger");
  }
  return by_events;
}

/// By the provider's answer, by an event or an answer to a question, or by a person's word.
bool notification_checker::known_taken(const seen_attempt& attempt) const {
  const auto& of = notifications_.at(attempt.notification);
  auto took = [&](const sent_message& sent) {
    return sent.told == provider_word::took && sent.provider == attempt.provider
           && (sent.attempt.empty() || sent.attempt == attempt.public_id);
  };
  auto by_id = !takes_once_.contains(attempt.provider);
  auto told = [&](const auto& each) { return fits(each.second.what, attempt, by_id); };
  return of.said_accepted || std::ranges::any_of(of.sent, took) || std::ranges::any_of(events_, told);
}

void notification_checker::check_attempt(const seen_attempt& attempt, const folded& by_events) {
  auto what = "attempt " + std::to_string(attempt.number) + " of " + name_of(attempt.notification);
  if (attempt.told != by_events.state)
    violated(13, what + " shows as \"" + attempt.told + "\", and its events say \"" + by_events.state + "\"");
  auto& rank = ranks_[attempt.id];
  if (by_events.rank < rank)
    violated(13, what + " has lost what was told of it");
  rank = by_events.rank;
  if (attempt.state == "accepted" && !known_taken(attempt))
    violated(14, what + " is accepted, and nobody said so");
}

void notification_checker::check_notification(const seen_notification& one,
                                              const std::map<std::int64_t, folded>& by_events) {
  static const folded nothing;
  std::int64_t number = 0;
  for (const auto& attempt : one.attempts) {
    auto found = by_events.find(attempt.id);
    check_attempt(attempt, found == by_events.end() ? nothing : found->second);
    if (attempt.number != ++number)
      violated(14, name_of(one.number) + " has a gap before attempt " + std::to_string(attempt.number));
  }
  if (one.state == "ambiguous" && !one.attempts.empty() && by_events.contains(one.attempts.back().id))
    violated(13, name_of(one.number) + " is ambiguous, and its provider told that it has it");
  if (one.state == "accepted" && (one.attempts.empty() || one.attempts.back().state != "accepted"))
    violated(14, name_of(one.number) + " is accepted, and its last attempt is not");
}

void notification_checker::observed(const seen_correspondence& seen) {
  auto by_events = check_ledger(seen);
  for (const auto& one : seen.notifications)
    check_notification(one, by_events);
}

void notification_checker::ended(const seen_correspondence& seen) {
  observed(seen);
  for (const auto& row : seen.events) {
    if (row.progress == event_progress::pending)
      violated(13, "event " + row.key + " was never looked at");
  }
  for (const auto& [key, event] : events_) {
    if (!event.acknowledged && !event.given_up && !event.what.asked_for)
      violated(13, "event " + key + " was never acknowledged");
  }
  for (const auto& one : seen.notifications) {
    const auto& of = notifications_.at(one.number);
    auto last = of.sent.empty() ? provider_word::unclear : of.sent.back().told;
    auto refused = last == provider_word::refused_recipient || last == provider_word::refused_message
                   || last == provider_word::refused_account;
    if (one.state == "queued" || one.state == "dispatching" || one.state == "ambiguous")
      violated(14, name_of(one.number) + " is " + one.state + " for good");
    if (one.state == "rejected" && !refused)
      violated(14, name_of(one.number) + " is rejected, and nobody refused it");
    if (one.state == "rejected" && last == provider_word::refused_account && of.place + 1 < of.route.size())
      violated(14, name_of(one.number) + " is rejected, and its route has more profiles");
  }
  std::set<std::string> audit{seen.refused.begin(), seen.refused.end()};
  for (const auto& [digest, losses] : forged_) {
    if (losses == losses_ && !audit.contains(digest))
      violated(13, "a forged callback is not in the audit: " + digest);
  }
}

} // namespace sluice::sim
