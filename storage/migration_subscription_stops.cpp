#include "storage/migration_texts.hpp"

namespace sluice::storage {
namespace {

/// A stop's place may be a subscription. Its row outlives the subscription it was set for.
constexpr std::string_view scope = R"(
ALTER TABLE delivery_stops ADD COLUMN subscription_id BIGINT REFERENCES subscriptions (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX delivery_stops_live_subscription ON delivery_stops (subscription_id, cause)
  WHERE scope = 'subscription' AND ended_at IS NULL;
CREATE INDEX delivery_stops_of_subscription ON delivery_stops (subscription_id) WHERE subscription_id IS NOT NULL;
)";

} // namespace

const migration subscription_stops{10, "stops of subscriptions", scope, {}, {}};

} // namespace sluice::storage
