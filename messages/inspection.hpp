#pragma once

#include <caf/detail/stringification_inspector.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

/// CAF 0.17 inspects its own optional, not the standard's. It finds this overload through the inspector's
/// namespace.
namespace caf {

template <class Inspector, class T>
  requires(!std::same_as<Inspector, detail::stringification_inspector>)
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

/// How messages print (the inspector that writes text lives in this namespace): an optional as its value or
/// "none", an enum as its word where it has one.
namespace caf::detail {

template <class T>
void inspect(stringification_inspector& f, std::optional<T>& x) {
  if (x)
    f(*x);
  else
    f(none);
}

template <class Enum>
  requires std::is_enum_v<Enum>
void inspect(stringification_inspector& f, Enum& x) {
  if constexpr (requires {
                  { to_string(x) } -> std::convertible_to<std::string_view>;
                })
    f(std::string{to_string(x)});
  else
    f(static_cast<std::int64_t>(x));
}

} // namespace caf::detail
