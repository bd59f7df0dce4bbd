#pragma once

#include "core/signing_secret.hpp"

#include <optional>
#include <string>

/// The secrets of subscriptions, as those who write subscriptions make and show them.
namespace sluice::actors {

/// A new secret, as it is kept.
[[nodiscard]] std::string make_secret(core::signing signed_by);

/// What a receiver verifies with; empty where the text is no secret.
[[nodiscard]] std::string verification_key_of(const std::string& secret);

/// How the secret signs; nothing where the text is none.
[[nodiscard]] std::optional<core::signing> signing_of(const std::string& secret);

} // namespace sluice::actors
