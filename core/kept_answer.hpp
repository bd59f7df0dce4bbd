#pragma once

#include <cstdint>
#include <string>

namespace sluice::core {

/// What is known of a request that names itself by an idempotency key.
enum class repetition : std::uint8_t {
  fresh,         ///< it was never seen; from now on it is under way
  answered,      ///< it was carried out: its answer is there
  under_way,     ///< it is being carried out, or nobody knows what became of it
  other_request, ///< the key stands for another request
};

struct kept_answer {
  repetition what = repetition::fresh;
  std::string answer; ///< of one that was answered
};

template <class Inspector>
auto inspect(Inspector& f, kept_answer& x) {
  return f(x.what);
}

} // namespace sluice::core
