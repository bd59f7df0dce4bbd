#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// A header a subscriber wants with each push.
struct custom_header {
  std::string name;
  std::string value;
  bool secret = false; ///< its value is kept sealed and never shown

  friend bool operator==(const custom_header&, const custom_header&) = default;
};

inline constexpr std::size_t custom_headers_max = 32;
inline constexpr std::size_t custom_header_bytes_max = 4096; ///< of one value
inline constexpr std::string_view masked_value = "********";

/// Whether the value must not be seen: it was said to be secret, or the name, in whatever case, is one that
/// carries credentials.
[[nodiscard]] bool is_secret(const custom_header& header) noexcept;

/// What may be shown of the headers: the values that must not be seen are masked.
[[nodiscard]] std::vector<custom_header> masked(std::vector<custom_header> headers);

/// Every fault of the headers, each a sentence. A value is never quoted.
[[nodiscard]] std::vector<std::string> custom_header_faults(const std::vector<custom_header>& headers);

/// Leaves out the values: a printed message never shows them.
template <class Inspector>
auto inspect(Inspector& f, custom_header& x) {
  return f(x.name, x.secret);
}

} // namespace sluice::core
