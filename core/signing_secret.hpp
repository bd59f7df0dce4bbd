#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

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
