#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

constexpr std::string_view column = R"(
ALTER TABLE tenants ADD COLUMN public_id {key} NOT NULL DEFAULT '';
)";

// UUIDs of version 7, of the moment the tenant was made, like those that crypto::uuid_v7 makes.
constexpr std::string_view sqlite_ids = R"(
UPDATE tenants SET public_id =
  substr(printf('%012x', created_at / 1000), 1, 8) || '-' || substr(printf('%012x', created_at / 1000), 9)
  || '-7' || substr(lower(hex(randomblob(2))), 2) || '-8' || substr(lower(hex(randomblob(2))), 2)
  || '-' || lower(hex(randomblob(6)));
CREATE UNIQUE INDEX tenants_by_public_id ON tenants (public_id);
)";
constexpr std::string_view postgresql_ids = R"(
UPDATE tenants SET public_id =
  substr(lpad(to_hex(created_at / 1000), 12, '0'), 1, 8) || '-'
  || substr(lpad(to_hex(created_at / 1000), 12, '0'), 9) || '-7'
  || substr(CAST(gen_random_uuid() AS TEXT), 16);
CREATE UNIQUE INDEX tenants_by_public_id ON tenants (public_id);
)";

} // namespace

const migration tenant_ids{6, "tenants have public ids", column, sqlite_ids, postgresql_ids};

} // namespace sluice::storage
