#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::api {

/// Percent-encoded text (RFC 3986 section 2.1) in plain; nothing when an escape is broken. `plus_is_space` is
/// for queries.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);

/// Text as one segment of a path, or one name or value of a query.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// A request target in origin form (RFC 9112 section 3.2.1), taken apart and decoded.
struct request_target {
  std::vector<std::string> segments;
  std::map<std::string, std::string, std::less<>> query; ///< a name's last value
};
[[nodiscard]] std::optional<request_target> split_target(std::string_view target);

} // namespace sluice::api
