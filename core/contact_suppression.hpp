#pragma once

#include "core/contact_point.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace sluice::core {

/// Why nothing is sent to a contact point, since when and by whose word.
///
///   retired_token < hard_bounce < person < unsubscribed < complaint
///
/// What counts more takes the place of what counts less, never the other way about: lifting a hard bounce
/// must not bring back somebody who complained. Only a person lifts one, save that a retired token lives
/// again when it is registered anew after the moment it was dead.
struct contact_suppression {
  suppression_reason reason = suppression_reason::person;
  std::string detail; ///< a sentence or code for people; no address, no content
  timestamp at{};
  std::string by; ///< a person, or the profile whose provider said so
  /// Of a retired token alone: it was dead then; absent, or later than `at`: at `at`. Whoever was told so in
  /// the answer to an attempt gives the later of the provider's word and when the attempt began.
  std::optional<timestamp> retired_at;

  friend bool operator==(const contact_suppression&, const contact_suppression&) = default;
};

inline constexpr std::size_t suppression_detail_bytes_max = 500;

/// What stands once `told` is known of a contact point; nothing where that changes nothing. A retired token
/// comes back with `retired_at` set, the latest that was told.
[[nodiscard]] std::optional<contact_suppression>
suppression_after(const std::optional<contact_suppression>& stands, const contact_suppression& told,
                  std::optional<timestamp> token_seen_at);

/// Whether a token its app registered at `seen_at` is alive in spite of this.
[[nodiscard]] bool is_outlived(const contact_suppression& stands, timestamp seen_at) noexcept;

template <class Inspector>
auto inspect(Inspector& f, contact_suppression& x) {
  return f(x.reason, x.detail, x.at, x.by, x.retired_at);
}

} // namespace sluice::core
