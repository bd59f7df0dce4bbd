#pragma once

#include "storage/session.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// What changes of a tenant's things have in common. All of it throws: use inside `guarded`.

namespace sluice::storage {

struct tenant_row {
  std::int64_t id = 0;
  std::string public_id;
};

/// `not_found`, with a sentence that names it, where there is none.
[[nodiscard]] tenant_row tenant_named(session& db, const std::string& name);

/// The same; until the transaction ends nobody else locks it: changes of its things take turns.
[[nodiscard]] tenant_row lock_tenant(session& db, const std::string& name);

/// Refuses where the revision that was seen is not the stored one; `thing` begins the sentence:
/// "Subscription". The tenant is locked.
void need_revision(std::string_view thing, const std::string& name, std::int64_t seen, std::int64_t stored);

} // namespace sluice::storage
