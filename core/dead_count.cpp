#include "core/dead_count.hpp"

#include "core/assertion.hpp"

#include <limits>

namespace sluice::core {

dead_count count_dead(std::int32_t consecutive, const transition_effects& effects,
                      std::int32_t threshold) noexcept {
  assert_that(threshold >= 1 && consecutive >= 0, "dead deliveries are counted from zero up to a threshold");
  dead_count counted{.consecutive = effects.resets_dead_count ? 0 : consecutive, .disables = {}};
  if (effects.counts_dead && counted.consecutive < std::numeric_limits<std::int32_t>::max())
    ++counted.consecutive;
  if (effects.disables_subscription)
    counted.disables = disable_cause::gone;
  else if (effects.counts_dead && counted.consecutive >= threshold)
    counted.disables = disable_cause::dead_deliveries;
  return counted;
}

} // namespace sluice::core
