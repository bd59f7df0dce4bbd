#include "core/run.hpp"

#include <array>

namespace sluice::core {
namespace {

/// In the order of the enumerators.
constexpr std::array<std::string_view, 7> endings{"completed", "route_closed", "breaker_open", "throttled",
                                                  "stopped",   "faulted",      "abandoned"};

} // namespace

std::string_view to_string(run_ending ending) noexcept {
  const auto index = static_cast<std::size_t>(ending);
  return index < endings.size() ? endings[index] : std::string_view{"unknown"};
}

std::optional<run_ending> parse_run_ending(std::string_view text) noexcept {
  for (std::size_t index = 0; index < endings.size(); ++index)
    if (endings[index] == text)
      return static_cast<run_ending>(index);
  return std::nullopt;
}

run_counts& run_counts::operator+=(const run_counts& other) noexcept {
  examined += other.examined;
  created += other.created;
  updated += other.updated;
  withdrawn += other.withdrawn;
  reactivated += other.reactivated;
  suppressed += other.suppressed;
  filtered += other.filtered;
  refused += other.refused;
  failed += other.failed;
  ambiguous += other.ambiguous;
  skipped += other.skipped;
  return *this;
}

} // namespace sluice::core
