#pragma once

#include "actors/projection_effects.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "messages/recorder.hpp"
#include "storage/lease.hpp"
#include "storage/session.hpp"

#include <caf/unit.hpp>

#include <optional>

/// One function a write of the recorder: what it does inside the transaction it is given.
namespace sluice::actors {

struct write_context {
  const crypto::key_ring& keys;
  core::timestamp now;
  const std::optional<storage::fence>& fence;
  core::duration lease_length;
  const projection_effects& effects;
};

/// Whether the write is a transaction of its own, whatever else waits.
template <class Request>
inline constexpr bool goes_alone = false;

/// How many rows of a group's limit a write takes.
template <class Request>
[[nodiscard]] std::size_t rows_of(const Request&) {
  return 1;
}
[[nodiscard]] std::size_t rows_of(const messages::record_intents& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_outcomes& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_job_step& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_links& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_changes& ask);

using storage::result;

result<messages::rule_loaded> perform(storage::session& db, const write_context& with,
                                      const messages::load_rule& ask);
result<messages::run_opened> perform(storage::session& db, const write_context& with,
                                     const messages::open_run& ask);
result<messages::intents_recorded> perform(storage::session& db, const write_context& with,
                                           const messages::record_intents& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::adopt_intents& ask);
result<messages::outcomes_recorded> perform(storage::session& db, const write_context& with,
                                            const messages::record_outcomes& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with, const messages::close_run& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_ending& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::abandon_runs& ask);
result<messages::markers_consumed> perform(storage::session& db, const write_context& with,
                                           const messages::consume_markers& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_window& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_connection_fault& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::write_heartbeat& ask);
result<messages::rows_removed> perform(storage::session& db, const write_context& with,
                                       const messages::prune_runs& ask);
result<messages::rows_removed> perform(storage::session& db, const write_context& with,
                                       const messages::purge_expired& ask);
result<messages::changes_recorded> perform(storage::session& db, const write_context& with,
                                           const messages::record_changes& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::renew_lease& ask);

result<core::stop_in_force> perform(storage::session& db, const write_context& with,
                                    const messages::record_stop& ask);
result<core::delivery_stop> perform(storage::session& db, const write_context& with,
                                    const messages::record_stop_end& ask);
result<core::stop_in_force> perform(storage::session& db, const write_context& with,
                                    const messages::record_hold& ask);
result<messages::stop_changed> perform(storage::session& db, const write_context& with,
                                       const messages::record_hold_healed& ask);
result<messages::stop_changed> perform(storage::session& db, const write_context& with,
                                       const messages::record_release_consumed& ask);
result<core::delivery_stop> perform(storage::session& db, const write_context& with,
                                    const messages::record_release& ask);
result<core::delivery_stop> perform(storage::session& db, const write_context& with,
                                    const messages::record_hold_discarded& ask);
result<core::delivery_cursor> perform(storage::session& db, const write_context& with,
                                      const messages::record_backfill_start& ask);
result<messages::backfill_aborted> perform(storage::session& db, const write_context& with,
                                           const messages::record_backfill_abort& ask);
result<core::ledger_row> perform(storage::session& db, const write_context& with,
                                 const messages::record_offer& ask);
result<core::rule_job> perform(storage::session& db, const write_context& with,
                               const messages::record_job_start& ask);
result<core::job_step> perform(storage::session& db, const write_context& with,
                               const messages::record_job_step& ask);
result<core::rule_job> perform(storage::session& db, const write_context& with,
                               const messages::record_job_cancel& ask);
result<core::links_recorded> perform(storage::session& db, const write_context& with,
                                     const messages::record_links& ask);
result<core::sync_rule> perform(storage::session& db, const write_context& with,
                                const messages::record_rule_switch& ask);

} // namespace sluice::actors
