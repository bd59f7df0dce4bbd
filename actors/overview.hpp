#pragma once

#include "actors/backfill_counts.hpp"
#include "actors/reader.hpp"
#include "messages/overview.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

/// The overview: answers what people ask of the database, on a thread and a session of its own, so that a
/// long answer never keeps a rule waiting.
///
/// The operator API, the planner and the verifier talk to it. It writes nothing and keeps nothing between two
/// questions but how far backfills have come.
namespace sluice::actors {

class overview_state {
public:
  static constexpr const char* name = "overview";

  explicit overview_state(messages::overview::pointer) {}

  messages::overview::behavior_type behavior(reader_resources resources);

private:
  caf::result<messages::rule_found> on_find_rule(const messages::find_rule& ask);
  caf::result<core::connection> on_find_connection(const messages::find_connection& ask);
  caf::result<messages::names_listed> on_list_names();
  caf::result<messages::tenants_listed> on_list_tenants();
  caf::result<messages::connections_listed> on_list_connections();
  caf::result<messages::rules_listed> on_list_rules();
  caf::result<messages::backfills_counted> on_count_backfills(const messages::count_backfills& ask);
  caf::result<messages::runs_listed> on_list_runs(const messages::list_runs& ask);
  caf::result<messages::ledger_listed> on_list_ledger(const messages::list_ledger& ask);
  caf::result<messages::ledger_stepped> on_step_through_ledger(const messages::step_through_ledger& ask);
  caf::result<messages::ledger_counted> on_count_ledger(const messages::count_ledger& ask);
  caf::result<messages::rows_counted> on_count_rows(const messages::count_rows& ask);
  caf::result<messages::jobs_listed> on_list_jobs(const messages::list_jobs& ask);
  caf::result<core::rule_job> on_find_job(const messages::find_job& ask);
  caf::result<core::explanation_facts> on_explain_record(const messages::explain_record& ask);
  caf::result<messages::rule_loaded> on_read_rule_context(const messages::read_rule_context& ask);

  reader_resources resources_;
  backfill_counts backfills_;
};

[[nodiscard]] messages::overview::behavior_type
overview(messages::overview::stateful_pointer<overview_state> self, reader_resources resources);

} // namespace sluice::actors
