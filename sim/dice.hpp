#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace sluice::sim {

/// The one generator of a seed. The standard says what mt19937_64 gives, but not what its distributions do:
/// they are made here.
class dice {
public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t roll() { return engine_(); }
  /// From 0 to `count` - 1; `count` is small against 2^64, so the remainder's bias is nothing.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(roll() % count); }
  /// Both ends included.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::size_t>(most - least + 1)));
  }
  core::duration between(core::duration least, core::duration most) {
    return core::duration{between(least.count(), most.count())};
  }
  bool chance(double probability) {
    constexpr double unit = 0x1.0p-53;
    return static_cast<double>(roll() >> 11U) * unit < probability;
  }
  template <class T, std::size_t Count>
  const T& pick(const T (&from)[Count]) {
    return from[below(Count)];
  }
  template <class Container>
  auto& pick(Container& from) {
    return from[below(from.size())];
  }

private:
  std::mt19937_64 engine_;
};

} // namespace sluice::sim
