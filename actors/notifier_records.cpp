#include "actors/notifier.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <iterator>
#include <string>
#include <utility>

// What a notifier has recorded.

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration write_pause = std::chrono::seconds{1};

} // namespace

/// Everything there is by now at once; what comes meanwhile goes with the next.
void notifier_state::record() {
  if (writes_ > 0 || waiting_)
    return;
  record_ended();
  record_returned();
}

void notifier_state::record_ended() {
  if (ended_.empty())
    return;
  ++writes_;
  auto ended = std::exchange(ended_, {});
  auto recorded = [this, told = turn_.told](const core::submissions_recorded& answer) {
    --writes_;
    on_recorded(answer, told);
  };
  auto failed = [this, ended](const caf::error& error) mutable {
    --writes_;
    ended_.insert(ended_.begin(), std::make_move_iterator(ended.begin()),
                  std::make_move_iterator(ended.end()));
    on_write_failed(error);
  };
  m::request(self_, resources_.node->recorder, patience(),
             m::record_submissions{resources_.profile, std::move(ended), looks()}, recorded, failed);
}

void notifier_state::record_returned() {
  if (returned_.empty())
    return;
  ++writes_;
  auto returned = std::exchange(returned_, {});
  auto given = [this] {
    --writes_;
    record();
    go_on();
  };
  auto failed = [this, returned](const caf::error& error) {
    --writes_;
    returned_.insert(returned_.begin(), returned.begin(), returned.end());
    on_write_failed(error);
  };
  m::request(self_, resources_.node->recorder, patience(), m::give_back_submissions{std::move(returned)},
             given, failed);
}

/// `told` are the words of more that had come when it was asked: what they were about was committed before.
void notifier_state::on_recorded(const core::submissions_recorded& answer, std::uint64_t told) {
  turn_.next_due = answer.next_due;
  if (questions_ == 0) { // else the claim that is out knows better
    turn_.heard = told;
    turn_.more = turn_.told > told || (answer.next_due && *answer.next_due <= now());
  }
  if (!answer.fallbacks.empty())
    self_->send(resources_.dispatcher, m::notifications_due{answer.fallbacks});
  if (answer.early_events > 0)
    self_->send(resources_.dispatcher, m::early_events_found{});
  record();
  go_on();
}

/// What was learned is kept and written again; a node that lost its lease may write nothing, and the next
/// owner finds these attempts past their leases, which makes them ambiguous.
void notifier_state::on_write_failed(const caf::error& error) {
  log_failure(error);
  turn_.held_back = true;
  leave();
  if (fault_of(error) == m::fault::lease_lost) {
    ended_.clear();
    returned_.clear();
    go_on();
    return;
  }
  waiting_ = true;
  self_->send(resources_.node->alarm, m::set_timer{write_pause, {}, m::notifier{self_}});
}

void notifier_state::log_failure(const caf::error& error) const {
  telemetry::log(telemetry::event::sending_failed, name,
                 {{"profile", std::to_string(resources_.profile.value)}, {"reason", describe(error)}});
}

} // namespace sluice::actors
