#pragma once

#include "actors/recorder_writes.hpp"
#include "messages/event_records.hpp"

/// The recorder's writes about events and their deliveries; see recorder_writes.hpp.
namespace sluice::actors {

[[nodiscard]] std::size_t rows_of(const messages::sequence_events& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_fan_out& ask);
[[nodiscard]] std::size_t rows_of(const messages::claim_deliveries& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_attempt_ends& ask);
[[nodiscard]] std::size_t rows_of(const messages::give_back_attempts& ask);
[[nodiscard]] std::size_t rows_of(const messages::refuse_open_deliveries& ask);
[[nodiscard]] std::size_t rows_of(const messages::prune_events& ask);

result<messages::events_sequenced> perform(storage::session& db, const write_context& with,
                                           const messages::sequence_events& ask);
result<messages::fan_out_recorded> perform(storage::session& db, const write_context& with,
                                           const messages::record_fan_out& ask);
result<core::delivery_claims> perform(storage::session& db, const write_context& with,
                                      const messages::claim_deliveries& ask);
result<core::attempts_recorded> perform(storage::session& db, const write_context& with,
                                        const messages::record_attempt_ends& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::give_back_attempts& ask);
result<messages::deliveries_refused> perform(storage::session& db, const write_context& with,
                                             const messages::refuse_open_deliveries& ask);
result<messages::events_pruned> perform(storage::session& db, const write_context& with,
                                        const messages::prune_events& ask);
result<messages::subscription_status_recorded> perform(storage::session& db, const write_context& with,
                                                       const messages::record_subscription_status& ask);
result<core::event_delivery> perform(storage::session& db, const write_context& with,
                                     const messages::record_delivery_restart& ask);

} // namespace sluice::actors
