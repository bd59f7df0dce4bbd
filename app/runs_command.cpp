#include "app/runs_command.hpp"

#include "api/views.hpp"
#include "storage/rules.hpp"
#include "storage/runs.hpp"

namespace sluice::app {
namespace {

std::vector<std::string> as_row(const storage::listed_run& run) {
  const auto& counts = run.counts;
  return {core::to_rfc3339(run.started_at),
          run.rule_name,
          std::string{run.ending ? core::to_string(*run.ending) : "running"},
          run.ended_at ? core::to_text(*run.ended_at - run.started_at) : "",
          grouped(counts.examined),
          grouped(counts.created),
          grouped(counts.updated),
          grouped(counts.failed),
          grouped(counts.refused),
          run.reason};
}

} // namespace

int list_runs(const command_context& context, const runs_options& options) {
  auto db = open_session(context, storage::access::read);
  if (!db) {
    return db.error();
  }
  std::optional<core::rule_id> rule;
  if (!options.rule.empty()) {
    const auto found = storage::find_rule(*db, options.rule);
    if (!found) {
      return report("the rule cannot be looked up", found.error());
    }
    if (!*found) {
      return report_missing("rule", options.rule, "name a rule that `sluice apply` has made");
    }
    rule = (*found)->id;
  }
  const auto runs = storage::list_runs(*db, rule, options.limit);
  if (!runs) {
    return report("the runs cannot be read", runs.error());
  }
  auto document = nlohmann::ordered_json::array();
  text_table table{
      {"started", "rule", "state", "took", "examined", "created", "updated", "failed", "refused", "reason"},
      {3, 4, 5, 6, 7, 8}};
  for (const auto& run : *runs) {
    document.push_back(api::run_view(run));
    table.add(as_row(run));
  }
  if (context.style.json) {
    print_json({{"runs", document}});
  } else if (table.empty()) {
    print_line("no run yet");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

} // namespace sluice::app
