#include "core/kept_count.hpp"

namespace sluice::core {

count_use use_of(const kept_count& kept) noexcept {
  if (kept.took < cheap_count || kept.age > kept_count_max)
    return count_use::await;
  return kept.age < count_share * kept.took ? count_use::tell : count_use::tell_and_renew;
}

} // namespace sluice::core
