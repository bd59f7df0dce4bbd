#pragma once

#include "core/time.hpp"
#include "crypto/key_ring.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::api {

/// A person's sign-in at the operator page: it stands for the token they showed, and ends with it.
struct page_session {
  std::string token_digest; ///< SHA-256 in hex
  std::string csrf;         ///< what an act has to show beside the cookie, which a browser sends by itself
  core::timestamp until{};
};

/// Sign-ins as the browser keeps them: a sealed text, so that no node has to remember any, and any node of a
/// cluster takes what another gave out. Read by any thread.
class session_seal {
public:
  /// Without a key in the ring one is made, and sign-ins end with the process.
  [[nodiscard]] static session_seal with(crypto::key_ring keys, core::duration lifetime);

  [[nodiscard]] page_session begin(std::string token_digest, core::timestamp now) const;
  /// The error is a sentence.
  [[nodiscard]] std::expected<std::string, std::string> seal(const page_session& session) const;
  /// Nothing where the text is not one of ours, or its time is over.
  [[nodiscard]] std::optional<page_session> open(std::string_view sealed, core::timestamp now) const;

  [[nodiscard]] core::duration lifetime() const noexcept { return lifetime_; }

private:
  session_seal(crypto::key_ring keys, core::duration lifetime);

  crypto::key_ring keys_;
  core::duration lifetime_;
};

} // namespace sluice::api
