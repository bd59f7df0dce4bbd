#pragma once

#include "core/api_token.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::api {

/// What a route asks of its caller.
enum class access : std::uint8_t {
  anyone,     ///< no token
  intake,     ///< posts records: an intake or admin token
  viewer,     ///< looks: viewer, operator, admin
  operate,    ///< stops, resumes, retries, …: operator, admin
  administer, ///< tokens: admin
};

/// Who asks.
struct caller {
  std::string name; ///< as the history names them
  core::token_role role = core::token_role::viewer;
  core::tenant_scope tenants;
  /// Speaks for people and may name them in `by`: the settings' token, the machine's own user. Whoever has a
  /// token of their own is named by it.
  bool speaks_for_others = false;

  [[nodiscard]] bool may_see(std::string_view tenant) const { return tenants.contains(tenant); }
};

/// Whoever may do everything: the settings' token, or the node's own user on its own machine.
[[nodiscard]] inline caller trusted_caller(std::string name) {
  return {std::move(name), core::token_role::admin, {}, true};
}

[[nodiscard]] constexpr bool permits(core::token_role role, access needed) noexcept {
  using core::token_role;
  switch (needed) {
  case access::anyone:
    return true;
  case access::intake:
    return role == token_role::intake || role == token_role::admin;
  case access::viewer:
    return role != token_role::intake;
  case access::operate:
    return role == token_role::operating || role == token_role::admin;
  case access::administer:
    return role == token_role::admin;
  }
  return false;
}

/// Whose tokens have the access, for people.
[[nodiscard]] constexpr std::string_view holders_of(access needed) noexcept {
  switch (needed) {
  case access::anyone:
    return "anyone";
  case access::intake:
    return "an intake or admin token";
  case access::viewer:
    return "a viewer, operator or admin token";
  case access::operate:
    return "an operator or admin token";
  case access::administer:
    break;
  }
  return "an admin token";
}

} // namespace sluice::api
