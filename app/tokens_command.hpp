#pragma once

#include "app/command_context.hpp"
#include "core/api_token.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::app {

struct token_options {
  std::string name;
  std::optional<core::token_role> role;
  std::vector<std::string> tenants; ///< none: every tenant
  core::duration expires_in{};      ///< zero: never
};

/// `sluice tokens create`: the one time its text is shown.
[[nodiscard]] int create_token(const command_context& context, const token_options& options);

/// `sluice tokens list`
[[nodiscard]] int list_tokens(const command_context& context);

/// `sluice tokens revoke`
[[nodiscard]] int revoke_token(const command_context& context, const token_options& options);

} // namespace sluice::app
