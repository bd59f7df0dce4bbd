#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// What is on its way of a subscription is one text, not a lease on each delivery. A lease of before is closed
// as interrupted, its delivery due at once: nobody is waiting for its answer.
constexpr std::string_view claims_of_subscriptions = R"(
CREATE TABLE delivery_claims (
  subscription_id BIGINT NOT NULL PRIMARY KEY REFERENCES subscriptions (id) ON DELETE CASCADE,
  claims TEXT NOT NULL,
  left_due_at BIGINT
);
UPDATE delivery_attempts SET ended_at = {now}, ending = 'interrupted', error_class = 'interrupted',
  error = 'The attempt was on its way when the database was upgraded.'
WHERE ended_at IS NULL AND EXISTS (SELECT 1 FROM event_deliveries AS d
  WHERE d.subscription_id = delivery_attempts.subscription_id AND d.position = delivery_attempts.position
    AND d.attempts = delivery_attempts.number AND d.lease_until IS NOT NULL);
UPDATE event_deliveries SET state = 'retrying', next_attempt_at = {now}, error_class = 'interrupted',
  error = 'The attempt was on its way when the database was upgraded.', updated_at = {now},
  row_version = row_version + 1
WHERE lease_until IS NOT NULL;
DROP INDEX event_deliveries_leased;
ALTER TABLE event_deliveries DROP COLUMN lease_until;
)";

// Room for a row's next version beside it: no index is touched.
constexpr std::string_view postgresql_storage = R"(
ALTER TABLE delivery_claims SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);
ALTER TABLE delivery_claims ALTER COLUMN claims SET STORAGE EXTERNAL;
)";

} // namespace

const migration delivery_claims{
    12, "claims by the subscription", claims_of_subscriptions, {}, postgresql_storage};

} // namespace sluice::storage
