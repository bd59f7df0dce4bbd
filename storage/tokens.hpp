#pragma once

#include "core/api_token.hpp"
#include "core/time.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// `refused` where a live token has the name, `not_found` where a tenant does not exist.
[[nodiscard]] result<core::api_token> make_token(session& db, const core::token_request& wanted,
                                                 core::timestamp now);

/// The token whose text has this digest, revoked and expired ones too.
[[nodiscard]] result<std::optional<core::api_token>> find_token(session& db, std::string_view digest);

/// In the order of their names, revoked ones included.
[[nodiscard]] result<std::vector<core::api_token>> list_tokens(session& db);

/// The live token of this name is not live any more. `not_found`: there is none.
[[nodiscard]] result<core::api_token> revoke_token(session& db, std::string_view name, std::string_view by,
                                                   core::timestamp now);

} // namespace sluice::storage
