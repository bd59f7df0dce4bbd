#include "storage/migration_texts.hpp"

namespace sluice::storage {
namespace {

/// A stop's place may be a provider profile. Its row outlives the profile it was set for.
constexpr std::string_view scope = R"(
ALTER TABLE delivery_stops ADD COLUMN profile_id BIGINT REFERENCES provider_profiles (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX delivery_stops_live_profile ON delivery_stops (profile_id, cause)
  WHERE scope = 'profile' AND ended_at IS NULL;
CREATE INDEX delivery_stops_of_profile ON delivery_stops (profile_id) WHERE profile_id IS NOT NULL;
)";

} // namespace

const migration profile_stops{15, "stops of provider profiles", scope, {}, {}};

} // namespace sluice::storage
