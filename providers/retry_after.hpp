#pragma once

#include "core/time.hpp"

#include <optional>
#include <string_view>

namespace sluice::providers {

/// Reads Retry-After (RFC 9110 section 10.2.3): seconds, a fraction of them rounded up, or an HTTP date in
/// any of its three forms, counted from `now`. A time gone by is a wait of zero; nothing is longer than 366
/// days. Nothing when the text is neither.
[[nodiscard]] std::optional<core::duration> parse_retry_after(std::string_view text, core::timestamp now);

/// Reads an HTTP date in any of its three forms (RFC 9110 section 5.6.7); `now` says which century a year of
/// two digits is in.
[[nodiscard]] std::optional<core::timestamp> parse_http_date(std::string_view text, core::timestamp now);

} // namespace sluice::providers
