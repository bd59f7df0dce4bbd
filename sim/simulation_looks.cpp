#include "sim/simulation.hpp"
#include "storage/candidates.hpp"

#include <string>

/// What is in the database when somebody looks.
namespace sluice::sim {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t everything = 1'000'000;

} // namespace

void simulation::look() {
  ++report_.observations;
  for (auto& target : targets_)
    target->finish_work(world_.now());
  for (const auto& rule : plan_.rules)
    checker_.observed(observe(rule), now());
  if (audience_)
    audience_->look();
  if (mailroom_)
    mailroom_->look();
}

observation simulation::observe(const plan::rule& rule) {
  observation seen;
  seen.rule = world_.rule_id(rule.name);
  seen.cursor = world_.cursor(rule.name);
  core::scan_query query;
  query.rule = seen.rule;
  query.source = world_.connection_id("shop");
  query.domain = rule.options.domain;
  query.until = world_.now() + 365 * 24h;
  query.limit = query.examine_limit = everything;
  seen.records = world_.must(storage::read_backfill(world_.db(), query)).candidates;
  return seen;
}

/// What the ledger and the cursors say, to be compared.
std::string simulation::state_text() {
  std::string text;
  for (const auto& rule : plan_.rules) {
    auto seen = observe(rule);
    text += core::to_rfc3339(seen.cursor.delta.changed_at) + core::to_rfc3339(seen.cursor.updated_at);
    for (const auto& record : seen.records)
      text += record.row ? std::to_string(record.row->row_version) + "," : "-,";
    text += std::to_string(world_.intents(rule.name).size());
  }
  text += audience_ ? audience_->state_text() : "";
  return mailroom_ ? text + mailroom_->state_text() : text;
}

} // namespace sluice::sim
