#include "api/live.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr core::duration beat_interval = std::chrono::seconds{15};
constexpr core::duration longest_pause = std::chrono::seconds{1};
constexpr const char* reconnect_text = "retry: 2000\n\n";
constexpr const char* beat_text = ": still here\n\n";

} // namespace

live_actor::behavior_type live_state::behavior(live_resources resources) {
  resources_ = std::move(resources);
  beat_at_ = resources_.time->steady();
  return {
      [this](open_page& message) { on_open_page(message); },
      [this](look_again) { on_look_again(); },
  };
}

void live_state::on_open_page(open_page& message) {
  let_old_pages_go();
  if (pages() >= resources_.settings.streams_max) {
    message.answer(
        as_response(unavailable("as many pages as allowed are open: "
                                + std::to_string(resources_.settings.streams_max) + " (live.streams_max)")));
    return;
  }
  auto queue = std::make_shared<answer_queue>(static_cast<std::size_t>(resources_.queue_bytes_max));
  response head;
  head.content_type = "text/event-stream";
  head.body = reconnect_text;
  head.stream = queue;
  auto them = std::ranges::find(audiences_, message.who.tenants, &audience::tenants);
  if (them == audiences_.end()) {
    audiences_.emplace_back().tenants = message.who.tenants;
    them = std::prev(audiences_.end());
  }
  them->pages.push_back({answer_writer{std::move(queue)}, resources_.time->steady()});
  message.answer(std::move(head));
  if (looking_)
    return;
  if (picture_ && pausing_)
    show(*them, *picture_);
  else
    look();
}

void live_state::on_look_again() {
  pausing_ = false;
  let_old_pages_go();
  if (audiences_.empty())
    picture_.reset();
  else if (!looking_)
    look();
}

void live_state::look() {
  looking_ = true;
  began_ = resources_.time->steady();
  next_ = {};
  ask<m::changes_seen>(resources_.reader, m::look_for_changes{}, [this](m::changes_seen& seen) {
    if (seen.configuration_version == names_version_)
      read_health();
    else
      read_names(seen.configuration_version);
  });
}

void live_state::read_names(std::int64_t version) {
  ask<m::names_listed>(resources_.overview, m::list_names{}, [this, version](m::names_listed& listed) {
    names_ = std::move(listed);
    names_version_ = version;
    read_health();
  });
}

void live_state::read_health() {
  ask<m::health_read>(resources_.reader, m::read_health{}, [this](m::health_read& read) {
    next_.health = std::move(read);
    next_.at = resources_.time->wall();
    for (const auto& rule : next_.health.rules)
      next_.states.push_back(core::state_of(rule, next_.health.installation, resources_.health, next_.at));
    read_stops();
  });
}

void live_state::read_stops() {
  ask<m::stops_listed>(resources_.reader, m::list_live_stops{}, [this](m::stops_listed& listed) {
    next_.stops = std::move(listed.stops);
    read_backfill();
  });
}

/// One a look, in turn, for each is counted. What is known of the others stays.
void live_state::read_backfill() {
  std::optional<core::rule_id> first;
  std::optional<core::rule_id> following;
  for (const auto& rule : next_.health.rules) {
    if (!rule.backfill_until)
      continue;
    if (!first)
      first = rule.rule;
    if (!following && rule.rule > backfill_looked_at_)
      following = rule.rule;
    if (picture_ && picture_->backfills.contains(rule.rule))
      next_.backfills[rule.rule] = picture_->backfills.at(rule.rule);
  }
  if (!first) {
    conclude();
    return;
  }
  backfill_looked_at_ = following.value_or(*first);
  ask<m::backfill_read>(resources_.reader, m::read_backfill{backfill_looked_at_},
                        [this](m::backfill_read& read) {
                          if (read.progress)
                            next_.backfills[backfill_looked_at_] = *read.progress;
                          conclude();
                        });
}

void live_state::conclude() {
  const auto changes = changes_between(picture_ ? *picture_ : live_picture{}, next_);
  for (auto& them : audiences_)
    tell(them, changes);
  picture_ = std::move(next_);
  pause();
}

void live_state::tell(audience& them, const live_changes& changes) {
  std::string text = them.called && picture_ ? gone_events(*picture_, changes, *them.called) : "";
  const auto& called = names_of(them);
  auto state = state_event(next_, called, resources_.health);
  if (state != them.state)
    text += state + "id: " + std::to_string(core::to_us(next_.at)) + "\n\n";
  them.state = std::move(state);
  if (std::ranges::any_of(them.pages, &page::told)) {
    text += change_events(next_, changes, called);
    const auto news = std::make_shared<const std::string>(std::move(text));
    for (const auto& each : them.pages) {
      if (each.told && !news->empty())
        each.out.write(news);
    }
  }
  show(them, next_);
}

/// To the pages that have nothing yet. Made once for all of them, and not for nobody.
void live_state::show(audience& them, const live_picture& picture) {
  answer_queue::piece whole;
  for (auto& each : them.pages) {
    if (each.told)
      continue;
    if (!whole)
      whole = std::make_shared<const std::string>(snapshot_event(picture, names_of(them), resources_.health));
    each.out.write(whole);
    each.told = true;
  }
}

const seen_names& live_state::names_of(audience& them) {
  if (!them.called || them.names_version != names_version_)
    them.called = names_for(caller{.name = {}, .tenants = them.tenants}, names_);
  them.names_version = names_version_;
  return *them.called;
}

/// As long as the look took, and at least so that looks begin an interval apart: a look that takes its time
/// gets half of the reader at most.
void live_state::pause() {
  looking_ = false;
  const auto now = resources_.time->steady();
  if (now - beat_at_ >= beat_interval) {
    beat_at_ = now;
    for (auto& them : audiences_)
      for (auto& each : them.pages)
        each.out.write(std::string{beat_text});
  }
  if (std::exchange(pausing_, true))
    return;
  const auto took = now - began_;
  const auto length = std::max(resources_.settings.interval - took, took);
  self_->delayed_send(self_, std::clamp(length, core::duration{1000}, longest_pause), look_again{});
}

void live_state::let_old_pages_go() {
  const auto oldest = resources_.time->steady() - resources_.settings.stream_time_max;
  for (auto& them : audiences_)
    std::erase_if(them.pages, [oldest](const page& one) { return one.out.over() || one.opened_at < oldest; });
  std::erase_if(audiences_, [](const audience& them) { return them.pages.empty(); });
}

std::int64_t live_state::pages() const {
  std::int64_t count = 0;
  for (const auto& them : audiences_)
    count += std::ssize(them.pages);
  return count;
}

live_actor::behavior_type live(live_actor::stateful_pointer<live_state> self, live_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::api
