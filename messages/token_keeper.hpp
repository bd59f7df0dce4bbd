#pragma once

#include "core/ids.hpp"
#include "core/outcome.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// The conversation about one connection's OAuth2 access token, shared by all rules into it.
namespace sluice::messages {

/// sync_rule, before calls that need a token. `refused` names the token the target would not take (empty:
/// none): if it is still the current one a new one is fetched, so that many rules that meet a 401 fetch once.
struct ask_token {
  core::rule_id rule{};
  std::string refused;
};

/// Either a token or why there is none.
struct token_told {
  std::string token;
  std::optional<core::outcome> fault;
};

// clang-format off
using token_keeper = caf::typed_actor<
  caf::replies_to<ask_token>::with<token_told>,
  caf::reacts_to<calls_answered>>;
// clang-format on

/// Prints no token.
template <class Inspector>
auto inspect(Inspector& f, ask_token& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, token_told& x) {
  return f(x.fault);
}

} // namespace sluice::messages
