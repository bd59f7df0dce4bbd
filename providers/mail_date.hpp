#pragma once

#include "core/time.hpp"

#include <optional>
#include <string_view>

namespace sluice::providers {

/// Reads a mail's date (RFC 5322 section 3.3), "Mon, 30 Nov 2026 20:55:12 +0100", with or without the day of
/// the week, the seconds and a comment behind it; of the obsolete zones UT and GMT alone.
[[nodiscard]] std::optional<core::timestamp> read_mail_date(std::string_view text) noexcept;

} // namespace sluice::providers
