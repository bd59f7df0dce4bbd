#include "app/ledger_command.hpp"

#include "api/views.hpp"
#include "storage/ledger.hpp"
#include "storage/rules.hpp"

namespace sluice::app {
namespace {

int print_counts(const command_context& context, storage::session& db, core::rule_id rule) {
  const auto counts = storage::count_ledger(db, rule);
  if (!counts) {
    return report("the ledger cannot be counted", counts.error());
  }
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  text_table table{{"status", "records"}, {1}};
  std::int64_t total = 0;
  for (const auto& [status, count] : *counts) {
    document[std::string{core::to_string(status)}] = count;
    table.add({std::string{core::to_string(status)}, grouped(count)});
    total += count;
  }
  if (context.style.json) {
    print_json({{"counts", document}, {"total", total}});
    return exit_ok;
  }
  table.add({"total", grouped(total)});
  table.print(context.style);
  return exit_ok;
}

int print_rows(const command_context& context, storage::session& db, core::rule_id rule,
               const ledger_options& options) {
  const auto rows = storage::list_ledger(db, {.rule = rule,
                                              .status = options.status,
                                              .error_class = options.error_class,
                                              .source_id = {},
                                              .after_source_id = options.after,
                                              .limit = options.limit});
  if (!rows) {
    return report("the ledger cannot be read", rows.error());
  }
  const bool more = static_cast<std::int64_t>(rows->size()) == options.limit;
  auto document = nlohmann::ordered_json::array();
  text_table table{{"source id", "status", "target id", "tries", "next attempt", "looked at", "error"}, {3}};
  for (const auto& listed : *rows) {
    const auto& row = listed.row;
    document.push_back(api::ledger_view(listed));
    table.add({row.source_id, std::string{core::to_string(row.status)}, row.remote_id,
               std::to_string(row.attempts),
               row.next_attempt_at ? core::to_rfc3339(*row.next_attempt_at) : "",
               core::to_rfc3339(listed.updated_at),
               row.error_class.empty() ? row.error : row.error_class + ": " + row.error});
  }
  if (context.style.json) {
    print_json({{"rows", document},
                {"next_after", more ? nlohmann::ordered_json(rows->back().row.source_id) : nullptr}});
    return exit_ok;
  }
  if (table.empty()) {
    print_line("no such row");
    return exit_ok;
  }
  table.print(context.style);
  if (more) {
    print_note("there may be more: go on with --after " + printable(rows->back().row.source_id));
  }
  return exit_ok;
}

} // namespace

int list_ledger(const command_context& context, const ledger_options& options) {
  auto db = open_session(context, storage::access::read);
  if (!db) {
    return db.error();
  }
  const auto rule = storage::find_rule(*db, options.rule);
  if (!rule) {
    return report("the rule cannot be looked up", rule.error());
  }
  if (!*rule) {
    return report_missing("rule", options.rule, "name a rule that `sluice apply` has made");
  }
  return options.counts ? print_counts(context, *db, (*rule)->id)
                        : print_rows(context, *db, (*rule)->id, options);
}

} // namespace sluice::app
