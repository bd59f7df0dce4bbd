#include "actors/recorder_writes.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/record_links.hpp"
#include "storage/rule_jobs.hpp"
#include "storage/stored_rule.hpp"
#include "storage/volume.hpp"

#include <algorithm>
#include <utility>

// What people decide about ledger rows: those that are due now, and what the target holds already.

namespace sluice::actors {

namespace m = messages;

namespace {

storage::failure no_rule() {
  return {storage::error::not_found, "The rule does not exist."};
}

result<core::link_plan> plan_of(storage::session& db, const write_context& with, const m::record_links& ask) {
  auto stored = storage::read_rule(db, ask.rule);
  if (!stored || !*stored)
    return std::unexpected{stored ? no_rule() : stored.error()};
  auto facts = storage::read_link_facts(db, (*stored)->rule, ask.links, with.keys);
  if (!facts)
    return std::unexpected{facts.error()};
  auto holders = storage::read_remote_id_holders(db, ask.rule, ask.links);
  if (!holders)
    return std::unexpected{holders.error()};
  return core::plan_links(ask.links, *facts, *holders, with.now);
}

/// Nobody else writes the rule's rows, so what was read a moment ago in this transaction still holds.
result<void> write_links(storage::session& db, const write_context& with, core::rule_id rule,
                         const core::link_plan& plan) {
  auto written = storage::write_ledger(db, rule, plan.rows, with.now);
  if (!written)
    return std::unexpected{written.error()};
  if (std::cmp_not_equal(*written, plan.rows.size()))
    return std::unexpected{
        storage::failure{storage::error::refused, "records have changed meanwhile: try again"}};
  if (auto settled = storage::delete_intents(db, rule, plan.intents_done); !settled)
    return settled;
  return storage::add_known_records(db, rule, plan.known_delta);
}

} // namespace

std::size_t rows_of(const m::record_job_step& ask) {
  return static_cast<std::size_t>(std::max<std::int64_t>(ask.rows_max, 1));
}

std::size_t rows_of(const m::record_links& ask) {
  return ask.links.size();
}

result<core::ledger_row> perform(storage::session& db, const write_context& with,
                                 const m::record_offer& ask) {
  return storage::offer_row(db, ask.rule, ask.act, ask.source_id, with.now);
}

result<core::rule_job> perform(storage::session& db, const write_context& with,
                               const m::record_job_start& ask) {
  return storage::start_job(db, ask.start, with.now);
}

result<core::job_step> perform(storage::session& db, const write_context& with,
                               const m::record_job_step& ask) {
  return storage::continue_job(db, ask.rule, ask.rows_max, with.now);
}

result<core::rule_job> perform(storage::session& db, const write_context& with,
                               const m::record_job_cancel& ask) {
  return storage::cancel_job(db, ask.rule, ask.public_id, ask.by, with.now);
}

result<core::links_recorded> perform(storage::session& db, const write_context& with,
                                     const m::record_links& ask) {
  auto plan = plan_of(db, with, ask);
  if (!plan)
    return std::unexpected{plan.error()};
  core::links_recorded answer;
  answer.unchanged = plan->unchanged;
  answer.stored = ask.skip_invalid || plan->refused.empty();
  answer.refused = std::move(plan->refused);
  if (!answer.stored)
    return answer;
  if (auto written = write_links(db, with, ask.rule, *plan); !written)
    return std::unexpected{written.error()};
  answer.linked = std::ssize(plan->rows);
  return answer;
}

} // namespace sluice::actors
