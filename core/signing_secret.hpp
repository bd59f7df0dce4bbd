#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// How a receiver verifies what is pushed.
enum class signing : std::uint8_t {
  hmac_sha256, ///< with the secret both ends have
  ed25519,     ///< with the public half of a key
};

[[nodiscard]] std::string_view to_string(signing how) noexcept;
[[nodiscard]] std::optional<signing> parse_signing(std::string_view text) noexcept;

/// What a subscription's pushes are signed with: "whsec_…" or "whsk_…", see providers/webhook_secret.hpp.
struct signing_secret {
  std::string text;                    ///< never logged; shown once, when it is made
  std::optional<timestamp> expires_at; ///< absent: the current one

  [[nodiscard]] bool signs(timestamp now) const noexcept { return !expires_at || now < *expires_at; }

  friend bool operator==(const signing_secret&, const signing_secret&) = default;
};

/// Secrets that may sign at the same time: each costs a signature and a line of the header.
inline constexpr std::size_t signing_secrets_max = 8;

/// The secrets after a rotation, the new one first. What was current goes on signing for `overlap`, each
/// older one until its own end; those that have ended are dropped. Refused, with a sentence, while too many
/// sign.
[[nodiscard]] std::expected<std::vector<signing_secret>, std::string>
rotate_secret(std::vector<signing_secret> secrets, std::string fresh, timestamp now, duration overlap);

/// Leaves out the text: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, signing_secret& x) {
  return f(x.expires_at);
}

} // namespace sluice::core
