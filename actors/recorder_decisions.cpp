#include "actors/recorder_writes.hpp"
#include "storage/backfills.hpp"
#include "storage/rule_lifecycle.hpp"
#include "storage/stops.hpp"

// What people and the volume breaker decide.

namespace sluice::actors {

namespace m = messages;

namespace {

template <class Answer>
result<Answer> told(const result<bool>& answer) {
  if (!answer)
    return std::unexpected{answer.error()};
  return Answer{*answer};
}

} // namespace

result<core::stop_in_force> perform(storage::session& db, const write_context& with,
                                    const m::record_stop& ask) {
  return storage::set_stop(db, ask.wanted, with.now);
}

result<core::delivery_stop> perform(storage::session& db, const write_context& with,
                                    const m::record_stop_end& ask) {
  return ask.public_id.empty() ? storage::end_stop(db, ask.target, ask.by, with.now)
                               : storage::end_stop(db, ask.public_id, ask.by, with.now);
}

result<core::stop_in_force> perform(storage::session& db, const write_context& with,
                                    const m::record_hold& ask) {
  return storage::set_hold(db, ask.rule, ask.finding, with.now);
}

result<m::stop_changed> perform(storage::session& db, const write_context& with,
                                const m::record_hold_healed& ask) {
  return told<m::stop_changed>(storage::heal_hold(db, ask.hold, with.now));
}

result<m::stop_changed> perform(storage::session& db, const write_context& with,
                                const m::record_release_consumed& ask) {
  return told<m::stop_changed>(storage::consume_release(db, ask.release, with.now));
}

result<core::delivery_stop> perform(storage::session& db, const write_context& with,
                                    const m::record_release& ask) {
  return storage::release_hold(db, ask.public_id, ask.allowed, ask.by, with.now);
}

result<core::delivery_stop> perform(storage::session& db, const write_context& with,
                                    const m::record_hold_discarded& ask) {
  return storage::discard_hold(db, ask.public_id, ask.by, with.now);
}

result<core::delivery_cursor> perform(storage::session& db, const write_context& with,
                                      const m::record_backfill_start& ask) {
  return storage::open_backfill(db, ask.start, with.now);
}

result<m::backfill_aborted> perform(storage::session& db, const write_context&,
                                    const m::record_backfill_abort& ask) {
  return told<m::backfill_aborted>(storage::abort_backfill(db, ask.rule, ask.until, ask.generation));
}

result<core::sync_rule> perform(storage::session& db, const write_context& with,
                                const m::record_rule_switch& ask) {
  const auto to = ask.active ? storage::rule_switch::on : storage::rule_switch::off;
  return storage::switch_rule(db, ask.rule, to, with.now);
}

} // namespace sluice::actors
