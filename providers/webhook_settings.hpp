#pragma once

#include "core/http.hpp"
#include "core/notification.hpp"
#include "core/provider_event.hpp"
#include "core/signing_secret.hpp"

#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// Where a receiver's JSON says what became of a message, and in which words.
struct webhook_words {
  std::string id;         ///< pointer to its id for the message
  std::string attempt_id; ///< pointer to ours, which it was sent
  std::string state;      ///< pointer to the word below
  std::string time;       ///< pointer to RFC 3339, or seconds since 1970
  std::map<std::string, core::provider_event_type, std::less<>> states;
  std::map<std::string, core::suppression_reason, std::less<>> suppressing; ///< words that retire the address
};

/// A profile of kind webhook. Its settings, with their defaults:
///
///   url                  required; messages are posted there
///   id                   "/id"; JSON pointer in its answer to its id for the message
///   honours_webhook_id   false; true: it takes one webhook-id once, so that an open outcome may be sent
///   again http2                true headers              none; an object of names and values callback.id,
///   callback.attempt_id, callback.state, callback.time
///                        "/id", "/attempt_id", "/state", "/time"; JSON pointers in what it posts back
///   callback.states      our own words; an object that maps its words to types of events
///   callback.suppressing none; an object that maps its words to the reason why the address is retired
///   status.url           none; where it is asked, with {id} (its own) or {attempt_id} (ours)
///   status.id, status.attempt_id, status.state, status.time, status.states, status.suppressing
///                        as callback's
///
/// Its credentials:
///
///   secrets              required; list of 1 to 8 secrets of Standard Webhooks, all of which sign
///   callback_secrets     `secrets`, where they are symmetric; list of up to 8 keys, one of which must have
///   signed authorization        none; the value of the header Authorization
struct webhook_settings {
  std::string url;
  std::string id;
  bool honours_webhook_id = false;
  bool http2 = true;
  core::header_lines headers; ///< with Authorization
  std::vector<core::signing_secret> secrets;
  std::vector<std::string> callback_keys;
  webhook_words callback;
  std::string status_url; ///< empty: it cannot be asked
  webhook_words status;
};

/// The error lists every fault, each "place: sentence"; credentials are never quoted.
[[nodiscard]] std::expected<webhook_settings, std::vector<std::string>>
parse_webhook_settings(const core::provider_profile& profile);

/// The URL with "{id}" and "{attempt_id}" filled in, percent-encoded. Nothing where a value it needs is
/// empty.
[[nodiscard]] std::optional<std::string> webhook_status_url(std::string url, std::string_view id,
                                                            std::string_view attempt_id);

} // namespace sluice::providers
