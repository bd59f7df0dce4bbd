#include "actors/recorder_writes.hpp"

#include "storage/cursor.hpp"
#include "storage/intent_batches.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/lifecycle.hpp"
#include "storage/mirror.hpp"
#include "storage/node_state.hpp"
#include "storage/rules.hpp"
#include "storage/runs.hpp"
#include "storage/volume.hpp"

#include <utility>

namespace sluice::actors {

namespace {

constexpr std::int64_t remove_rows_max = 1000; ///< a transaction

/// A storage answer nobody needs the value of.
template <class T>
result<caf::unit_t> done(const result<T>& answer) {
  if (!answer)
    return std::unexpected{answer.error()};
  return caf::unit;
}

/// Which of the rows were written is not known after a lost race: what the target holds is counted anew.
result<void> count_volume(storage::session& db, const write_context& with,
                          const messages::record_outcomes& ask, bool raced) {
  if (ask.withdrawn > 0) {
    if (auto added = storage::add_withdrawals(db, ask.rule, ask.withdrawn, with.now); !added)
      return added;
  }
  if (raced)
    return storage::recount_known_records(db, ask.rule);
  if (ask.known_delta == 0)
    return {};
  return storage::add_known_records(db, ask.rule, ask.known_delta);
}

} // namespace

std::size_t rows_of(const messages::record_intents& ask) {
  return ask.intents.size();
}

std::size_t rows_of(const messages::record_outcomes& ask) {
  return ask.rows.size() + ask.intents_done.size();
}

std::size_t rows_of(const messages::record_changes& ask) {
  return ask.changes.size();
}

result<messages::rule_loaded> perform(storage::session& db, const write_context& with,
                                      const messages::load_rule& ask) {
  auto context = storage::load_rule(db, ask.rule, with.keys, with.now);
  if (!context)
    return std::unexpected{context.error()};
  return messages::rule_loaded{
      std::move(context->rule), std::move(context->source), std::move(context->target),
      context->cursor,          context->cursor_opened,     context->ledger_found,
      context->parent};
}

result<messages::run_opened> perform(storage::session& db, const write_context& with,
                                     const messages::open_run& ask) {
  auto run = storage::open_run(db, ask.rule, with.now);
  if (!run)
    return std::unexpected{run.error()};
  return messages::run_opened{*run};
}

result<messages::intents_recorded> perform(storage::session& db, const write_context& with,
                                           const messages::record_intents& ask) {
  auto batch = storage::write_intent_batch(db, ask.rule, ask.intents, with.keys);
  if (!batch)
    return std::unexpected{batch.error()};
  return messages::intents_recorded{*batch};
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::adopt_intents& ask) {
  return done(storage::adopt_intent_batches(db, ask.rule, with.now));
}

result<messages::outcomes_recorded> perform(storage::session& db, const write_context& with,
                                            const messages::record_outcomes& ask) {
  messages::outcomes_recorded answer;
  if (!ask.rows.empty()) {
    auto written = storage::write_ledger(db, ask.rule, ask.rows, with.now);
    if (!written)
      return std::unexpected{written.error()};
    answer.lost_races = static_cast<std::int64_t>(ask.rows.size()) - *written;
  }
  if (!ask.batches_done.empty()) {
    if (auto deleted = storage::delete_intent_batches(db, ask.batches_done); !deleted)
      return std::unexpected{deleted.error()};
  }
  if (!ask.intents_withdrawn.empty()) {
    if (auto withdrawn = storage::withdraw_intents(db, ask.intents_withdrawn); !withdrawn)
      return std::unexpected{withdrawn.error()};
  }
  if (!ask.intents_kept.empty()) {
    if (auto kept = storage::write_intents(db, ask.rule, ask.intents_kept, with.keys); !kept)
      return std::unexpected{kept.error()};
  }
  if (!ask.intents_done.empty()) {
    if (auto deleted = storage::delete_intents(db, ask.rule, ask.intents_done); !deleted)
      return std::unexpected{deleted.error()};
  }
  if (!ask.intents_postponed.empty()) {
    if (auto postponed = storage::postpone_intents(db, ask.rule, ask.intents_postponed); !postponed)
      return std::unexpected{postponed.error()};
  }
  if (auto counted = count_volume(db, with, ask, answer.lost_races > 0); !counted)
    return std::unexpected{counted.error()};
  auto moved = storage::move_cursor(db, ask.rule, ask.cursor, with.now);
  if (!moved)
    return std::unexpected{moved.error()};
  answer.backfill_dropped = !*moved;
  if (ask.run && ask.counts != core::run_counts{}) {
    if (auto counted = storage::count_run(db, ask.run, ask.counts); !counted)
      return std::unexpected{counted.error()};
  }
  return answer;
}

result<caf::unit_t> perform(storage::session& db, const write_context& with, const messages::close_run& ask) {
  return done(storage::close_run(db, ask.run, ask.ending, ask.reason, with.now));
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_ending& ask) {
  return done(storage::record_ending(db, ask.rule, ask.ending, ask.reason, with.now));
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::abandon_runs& ask) {
  return done(storage::abandon_runs(db, ask.rule ? std::optional{ask.rule} : std::nullopt, with.now));
}

result<messages::markers_consumed> perform(storage::session& db, const write_context&,
                                           const messages::consume_markers&) {
  auto rules = storage::consume_markers(db);
  if (!rules)
    return std::unexpected{rules.error()};
  return messages::markers_consumed{std::move(*rules)};
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_window& ask) {
  return done(storage::save_window(db, ask.connection, ask.text, with.now));
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_connection_fault& ask) {
  return done(storage::set_connection_status(db, ask.connection, core::connection_status::active,
                                             core::connection_status::error, ask.reason, with.now));
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::write_heartbeat& ask) {
  return done(storage::write_heartbeat(db, ask.name, with.now));
}

result<messages::rows_removed> perform(storage::session& db, const write_context&,
                                       const messages::prune_runs& ask) {
  auto counts = storage::prune_withdrawals(db, ask.withdrawals_before, remove_rows_max);
  if (!counts)
    return std::unexpected{counts.error()};
  auto runs = storage::prune_runs(db, ask.before, remove_rows_max);
  if (!runs)
    return std::unexpected{runs.error()};
  return messages::rows_removed{*counts + *runs};
}

result<messages::rows_removed> perform(storage::session& db, const write_context& with,
                                       const messages::purge_expired& ask) {
  auto removed = storage::purge_expired(db, ask.disconnected_until, remove_rows_max, with.now);
  if (!removed)
    return std::unexpected{removed.error()};
  return messages::rows_removed{*removed};
}

result<messages::changes_recorded> perform(storage::session& db, const write_context& with,
                                           const messages::record_changes& ask) {
  auto counts = storage::write_changes(db, ask.source, ask.domain, ask.changes, with.now);
  if (!counts)
    return std::unexpected{counts.error()};
  return messages::changes_recorded{*counts};
}

result<caf::unit_t> perform(storage::session& db, const write_context& with, const messages::renew_lease&) {
  if (!with.fence)
    return caf::unit;
  return done(storage::renew_lease(db, *with.fence, with.lease_length));
}

} // namespace sluice::actors
