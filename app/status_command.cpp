#include "app/status_command.hpp"

#include "app/node_client.hpp"

#include <chrono>
#include <thread>
#include <unistd.h>

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr auto watch_interval = std::chrono::seconds{2};

/// A member as a cell: text as it is, null as nothing.
/// Why a rule is in its state, as far as its latest run says it.
std::string reason_of(const document& rule) {
  if (!rule.at("blocked_until").is_null()) {
    return "blocked until " + cell(rule, "blocked_until");
  }
  const auto& ended = rule.at("ended");
  if (ended.is_null() || cell(ended, "state") == "completed") {
    return rule.at("backfill_until").is_null() ? "" : "backfill up to " + cell(rule, "backfill_until");
  }
  const auto reason = cell(ended, "reason");
  return "ended " + cell(ended, "state") + (reason.empty() ? "" : ": " + reason);
}

std::string summary_of(const document& status) {
  std::string out = "delivery: " + cell(status, "global");
  for (const auto& [state, count] : status.at("counts").items()) {
    out += ", " + grouped(count.get<std::int64_t>()) + " " + (state == "none" ? "without state" : state);
  }
  return out;
}

void print_status(const command_context& context, const document& status) {
  if (context.style.json) {
    print_json(status);
    return;
  }
  print_line(summary_of(status));
  text_table table{{"rule", "state", "source", "target", "completed", "why"}};
  for (const auto& rule : status.at("rules")) {
    table.add({cell(rule, "name"), cell(rule, "state"), cell(rule, "source"), cell(rule, "target"),
               cell(rule, "completed_at"), reason_of(rule)});
  }
  if (!table.empty()) {
    table.print(context.style);
  }
}

} // namespace

int show_status(const command_context& context, const status_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const bool redraws = options.watch && !context.style.json && ::isatty(STDOUT_FILENO) == 1;
  for (;;) {
    const auto status = node->get(options.all ? "/v1/status?rules=all" : "/v1/status");
    if (!status) {
      return status.error();
    }
    if (redraws) {
      print_line("\033[H\033[2J" + cell(*status, "now"));
    }
    print_status(context, *status);
    if (!options.watch) {
      return exit_ok;
    }
    std::this_thread::sleep_for(watch_interval);
  }
}

} // namespace sluice::app
