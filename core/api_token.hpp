#pragma once

#include "core/time.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// What the bearer of a token may do: a viewer looks; an operator also stops, resumes, retries and the like;
/// an admin also makes and revokes tokens. An intake token posts records and does nothing else.
enum class token_role : std::uint8_t { intake, viewer, operating, admin };

[[nodiscard]] std::string_view to_string(token_role role) noexcept;
[[nodiscard]] std::optional<token_role> parse_token_role(std::string_view text) noexcept;

/// The tenants somebody may see: those named, or every one.
struct tenant_scope {
  std::optional<std::vector<std::string>> names; ///< absent: every tenant, those to come too

  [[nodiscard]] bool everything() const noexcept { return !names; }
  [[nodiscard]] bool contains(std::string_view tenant) const {
    return !names || std::ranges::find(*names, tenant) != names->end();
  }

  friend bool operator==(const tenant_scope&, const tenant_scope&) = default;
};

/// A token that is to be. Its text is known to whoever made it and to nobody else: what is kept is its
/// digest.
struct token_request {
  std::string name;   ///< unique among the live ones; the history names it
  std::string digest; ///< SHA-256 of the text, in hex
  token_role role = token_role::viewer;
  tenant_scope tenants;
  std::optional<timestamp> expires_at;
  std::string by;
};

struct api_token {
  std::string public_id; ///< UUIDv7
  std::string name;
  token_role role = token_role::viewer;
  tenant_scope tenants;
  std::string created_by;
  timestamp created_at{};
  std::optional<timestamp> expires_at;
  std::optional<timestamp> revoked_at;
  std::string revoked_by;

  [[nodiscard]] bool live(timestamp now) const noexcept {
    return !revoked_at && (!expires_at || now < *expires_at);
  }
};

template <class Inspector>
auto inspect(Inspector& f, tenant_scope& x) {
  return f(x.names);
}

/// Leaves out the digest: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, token_request& x) {
  return f(x.name, x.role, x.tenants, x.expires_at, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, api_token& x) {
  return f(x.public_id, x.name, x.role, x.tenants, x.created_by, x.created_at, x.expires_at, x.revoked_at,
           x.revoked_by);
}

} // namespace sluice::core
