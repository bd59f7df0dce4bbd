#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

/// An enhanced mail system status code (RFC 3463 section 2): class "." subject "." detail.
struct enhanced_status {
  int kind = 0; ///< 2 success, 4 persistent transient failure, 5 permanent failure
  int subject = 0;
  int detail = 0;

  friend bool operator==(const enhanced_status&, const enhanced_status&) = default;
};

/// The code at the start of the text; whatever may follow it is set off.
[[nodiscard]] std::optional<enhanced_status> read_enhanced_status(std::string_view text) noexcept;

[[nodiscard]] std::string to_string(const enhanced_status& status);

/// Whether the code says that nobody has this address any more: X.1.1 (no such mailbox), X.1.6 (moved,
/// leaving no address; both RFC 3463 section 3.2) or X.1.10 (its domain takes no mail at all; RFC 7505
/// section 6), and for good. Policy, a full or a disabled mailbox and an unknown domain say nothing of the
/// kind.
[[nodiscard]] bool means_no_mailbox(const enhanced_status& status) noexcept;

} // namespace sluice::providers
