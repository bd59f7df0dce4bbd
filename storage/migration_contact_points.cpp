#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// `sealing_key` is the name of the key the credentials are sealed with; both are empty where there are none.
constexpr std::string_view profiles = R"(
CREATE TABLE provider_profiles (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  name {key} NOT NULL,
  provider {key} NOT NULL,
  settings TEXT NOT NULL,
  credentials TEXT NOT NULL,
  sealing_key {key} NOT NULL,
  revision BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX provider_profiles_live ON provider_profiles (tenant_id, name) WHERE deleted_at IS NULL;
CREATE TABLE profiles_version (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  version BIGINT NOT NULL
);
INSERT INTO profiles_version (id, version) VALUES (1, 0);
)";

constexpr std::string_view routes = R"(
CREATE TABLE notification_routes (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  name {key} NOT NULL,
  revision BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX notification_routes_live ON notification_routes (tenant_id, name) WHERE deleted_at IS NULL;
CREATE TABLE notification_route_steps (
  route_id BIGINT NOT NULL REFERENCES notification_routes (id) ON DELETE CASCADE,
  place BIGINT NOT NULL,
  profile_id BIGINT NOT NULL REFERENCES provider_profiles (id) ON DELETE RESTRICT,
  PRIMARY KEY (route_id, place)
) {without_rowid};
CREATE INDEX notification_route_steps_of_profile ON notification_route_steps (profile_id, route_id);
)";

// A removed contact point has no address; it keeps its fingerprint only while it is suppressed, so that its
// address does not come back as one that may be sent to.
constexpr std::string_view points = R"(
CREATE TABLE contact_points (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  kind {key} NOT NULL,
  address TEXT NOT NULL,
  sealing_key {key} NOT NULL,
  fingerprint {key} NOT NULL,
  fingerprint_key {key} NOT NULL,
  suppressed_reason {key},
  suppressed_detail TEXT NOT NULL DEFAULT '',
  suppressed_at BIGINT,
  suppressed_by TEXT NOT NULL DEFAULT '',
  retired_at BIGINT,
  token_seen_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX contact_points_live ON contact_points (tenant_id, kind, fingerprint) WHERE deleted_at IS NULL;
CREATE INDEX contact_points_remembered ON contact_points (tenant_id, kind, fingerprint)
  WHERE deleted_at IS NOT NULL AND fingerprint <> '';
CREATE INDEX contact_points_of_tenant ON contact_points (tenant_id, id) WHERE deleted_at IS NULL;
CREATE INDEX contact_points_suppressed ON contact_points (id)
  WHERE deleted_at IS NULL AND suppressed_reason IS NOT NULL;
CREATE INDEX contact_points_by_sealing_key ON contact_points (sealing_key, id) WHERE deleted_at IS NULL;
CREATE INDEX contact_points_by_fingerprint_key ON contact_points (fingerprint_key, id)
  WHERE fingerprint <> '';
)";

constexpr auto common = joined_text<profiles, routes, points>;

} // namespace

const migration contact_points{13, "contact points, provider profiles and routes", common, {}, {}};

} // namespace sluice::storage
