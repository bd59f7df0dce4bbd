#pragma once

#include "api/access.hpp"
#include "api/problem.hpp"
#include "api/session_seal.hpp"
#include "core/time.hpp"

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::api {

/// What the table says of a token, or why that cannot be known now.
using found_token = std::expected<std::optional<core::api_token>, problem>;

/// Looks a token up by its digest; answers from any thread.
using token_lookup = std::function<void(std::string digest, std::function<void(found_token)> answer)>;

/// The text of a new token: 256 random bits, with a beginning by which scanners of secrets know it.
[[nodiscard]] std::string make_token_text();

/// SHA-256 in hex: what is kept of a token.
[[nodiscard]] std::string token_digest(std::string_view token);

/// What a request's head shows of who sent it.
struct shown_sender {
  bool local_user = false; ///< over the machine's own socket, by the node's own user
  std::string digest;      ///< of the token, or of the one a sign-in stands for; empty: none shown
  std::optional<page_session> session;
};

/// Tells who asks from what they show. Made once, then only read, by any thread.
class senders {
public:
  /// `settings_token` empty: there is none.
  senders(std::string_view settings_token, session_seal sessions);

  /// Takes the `Authorization` and `Cookie` headers apart; the first counts where both are there.
  [[nodiscard]] shown_sender shown(std::string_view authorization, std::string_view cookie,
                                   core::timestamp now) const;

  /// Whoever is known without the table: the machine's user, the settings' token.
  [[nodiscard]] std::optional<caller> known(const shown_sender& shown) const;

  /// Whoever the table's token stands for.
  [[nodiscard]] static std::expected<caller, problem> by_token(const found_token& found, core::timestamp now);

  [[nodiscard]] const session_seal& sessions() const noexcept { return sessions_; }

private:
  std::string settings_digest_;
  session_seal sessions_;
};

inline constexpr std::string_view session_cookie = "sluice_session";

} // namespace sluice::api
