#pragma once

#include "storage/soci_session.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace sluice::storage {

/// The ids of a batch's tenants, each looked up once. Throws: use inside `guarded`.
class tenant_ids {
public:
  explicit tenant_ids(session& db) : db_(db) {}

  /// 0: there is none of this name.
  [[nodiscard]] std::int64_t find(const std::string& name);
  /// Abandons the work as `not_found` where there is none.
  [[nodiscard]] std::int64_t of(const std::string& name);

private:
  session& db_;
  std::map<std::string, std::int64_t> known_;
};

} // namespace sluice::storage
