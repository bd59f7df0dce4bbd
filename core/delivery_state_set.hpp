#pragma once

#include "core/delivery_state.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace sluice::core {

/// Some of the states, each at most once.
class delivery_state_set {
public:
  delivery_state_set() = default;
  delivery_state_set(std::initializer_list<delivery_state> states)
      : delivery_state_set(std::vector<delivery_state>(states)) {}
  delivery_state_set(const std::vector<delivery_state>& states) {
    for (const auto state : states)
      bits_ |= bit_of(state);
  }

  [[nodiscard]] bool empty() const noexcept { return bits_ == 0; }
  [[nodiscard]] bool contains(delivery_state state) const noexcept { return (bits_ & bit_of(state)) != 0; }

  /// In the order the states are declared in.
  [[nodiscard]] std::vector<delivery_state> list() const {
    std::vector<delivery_state> states;
    for (std::uint32_t number = 0; number < delivery_states; ++number)
      if (const auto state = static_cast<delivery_state>(number); contains(state))
        states.push_back(state);
    return states;
  }

  friend bool operator==(const delivery_state_set&, const delivery_state_set&) = default;

  template <class Inspector>
  friend auto inspect(Inspector& f, delivery_state_set& x) {
    return f(x.bits_);
  }

private:
  static constexpr std::uint32_t bit_of(delivery_state state) noexcept {
    return std::uint32_t{1} << static_cast<std::uint32_t>(state);
  }

  std::uint32_t bits_ = 0;
};

} // namespace sluice::core
