#include "harness/scripted_transport.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace sluice::harness {

scripted_transport::scripted_transport(const providers::transport_settings& settings,
                                       const core::time_source& time, find_target find, answer_sink sink,
                                       std::function<void(scripted_transport&)> gone)
    : settings_(settings), time_(time), find_(std::move(find)), sink_(std::move(sink)),
      gone_(std::move(gone)) {}

scripted_transport::~scripted_transport() {
  gone_(*this);
}

void scripted_transport::submit(std::vector<core::outbound_call> calls) {
  std::vector<core::call_answer> refused;
  for (auto& call : calls) {
    if (stopped_ || stops_.reaches(call.owner, call.connection))
      refuse(call, refused);
    else
      waiting_.push_back(std::move(call));
  }
  hand_back(std::move(refused));
  pump();
}

void scripted_transport::withdraw(core::call_owner owner) {
  hold_back([owner](const core::outbound_call& call) { return call.owner == owner; });
}

void scripted_transport::set_stop(const core::stop_target& where) {
  stops_.add(where);
  hold_back([&where](const core::outbound_call& call) { return where.reaches(call.owner, call.connection); });
}

void scripted_transport::lift_stop(const core::stop_target& where) {
  stops_.remove(where);
}

void scripted_transport::stop_starting() {
  stopped_ = true;
  hold_back([](const core::outbound_call&) { return true; });
}

void scripted_transport::hold_back(const std::function<bool(const core::outbound_call&)>& which) {
  std::vector<core::call_answer> refused;
  std::deque<core::outbound_call> kept;
  for (auto& call : waiting_) {
    if (which(call))
      refuse(call, refused);
    else
      kept.push_back(std::move(call));
  }
  waiting_ = std::move(kept);
  hand_back(std::move(refused));
}

std::optional<core::duration> scripted_transport::next_due() const {
  return answers_.empty() ? std::nullopt : std::optional{answers_.begin()->first};
}

void scripted_transport::pump() {
  for (;;) {
    start_what_fits();
    auto due = take_due();
    if (due.empty())
      return;
    hand_back(std::move(due));
  }
}

/// An owner whose next call does not fit waits with all behind it: its calls start in their order.
void scripted_transport::start_what_fits() {
  std::unordered_set<core::call_owner> full;
  std::deque<core::outbound_call> kept;
  for (auto& call : std::exchange(waiting_, {})) {
    if (!full.contains(call.owner) && fits(call)) {
      start(call);
    } else {
      full.insert(call.owner);
      kept.push_back(std::move(call));
    }
  }
  waiting_ = std::move(kept);
}

bool scripted_transport::fits(const core::outbound_call& call) const {
  auto out = [](const auto& counts, auto key) {
    auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  };
  return out(out_of_owner_, call.owner) < limit_of(call.owner)
         && (!call.connection
             || out(out_of_connection_, call.connection) < settings_.max_in_flight_connection);
}

std::int32_t scripted_transport::limit_of(core::call_owner owner) const noexcept {
  switch (owner.kind()) {
  case core::call_owner_kind::subscription:
    return settings_.max_in_flight_subscription;
  case core::call_owner_kind::profile:
    return settings_.max_in_flight_profile;
  case core::call_owner_kind::rule:
  case core::call_owner_kind::callbacks:
    break;
  }
  return settings_.max_in_flight_rule;
}

void scripted_transport::start(const core::outbound_call& call) {
  ++out_of_owner_[call.owner];
  ++out_of_connection_[call.connection];
  auto* target = find_(call);
  auto response = target != nullptr ? target->receive(call, time_.wall())
                                    : scripted_target::response{refuse_the_connection().told, {}};
  auto answer = response.told.value_or(core::http_answer{});
  if (!response.told || response.takes >= settings_.call_timeout) {
    answer = {};
    answer.error = core::call_error::timed_out;
    answer.detail = "no answer in time";
    response.takes = settings_.call_timeout;
  }
  answer.started_at = time_.wall();
  answer.took = response.takes;
  auto now = time_.steady();
  answers_.emplace(now + response.takes,
                   coming_answer{{call.id, call.owner, std::move(answer)}, call.connection});
}

std::vector<core::call_answer> scripted_transport::take_due() {
  std::vector<core::call_answer> due;
  while (!answers_.empty() && answers_.begin()->first <= time_.steady()
         && due.size() < settings_.answer_group_max) {
    auto coming = std::move(answers_.begin()->second);
    answers_.erase(answers_.begin());
    --out_of_owner_[coming.answer.owner];
    --out_of_connection_[coming.connection];
    coming.answer.answer.ended_at = time_.wall();
    due.push_back(std::move(coming.answer));
  }
  return due;
}

void scripted_transport::hand_back(std::vector<core::call_answer> answers) {
  if (!answers.empty())
    sink_(std::move(answers));
}

void scripted_transport::refuse(const core::outbound_call& call, std::vector<core::call_answer>& into) const {
  core::http_answer answer;
  answer.error = core::call_error::unattempted;
  answer.detail = "the call was withdrawn before it started";
  answer.started_at = answer.ended_at = time_.wall();
  into.push_back({call.id, call.owner, std::move(answer)});
}

} // namespace sluice::harness
