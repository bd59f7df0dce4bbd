#include "sim/audience.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/events.hpp"
#include "storage/pull.hpp"
#include "storage/subscriptions.hpp"

#include <caf/send.hpp>

#include <algorithm>

// What people and owners do, and what is there when somebody looks.

namespace sluice::sim {

namespace m = messages;
using core::subscription_status;

namespace {

constexpr const char* who = "an operator";
constexpr core::duration replayed_window = std::chrono::hours{1};
constexpr std::int64_t everything = 1'000'000;
constexpr std::size_t every_byte = std::size_t{1} << 30;

std::string key_of(const core::change_event& event) {
  return event.source ? change_key(event.source->source_id, event.type, version_of(event.body)) : event.body;
}

} // namespace

core::subscription audience::stored(const subscription& of) {
  auto found = world_.must(storage::load_subscription(world_.db(), of.facts.subscription, *world_.keys()));
  if (!found)
    world_.fail("subscription " + of.facts.name + " is gone");
  return found->settings;
}

void audience::act() {
  ++acts_;
  const auto& of = dice_.pick(subscriptions_);
  switch (dice_.below(5)) {
  case 0:
    return retry(of);
  case 1:
    return rotate(of);
  case 2:
    return replay(of);
  default:
    return switch_it(of);
  }
}

void audience::switch_it(const subscription& of) {
  if (stored(of).status != subscription_status::active)
    return set_status(of, subscription_status::active);
  set_status(of, dice_.chance(0.5) ? subscription_status::paused : subscription_status::disabled);
}

/// What was asked for before and is not answered yet does not count any more.
void audience::set_status(const subscription& of, subscription_status to) {
  auto is = stored(of);
  if (is.status == to)
    return;
  note(std::string{who} + " makes subscription " + of.facts.name + " " + std::string{to_string(to)});
  std::erase_if(asked_, [&](const auto& each) { return each.subscription == of.facts.subscription; });
  core::subscription_status_change change{of.facts.subscription, is.status, to, {}, "a person says so"};
  if (to == subscription_status::disabled)
    change.cause = core::disable_cause::person;
  core::audit_entry audit;
  audit.by = who;
  audit.act = "change_status";
  audit.subject = is.public_id;
  audit.tenant = is.tenant;
  if (to == subscription_status::active)
    checker_.unsilenced(of.facts.subscription);
  auto answer = world_.ask<m::subscription_status_recorded>(world_.push_dispatcher(),
                                                            m::change_subscription_status{{change, audit}});
  if (to != subscription_status::active)
    asked_.push_back({of.facts.subscription, std::move(answer)});
}

void audience::heed_answers() {
  for (const auto& [of, answer] : asked_) {
    if (answer.answered() && answer.value().changed)
      checker_.silenced(of);
  }
  std::erase_if(asked_, [](const auto& each) { return each.answer.answered() || each.answer.failed(); });
}

void audience::node_died() {
  asked_.clear();
}

void audience::rotate(const subscription& of) {
  if (of.facts.pulls)
    return;
  note(std::string{who} + " gives subscription " + of.facts.name + " a new secret");
  auto secret = fresh_secret();
  auto overlap = world_.settings().subscriptions.secret_overlap;
  auto rotated = storage::transact(world_.db(), [&](storage::session& db) {
    return storage::rotate_secret(db, of.facts.subscription, secret, overlap, *world_.keys(), world_.now());
  });
  if (!rotated) // so many sign that another one has to wait
    return;
  checker_.rotated(of.facts.subscription, secret, world_.now() + overlap, now());
  caf::anon_send(world_.push_dispatcher(), m::subscription_changed{of.facts.subscription});
}

void audience::retry(const subscription& of) {
  learn_events();
  auto all = deliveries(of);
  std::erase_if(all, [](const core::event_delivery& each) {
    return each.progress.state == core::delivery_state::pending
           || each.progress.state == core::delivery_state::skipped_filter;
  });
  if (of.facts.pulls || all.empty())
    return;
  const auto& one = dice_.pick(all);
  note(std::string{who} + " wants event " + one.event + " delivered again to " + of.facts.name);
  checker_.restarted(of.facts.subscription, key_of_.at(one.position), now());
  static_cast<void>(world_.ask<core::event_delivery>(
      world_.push_dispatcher(),
      m::restart_delivery{{of.facts.subscription, one.position, core::operator_request::retry, who}}));
}

/// Of what is dead by now: a replay passes over what changes after it began.
void audience::replay(const subscription& of) {
  if (of.facts.pulls)
    return;
  core::replay_start start;
  start.subscription = of.facts.subscription;
  start.which = {world_.now() - replayed_window, world_.now(), core::default_replay_states()};
  start.by = who;
  learn_events();
  for (const auto& each : deliveries(of)) {
    auto within = each.occurred_at >= start.which.from && each.occurred_at < start.which.to;
    if (within && each.progress.state == core::delivery_state::dead)
      checker_.restarted(of.facts.subscription, key_of_.at(each.position), now());
  }
  note(std::string{who} + " replays what is dead of subscription " + of.facts.name);
  static_cast<void>(world_.ask<core::replay_job>(world_.replayer(), m::start_replay{std::move(start)}));
}

void audience::read_all() {
  for (const auto& each : subscriptions_) {
    if (each.facts.pulls && stored(each).status == subscription_status::active)
      read(each);
  }
}

/// A few pages. An owner may end before it has advanced, and then reads them again.
void audience::read(const subscription& of) {
  auto cursor = stored(of).cursor;
  auto after = cursor;
  for (auto through = false; !through;) {
    core::pull_wish wish{of.facts.subscription, after, dice_.between(1, 30), every_byte};
    auto page = world_.must(
        storage::transact(world_.db(), [&](storage::session& db) { return storage::read_pull(db, wish); }));
    for (const auto& event : page.events)
      checker_.pulled(of.facts.subscription, key_of(event));
    after = page.next;
    through = page.through || (!faults_.resting() && dice_.chance(0.2));
  }
  note("the owner of " + of.facts.name + " has read up to " + std::to_string(after.value));
  if (faults_.resting() || dice_.chance(0.8))
    advance(of, cursor, after);
}

void audience::advance(const subscription& of, core::event_position from, core::event_position to) {
  for (auto through = false; !through;) {
    core::pull_advance wanted{of.facts.subscription, from, to, dice_.between(1, 50)};
    auto moved = world_.must(storage::transact(
        world_.db(), [&](storage::session& db) { return storage::advance_pull(db, wanted, world_.now()); }));
    if (moved.verdict != core::cursor_verdict::advanced)
      world_.fail("a pull cursor did not go from " + std::to_string(from.value) + " to what was offered, "
                  + std::to_string(to.value));
    from = moved.cursor;
    through = moved.through || from == to;
  }
}

void audience::rest() {
  faults_.rest();
  for (const auto& each : subscriptions_)
    set_status(each, subscription_status::active);
  read_all();
}

bool audience::at_rest() {
  return std::ranges::all_of(subscriptions_, [this](const subscription& each) {
    auto open = [](const core::event_delivery& delivery) {
      return delivery.progress.state == core::delivery_state::pending
             || delivery.progress.state == core::delivery_state::retrying;
    };
    return stored(each).status == subscription_status::active && std::ranges::none_of(deliveries(each), open);
  });
}

std::vector<core::event_delivery> audience::deliveries(const subscription& of) {
  return world_.must(
      storage::list_event_deliveries(world_.db(), {of.facts.subscription, {}, {}, everything}));
}

void audience::learn_events() {
  auto last = key_of_.empty() ? core::event_position{} : key_of_.rbegin()->first;
  for (const auto& event : world_.must(storage::read_events(world_.db(), last, everything, every_byte)))
    key_of_[event.position] = key_of(event);
}

std::vector<seen_delivery> audience::seen(const subscription& of) {
  std::vector<seen_delivery> found;
  for (const auto& each : deliveries(of))
    found.push_back({key_of_.at(each.position), each.progress.state, each.progress.attempts});
  return found;
}

void audience::look() {
  learn_events();
  for (const auto& each : subscriptions_)
    checker_.observed(each.facts.subscription, seen(each), now());
}

void audience::end() {
  learn_events();
  for (const auto& each : subscriptions_)
    checker_.ended(each.facts.subscription, seen(each));
}

std::string audience::state_text() {
  std::string text;
  for (const auto& each : subscriptions_) {
    for (const auto& delivery : deliveries(each))
      text +=
          std::string{to_string(delivery.progress.state)} + std::to_string(delivery.progress.attempts) + ",";
  }
  return text;
}

} // namespace sluice::sim
