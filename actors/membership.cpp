#include "actors/membership.hpp"

#include "actors/reply.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration longest_sleep = std::chrono::seconds{1};

} // namespace

m::membership::behavior_type membership_state::behavior(membership_resources resources) {
  resources_ = std::move(resources);
  auto now = resources_.time->steady();
  good_until_ = now + resources_.settings->node.lease_length;
  renew_at_ = now + resources_.settings->node.lease_renewal;
  self_->send(self_, m::lease_tick{});
  return {
      [this](m::lease_tick) { on_lease_tick(); },
  };
}

void membership_state::on_lease_tick() {
  if (lost_)
    return;
  auto now = resources_.time->steady();
  if (now >= good_until_ - resources_.settings->node.lease_margin) {
    lose("its lease was not renewed in time");
    return;
  }
  if (now >= renew_at_ && !renewing_)
    renew();
  auto next = std::min(renewing_ ? good_until_ : renew_at_, good_until_) - now;
  self_->delayed_send(self_, std::clamp(next, core::duration{1000}, longest_sleep), m::lease_tick{});
}

void membership_state::renew() {
  renewing_ = true;
  auto asked_at = resources_.time->steady(); // the lease runs from before the question
  auto renewed = [this, asked_at] {
    renewing_ = false;
    good_until_ = asked_at + resources_.settings->node.lease_length;
    renew_at_ = asked_at + resources_.settings->node.lease_renewal;
  };
  auto failed = [this](const caf::error& error) {
    renewing_ = false;
    if (fault_of(error) == m::fault::lease_lost)
      lose(describe(error));
    else
      renew_at_ = resources_.time->steady() + longest_sleep;
  };
  self_->request(resources_.recorder, resources_.settings->node.lease_length, m::renew_lease{})
      .then(renewed, failed);
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
