#pragma once

#include "sim/faults.hpp"
#include "sim/history.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace sluice::sim {

/// What a seed came to.
struct report {
  std::uint64_t seed = 0;
  int hours = 0;
  std::optional<violation> found;
  int found_in_hour = 0; ///< from 1; `hours` + 1: in the quiet phase
  std::int64_t messages = 0;
  std::int64_t calls = 0;
  std::int64_t changes = 0;
  std::int64_t acts = 0;
  std::int64_t observations = 0;
  std::int64_t most_waiting = 0; ///< messages in all mailboxes, at any moment that was looked at
  std::array<std::int64_t, fault_count> faults{};

  [[nodiscard]] std::int64_t faults_in_all() const;
  [[nodiscard]] std::int64_t count(fault what) const { return faults[static_cast<std::size_t>(what)]; }
  /// Adds the counts of another seed.
  void add(const report& other);
};

/// Several lines: what happened how often.
[[nodiscard]] std::string summary(const report& of);

/// "seed 7 violates property 4 in hour 3: …".
[[nodiscard]] std::string verdict(const report& of);

} // namespace sluice::sim
