#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// Removed contact points that nothing is remembered by: retention finds them, oldest first.
constexpr std::string_view removed_points = R"(
CREATE INDEX contact_points_removed ON contact_points (deleted_at, id)
  WHERE deleted_at IS NOT NULL AND fingerprint = '';
)";

} // namespace

const migration contact_removals{16, "retention of removed contact points", removed_points, {}, {}};

} // namespace sluice::storage
