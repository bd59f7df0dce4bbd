#pragma once

#include "core/api_token.hpp"
#include "core/configuration.hpp"
#include "core/kept_answer.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The conversation with the registrar, which writes what people set up: tenants, connections, rules, the
/// subscriptions of apply files, tokens. Nothing of it is a delivery's, so it needs no lease, and a running
/// node finds it as it finds a command's. A failure carries messages::fault: `not_found` where what is named
/// does not exist, `refused` with the reason.
namespace sluice::messages {

enum class keeping : std::uint8_t {
  keep,
  look, ///< say what would change
};

/// API, for an admin: all of it or nothing. `refused` where `seen` is not what is there any more.
struct apply_configuration {
  core::configuration wanted;
  keeping how = keeping::keep;
  std::optional<core::seen_version> seen;
};

struct configuration_applied {
  std::vector<core::configuration_change> changes;
  std::vector<core::applied_subscription> subscriptions{}; ///< made or changed; none where it was only looked
};

/// API, for an admin: its rules and records are set aside, and its calls stop.
struct disconnect_connection {
  std::string name;
};

/// API, for an admin: what its disconnect set aside comes back.
struct reconnect_connection {
  std::string name;
};

/// Of both.
struct connection_moved {
  core::timestamp disconnected_at{};
  std::int64_t rules = 0;
  std::int64_t records = 0;
};

/// API, for an admin: disconnected if it is not yet, and removed with all it holds.
struct uninstall_connection {
  std::string name;
};

struct connection_removed {
  std::int64_t rows = 0;
};

/// API, for an operator: credentials that were refused are tried again. `refused` where it is not in error.
struct clear_connection_error {
  std::string name;
};

struct connection_cleared {};

/// API, for an admin: answered with the token.
struct record_token {
  core::token_request wanted;
};

/// API, for an admin: answered with the token; `not_found` where none of the name is live.
struct record_token_revoked {
  std::string name;
  std::string by;
};

/// API, before a request that names itself by a key is served: answered with what is known of it.
struct begin_answer {
  std::string key_digest;
  std::string request_digest;
};

/// API, before such a request is answered: what a repetition is to be answered; empty: it came to nothing and
/// may be tried again.
struct keep_answer {
  std::string key_digest;
  std::string answer;
};

struct answer_kept {};

// clang-format off
using registrar = caf::typed_actor<
  caf::replies_to<apply_configuration>::with<configuration_applied>,
  caf::replies_to<disconnect_connection>::with<connection_moved>,
  caf::replies_to<reconnect_connection>::with<connection_moved>,
  caf::replies_to<uninstall_connection>::with<connection_removed>,
  caf::replies_to<clear_connection_error>::with<connection_cleared>,
  caf::replies_to<record_token>::with<core::api_token>,
  caf::replies_to<record_token_revoked>::with<core::api_token>,
  caf::replies_to<begin_answer>::with<core::kept_answer>,
  caf::replies_to<keep_answer>::with<answer_kept>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, apply_configuration& x) {
  return f(x.wanted, x.how, x.seen);
}

template <class Inspector>
auto inspect(Inspector& f, configuration_applied& x) {
  return f(x.changes, x.subscriptions);
}

template <class Inspector>
auto inspect(Inspector& f, disconnect_connection& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, reconnect_connection& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, connection_moved& x) {
  return f(x.disconnected_at, x.rules, x.records);
}

template <class Inspector>
auto inspect(Inspector& f, uninstall_connection& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, connection_removed& x) {
  return f(x.rows);
}

template <class Inspector>
auto inspect(Inspector& f, clear_connection_error& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, connection_cleared&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, record_token& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, record_token_revoked& x) {
  return f(x.name, x.by);
}

/// Leaves out the digests.
template <class Inspector>
auto inspect(Inspector& f, begin_answer&) {
  return f();
}

/// Leaves out the answer, which may show a token.
template <class Inspector>
auto inspect(Inspector& f, keep_answer&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, answer_kept&) {
  return f();
}

} // namespace sluice::messages
