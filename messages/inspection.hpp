#pragma once

#include <optional>
#include <type_traits>

/// CAF 0.17 inspects its own optional, not the standard's. It finds this overload through the inspector's
/// namespace.
namespace caf {

template <class Inspector, class T>
typename Inspector::result_type inspect(Inspector& f, std::optional<T>& x) {
  bool has_value = x.has_value();
  if constexpr (Inspector::reads_state) {
    return has_value ? f(has_value, *x) : f(has_value);
  } else {
    if (auto failed = f(has_value))
      return failed;
    if (!has_value) {
      x.reset();
      return {};
    }
    return f(x.emplace());
  }
}

} // namespace caf
