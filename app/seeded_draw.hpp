#pragma once

#include <cstdint>
#include <random>

namespace sluice::app {

/// Numbers in [0, 1) that a seed settles on every machine.
class seeded_draw {
public:
  explicit seeded_draw(std::uint64_t seed) : random_{seed} {}

  [[nodiscard]] double next() {
    // 53 bits make a double in [0, 1); the distributions of the standard library differ from one to the next.
    return static_cast<double>(random_() >> 11U) * 0x1.0p-53;
  }

private:
  std::mt19937_64 random_;
};

} // namespace sluice::app
