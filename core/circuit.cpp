#include "core/circuit.hpp"

#include "core/assertion.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 3> state_words{"closed", "open", "half_open"};
static_assert(state_words[static_cast<std::size_t>(circuit_state::half_open)] == "half_open");

constexpr std::array<std::string_view, 4> signal_words{"success", "transient", "gone", "rejected"};
static_assert(signal_words[static_cast<std::size_t>(circuit_signal::rejected)] == "rejected");

} // namespace

std::string_view to_string(circuit_signal signal) noexcept {
  const auto index = static_cast<std::size_t>(signal);
  return index < signal_words.size() ? signal_words[index] : std::string_view{"unknown"};
}

std::string_view to_string(circuit_state state) noexcept {
  const auto index = static_cast<std::size_t>(state);
  return index < state_words.size() ? state_words[index] : std::string_view{"unknown"};
}

circuit::clearance circuit::ask(timestamp now) {
  if (state_ == circuit_state::closed)
    return {.many = true, .one = false, .retry_at = std::nullopt};
  if (state_ == circuit_state::open) {
    // A wall clock that was set back must not lengthen the wait.
    open_until_ = std::min(*open_until_, now + cooldown_);
    if (now < *open_until_)
      return {.many = false, .one = false, .retry_at = open_until_};
    state_ = circuit_state::half_open;
    trial_out_ = false;
    open_until_.reset();
  }
  if (!trial_out_) {
    trial_out_ = true;
    return {.many = false, .one = true, .retry_at = std::nullopt};
  }
  // The trial's answer may come at any moment: a tenth of the wait that led here is soon enough to look.
  return {.many = false, .one = false, .retry_at = now + settings_.cooldown / 10};
}

void circuit::report(circuit_signal signal, std::int32_t count, timestamp now) {
  assert_that(count >= 1, "a report is about at least one answer");
  if (state_ == circuit_state::open)
    return; // a call that was out when the circuit opened: the cooldown stands
  if (signal == circuit_signal::success) {
    close();
    return;
  }
  if (state_ == circuit_state::half_open) {
    if (signal == last_ || signal == circuit_signal::transient) {
      last_ = signal;
      open(now, std::min(cooldown_ * 2, std::max(settings_.cooldown, settings_.cooldown_max)));
      return;
    }
    close(); // an unhealthy answer of another kind: what opened the circuit is over
  }
  // Compared before added: a count from outside must not overflow.
  in_a_row_ = signal == last_ && in_a_row_ < settings_.failures ? in_a_row_ : 0;
  last_ = signal;
  in_a_row_ = count >= settings_.failures - in_a_row_ ? settings_.failures : in_a_row_ + count;
  if (in_a_row_ >= settings_.failures)
    open(now, settings_.cooldown);
}

void circuit::give_back_trial() {
  trial_out_ = false;
}

void circuit::open(timestamp now, duration cooldown) {
  state_ = circuit_state::open;
  trial_out_ = false;
  in_a_row_ = 0;
  cooldown_ = cooldown;
  open_until_ = now + cooldown;
}

void circuit::close() {
  state_ = circuit_state::closed;
  trial_out_ = false;
  in_a_row_ = 0;
  last_ = circuit_signal::success;
  open_until_.reset();
}

} // namespace sluice::core
