#include "core/replay_job.hpp"

#include "core/delivery_progress.hpp"

#include <vector>

namespace sluice::core {

delivery_state_set default_replay_states() {
  return {delivery_state::failed, delivery_state::dead};
}

std::optional<std::string> why_not_replayed(delivery_state state) {
  const auto transition = restart_of(state);
  if (transition)
    return std::nullopt;
  return transition.error().sentence;
}

std::optional<std::string> why_no_window(timestamp from, timestamp to, const replay_limits& limits) {
  if (from >= to)
    return "the window is empty: from, " + to_rfc3339(from) + ", must lie before to, " + to_rfc3339(to);
  if (to - from > limits.window_max)
    return "the window is " + to_text(to - from) + " long: one replay covers at most "
           + to_text(limits.window_max);
  return std::nullopt;
}

std::optional<std::string> why_not(const replay_choice& which, const replay_limits& limits) {
  if (which.states.empty())
    return "no state is named whose deliveries are to be replayed";
  for (const auto state : which.states.list())
    if (auto reason = why_not_replayed(state))
      return reason;
  return why_no_window(which.from, which.to, limits);
}

std::optional<std::string> why_too_many(std::int64_t counted, const replay_limits& limits) {
  if (counted <= limits.deliveries_max)
    return std::nullopt;
  return "there are " + std::to_string(counted) + " such deliveries: one replay takes at most "
         + std::to_string(limits.deliveries_max) + "; choose a shorter window, or fewer states";
}

std::string to_text(const delivery_state_set& states) {
  std::string text;
  for (const auto state : states.list())
    text.append(text.empty() ? "" : ",").append(to_string(state));
  return text;
}

std::optional<delivery_state_set> parse_delivery_states(std::string_view text) {
  std::vector<delivery_state> states;
  while (true) {
    const auto end = text.find(',');
    const auto state = parse_delivery_state(text.substr(0, end));
    if (!state)
      return std::nullopt;
    states.push_back(*state);
    if (end == std::string_view::npos)
      return states;
    text.remove_prefix(end + 1);
  }
}

} // namespace sluice::core
