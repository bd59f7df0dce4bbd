#pragma once

#include "core/api_token.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <optional>
#include <string>
#include <vector>

/// The conversation with the doorkeeper, which knows who may ask the API; the registrar writes what it reads.
namespace sluice::messages {

/// API, before a request is served: whose token has this digest.
struct find_token {
  std::string digest; ///< SHA-256 in hex
};

/// API, for an admin.
struct list_tokens {};

struct token_found {
  std::optional<core::api_token> token; ///< revoked and expired ones too
};

struct tokens_listed {
  std::vector<core::api_token> tokens;
};

// clang-format off
using doorkeeper = caf::typed_actor<
  caf::replies_to<find_token>::with<token_found>,
  caf::replies_to<list_tokens>::with<tokens_listed>>;
// clang-format on

/// Leaves out the digest.
template <class Inspector>
auto inspect(Inspector& f, find_token&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, list_tokens&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, token_found& x) {
  return f(x.token);
}

template <class Inspector>
auto inspect(Inspector& f, tokens_listed& x) {
  return f(x.tokens);
}

} // namespace sluice::messages
