#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// One row while the database is one that was restored: what the targets hold may be ahead of the ledger.
constexpr std::string_view restores_table = R"(
CREATE TABLE restores (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  restored_at BIGINT NOT NULL
);
)";

} // namespace

const migration restores{5, "restored databases", restores_table, {}, {}};

} // namespace sluice::storage
