#include "actors/membership.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration longest_sleep = std::chrono::seconds{1};

} // namespace

m::membership::behavior_type membership_state::behavior(membership_resources resources) {
  resources_ = std::move(resources);
  leased(resources_.leased_at);
  self_->send(self_, m::lease_tick{});
  return {
      [this](m::lease_tick) { on_lease_tick(); },
  };
}

core::duration membership_state::margin_begins() const {
  return good_until_ - resources_.settings->node.lease_margin;
}

/// The lease runs from before the question.
void membership_state::leased(core::duration asked_at) {
  good_until_ = asked_at + resources_.settings->node.lease_length;
  renew_at_ = asked_at + resources_.settings->node.lease_renewal;
  resources_.permit->prolong(margin_begins());
  resources_.metrics->lease_granted(asked_at);
}

void membership_state::on_lease_tick() {
  if (lost_)
    return;
  auto now = resources_.time->steady();
  if (now >= margin_begins()) {
    lose("its lease was not renewed in time");
    return;
  }
  if (now >= renew_at_ && !renewing_)
    renew();
  auto next = (renewing_ ? margin_begins() : std::min(renew_at_, margin_begins())) - now;
  self_->delayed_send(self_, std::clamp(next, core::duration{1000}, longest_sleep), m::lease_tick{});
}

void membership_state::renew() {
  renewing_ = true;
  auto renewed = [this, asked_at = resources_.time->steady()] {
    renewing_ = false;
    leased(asked_at);
  };
  auto failed = [this](const caf::error& error) {
    renewing_ = false;
    if (fault_of(error) == m::fault::lease_lost)
      lose(describe(error));
    else
      renew_at_ = resources_.time->steady() + longest_sleep;
  };
  m::request(self_, resources_.recorder, resources_.settings->node.lease_length, m::renew_lease{}, renewed,
             failed);
}

void membership_state::lose(std::string why) {
  if (std::exchange(lost_, true))
    return;
  self_->send(resources_.courier, m::stop_calls{});
  resources_.unfit(std::move(why));
}

m::membership::behavior_type membership(m::membership::stateful_pointer<membership_state> self,
                                        membership_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
