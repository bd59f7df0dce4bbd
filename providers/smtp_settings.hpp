#pragma once

#include "core/notification.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

namespace sluice::providers {

inline constexpr std::size_t mail_subject_bytes_max = 998; // RFC 5322 section 2.1.1, of one line

/// A profile of kind smtp. Its settings, with their defaults:
///
///   host                 required; the server that takes the messages
///   tls                  "starttls": nothing is sent without it; "implicit": from the first byte;
///                        "opportunistic": where the server offers it, and without credentials only
///   port                 587, 465 or 25, by tls (RFC 8314, RFC 6409, RFC 5321)
///   from, from_name      required, none; who the message is from
///   reply_to             none
///   envelope_from        `from`; where bounce reports go
///   message_id_domain    the domain of `from`; bounce reports find their attempt by it
///   ehlo_name            message_id_domain; how the client names itself
///   list_unsubscribe     none; an https or mailto address (RFC 2369), where "{notification_id}" is filled in
///   one_click            false; whether that https address takes RFC 8058's POST
///   message_bytes_max    1 MiB; of text and html together
///
/// Its credentials are `username` and `password`, both or none.
struct smtp_settings {
  std::string url; ///< with ehlo_name as its path
  bool require_tls = true;
  std::string username;
  std::string password;
  std::string from;
  std::string from_name;
  std::string reply_to;
  std::string envelope_from;
  std::string message_id_domain;
  std::string list_unsubscribe;
  bool one_click = false;
  std::size_t message_bytes_max = 0;
};

/// The error lists every fault, each "place: sentence"; credentials are never quoted.
[[nodiscard]] std::expected<smtp_settings, std::vector<std::string>>
parse_smtp_settings(const core::provider_profile& profile);

} // namespace sluice::providers
