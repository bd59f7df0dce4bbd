#pragma once

#include "actors/recorder_writes.hpp"
#include "messages/notification_records.hpp"

/// The recorder's writes about notifications and what is not known of them; see recorder_writes.hpp.
namespace sluice::actors {

[[nodiscard]] std::size_t rows_of(const messages::claim_notifications& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_submissions& ask);
[[nodiscard]] std::size_t rows_of(const messages::give_back_submissions& ask);
[[nodiscard]] std::size_t rows_of(const messages::prune_notifications& ask);
[[nodiscard]] std::size_t rows_of(const messages::look_again_at_events& ask);
[[nodiscard]] std::size_t rows_of(const messages::search_overdue_callbacks& ask);

result<core::notification_claims> perform(storage::session& db, const write_context& with,
                                          const messages::claim_notifications& ask);
result<core::submissions_recorded> perform(storage::session& db, const write_context& with,
                                           const messages::record_submissions& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::give_back_submissions& ask);
result<core::notification_record> perform(storage::session& db, const write_context& with,
                                          const messages::record_settlement& ask);
result<core::notification_record> perform(storage::session& db, const write_context& with,
                                          const messages::record_cancellation& ask);
result<core::notifications_pruned> perform(storage::session& db, const write_context& with,
                                           const messages::prune_notifications& ask);
result<core::look_recorded> perform(storage::session& db, const write_context& with,
                                    const messages::record_look& ask);
result<messages::events_pending> perform(storage::session& db, const write_context& with,
                                         const messages::look_again_at_events& ask);
result<core::overdue_found> perform(storage::session& db, const write_context& with,
                                    const messages::search_overdue_callbacks& ask);

} // namespace sluice::actors
