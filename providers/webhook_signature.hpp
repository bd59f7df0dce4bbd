#pragma once

#include "core/http.hpp"
#include "core/signing_secret.hpp"
#include "core/time.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Signatures of Standard Webhooks 1.0.0: over "{id}.{seconds}.{body}", the body's bytes as they are sent.
namespace sluice::providers {

inline constexpr core::duration signature_tolerance = std::chrono::minutes{5};

/// The three lines "webhook-id: …", "webhook-timestamp: …", "webhook-signature: …" of one attempt, signed by
/// every secret that has not expired at `now`, in their order. `id` is the event's, the same on every
/// attempt, and has no dot. The error names what is wrong: a secret that cannot be read, or none that signs.
[[nodiscard]] std::expected<core::header_lines, std::string>
sign_webhook(std::string_view id, std::string_view body, const std::vector<core::signing_secret>& secrets,
             core::timestamp now);

/// What a receiver was sent, as the headers' values.
struct received_webhook {
  std::string_view id;
  std::string_view timestamp;
  std::string_view signature;
  std::string_view body;
};

/// What a webhook-timestamp says; nothing where it is no number of seconds since 1970.
[[nodiscard]] std::optional<core::timestamp> read_webhook_timestamp(std::string_view text) noexcept;

/// Whether the text is a key that verify_webhook takes. The error says what is allowed and quotes nothing.
[[nodiscard]] std::expected<void, std::string> check_verification_key(std::string_view key);

/// Whether one of the signatures is by the key ("whsec_…", or "whpk_…" for ed25519) and the timestamp within
/// `tolerance` of `now` on either side. The error says what does not fit.
[[nodiscard]] std::expected<void, std::string> verify_webhook(const received_webhook& received,
                                                              std::string_view key, core::timestamp now,
                                                              core::duration tolerance = signature_tolerance);

} // namespace sluice::providers
