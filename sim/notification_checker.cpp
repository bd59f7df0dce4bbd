#include "sim/notification_checker.hpp"

#include <algorithm>

namespace sluice::sim {

using core::callback_outcome;

void notification_checker::violated(int property, std::string what) {
  if (!found_)
    found_ = violation{property, std::move(what)};
}

std::string notification_checker::name_of(std::int64_t notification) {
  return "notification " + std::to_string(notification);
}

void notification_checker::posted(std::int64_t notification, std::vector<std::size_t> route) {
  auto& made = notifications_[notification];
  made.route = std::move(route);
  made.losses = losses_;
  made.tokens_failed = tokens_failed_;
}

void notification_checker::settling(std::int64_t notification, bool as_sent) {
  auto& of = notifications_.at(notification);
  if (as_sent) {
    of.said_accepted = true;
  } else {
    of.may_go_again = true;
    ++of.not_sent;
  }
}

void notification_checker::not_settled(std::int64_t notification) {
  notifications_.at(notification).may_go_again = false;
}

/// Profiles are reached by a stop of everything alone.
void notification_checker::stop_acknowledged(const core::stop_target& where) {
  stopped_ = stopped_ || where.scope == core::stop_scope::global;
}

void notification_checker::stop_ended(const core::stop_target& where) {
  stopped_ = stopped_ && where.scope != core::stop_scope::global;
}

void notification_checker::called(const message_call& call, moment at) {
  auto known = notifications_.find(call.notification);
  if (known == notifications_.end())
    return violated(14, name_of(call.notification) + " was sent, and nobody wanted it");
  auto& of = known->second;
  if (of.cancelled)
    violated(14, name_of(call.notification) + " was sent after a person was told that it is not");
  if (stopped_)
    violated(8, name_of(call.notification) + " was sent within a stop that was acknowledged");
  check_turn(of, call, at);
  take_down(of, call, at);
}

std::size_t notification_checker::place_of(const notification_facts& of, std::size_t provider) const {
  return static_cast<std::size_t>(std::ranges::find(of.route, provider) - of.route.begin());
}

/// What ended without a call is known by its causes alone: each may have cost one attempt.
bool notification_checker::exhausted(const notification_facts& of) const {
  auto provider = of.route[of.place];
  auto count = [&](const std::map<std::size_t, std::int64_t>& counts) {
    auto found = counts.find(provider);
    return found == counts.end() ? 0 : found->second;
  };
  auto unseen = losses_ - of.losses + count(tokens_failed_) - count(of.tokens_failed);
  return of.sent_at_place + static_cast<std::size_t>(unseen) > settings_.retry_waits.size();
}

void notification_checker::check_turn(notification_facts& of, const message_call& call, moment at) {
  auto what = name_of(call.notification);
  auto place = place_of(of, call.provider);
  if (place == of.route.size())
    return violated(14, what + " was sent by a provider its route does not have");
  if (place < of.place || place > of.place + 1)
    return violated(14, what + " left its route's order");
  auto again = of.may_go_again;
  if (again && place != of.place)
    violated(14, what + " fell back where a person said that the last one was not sent");
  if (of.in_doubt && !again)
    violated(14, what + " was sent again, and nobody knows what became of the last one");
  if (!of.sent.empty() && !again)
    check_again(of, call, at);
  else if (place > of.place && !exhausted(of))
    violated(14, what + " fell back without a reason");
}

void notification_checker::check_again(notification_facts& of, const message_call& call, moment at) {
  auto what = name_of(call.notification);
  const auto& last = of.sent.back();
  auto falls_back = last.provider != call.provider;
  if (at.steady < last.answered_at)
    return violated(14, what + " was sent again while the last one was on its way");
  switch (last.told) {
  case provider_word::took:
    return violated(14, what + " was sent again, and a provider had taken it");
  case provider_word::refused_recipient:
    return violated(14, what + " was sent again, and its recipient had been refused");
  case provider_word::refused_message:
    return violated(14, what + " was sent again, and its content had been refused");
  case provider_word::unclear:
    return violated(14, what + " was sent again from ambiguous");
  case provider_word::refused_account:
    if (!falls_back && of.sent_at_place > 0)
      violated(10, what + " was sent again by a profile that had been refused");
    return;
  case provider_word::try_later:
  case provider_word::never_arrived:
    break;
  }
  auto early = at.steady < last.not_before.steady && at.wall < last.not_before.wall;
  if (!falls_back && early && last.clocks_set == clocks_set_)
    violated(10, what + " was sent again before the schedule allows it");
  if (falls_back && !exhausted(of))
    violated(14, what + " fell back before its retries were through");
  if (!falls_back && of.sent_at_place > settings_.retry_waits.size() + static_cast<std::size_t>(of.not_sent))
    violated(10, what + " was sent again after the last attempt");
}

void notification_checker::take_down(notification_facts& of, const message_call& call, moment at) {
  if (auto place = place_of(of, call.provider); place < of.route.size() && place != of.place) {
    of.place = place;
    of.sent_at_place = 0;
  }
  ++of.sent_at_place;
  of.may_go_again = false;
  of.in_doubt = false;
  if (call.at_once)
    takes_once_.insert(call.provider);
  of.taken += call.took ? 1 : 0;
  if (of.taken > 1 + of.not_sent)
    violated(14, name_of(call.notification) + " was taken twice, and nobody had said that it was not sent");
  auto wait = settings_.retry_waits[std::min(of.sent_at_place, settings_.retry_waits.size()) - 1];
  wait = std::max(wait, std::min(call.asked, wait + settings_.asked_beyond_max));
  auto there = at.steady + call.takes;
  of.sent.push_back({call.provider, call.attempt, call.told, there,
                     moment{there + wait, at.wall + call.takes + wait}, clocks_set_});
}

void notification_checker::answered(const std::string& key, callback_outcome outcome) {
  auto& event = events_.at(key);
  if (outcome == callback_outcome::recorded)
    event.acknowledged = true;
  if (outcome == callback_outcome::refused || outcome == callback_outcome::unknown)
    violated(13, "what a provider told, " + key + ", was answered as " + std::string{to_string(outcome)});
}

void notification_checker::forged(const std::string& what, const std::string& digest,
                                  callback_outcome outcome) {
  if (outcome == callback_outcome::recorded)
    violated(13, "a forged callback was recorded: " + what);
  if (outcome == callback_outcome::refused)
    forged_.emplace_back(digest, losses_);
}

} // namespace sluice::sim
