#include "app/rule_commands.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/node_client.hpp"
#include "app/progress.hpp"

#include <chrono>
#include <thread>

namespace sluice::app {
namespace {

using document = node_client::document;

std::string preview_target(const backfill_options& options) {
  return rule_path(options.rule, "/backfill/preview")
         + (options.resend ? std::string{"?resend=true"} : std::string{"?resend=false"})
         + (options.until.empty() ? "" : "&until=" + api::percent_encode(options.until));
}

std::string preview_sentence(const document& preview) {
  const auto updates = number(preview, "updates");
  return "A backfill up to " + preview.at("until").get<std::string>() + " covers "
         + grouped(number(preview, "records")) + " records and would create "
         + grouped(number(preview, "creates"))
         + (updates > 0 ? " and send " + grouped(updates) + " again" : "") + ".";
}

/// The plan once it is no longer being counted.
std::expected<document, int> counted_plan(const node_client& node, const std::string& rule) {
  auto plan = node.post(rule_path(rule, "/plan"), document::object());
  progress bar{"looking at records", 0};
  while (plan && plan->at("phase") == "counting") {
    bar.show(number(*plan, "examined"));
    std::this_thread::sleep_for(poll_interval);
    plan = node.get(rule_path(rule, "/plan"));
  }
  return plan;
}

void print_plan(const command_context& context, const document& plan) {
  text_table table{{"delivering now would", "records"}, {1}};
  for (const auto& [what, count] : plan.at("counts").items()) {
    table.add({what, grouped(count.get<std::int64_t>())});
  }
  table.print(context.style);
  if (const auto& trips = plan.at("trips_hold"); !trips.is_null()) {
    print_line("The volume breaker would hold: " + grouped(number(trips, "pending"))
               + " withdrawals, at most " + grouped(number(trips, "threshold")) + " may go.");
  }
}

/// Whether the numbers are agreed to, by the options or by the person.
bool agrees(const command_context& context, const backfill_options& options, const document& preview) {
  const auto creates = number(preview, "creates");
  if (!options.yes) {
    return confirmed(context, preview_sentence(preview) + " Start it?", "the backfill was not started",
                     "look at `sluice backfill preview` and start with --yes --creates N");
  }
  if (creates <= *options.creates) {
    return true;
  }
  print_error("the backfill was not started",
              "it would create " + grouped(creates) + " records, " + grouped(*options.creates)
                  + " are agreed to",
              "look at `sluice backfill preview` again");
  return false;
}

} // namespace

int plan_rule(const command_context& context, const std::string& rule) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto plan = counted_plan(*node, rule);
  if (!plan) {
    return plan.error();
  }
  const bool done = plan->at("phase") == "done";
  if (context.style.json) {
    print_json(*plan);
  } else if (done) {
    print_plan(context, *plan);
  } else {
    print_error("the plan was not counted to its end",
                plan->at("reason").is_string() ? plan->at("reason").get<std::string>() : "it was cancelled",
                "try again");
  }
  return done ? exit_ok : exit_refused;
}

int preview_backfill(const command_context& context, const backfill_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto preview = node->get(preview_target(options));
  if (!preview) {
    return preview.error();
  }
  if (context.style.json) {
    print_json(*preview);
  } else {
    print_line(preview_sentence(*preview));
  }
  return exit_ok;
}

/// What is confirmed is what was counted, against the same bound.
int start_backfill(const command_context& context, const backfill_options& options) {
  if (options.yes && !options.creates) {
    print_error("the backfill was not started", "--yes agrees to numbers nobody has named",
                "say how many creates are agreed to: --yes --creates N");
    return exit_usage;
  }
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto preview = node->get(preview_target(options));
  if (!preview) {
    return preview.error();
  }
  if (!agrees(context, options, *preview)) {
    return exit_refused;
  }
  const auto started = node->post(rule_path(options.rule, "/backfill"), {{"until", preview->at("until")},
                                                                         {"records", preview->at("records")},
                                                                         {"creates", preview->at("creates")},
                                                                         {"resend", options.resend},
                                                                         {"by", current_user()}});
  if (!started) {
    return started.error();
  }
  if (context.style.json) {
    print_json(*started);
  } else {
    print_line("the backfill of rule " + options.rule + " has begun");
  }
  return exit_ok;
}

int abort_backfill(const command_context& context, const std::string& rule) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto aborted = node->post(rule_path(rule, "/backfill/abort"), {{"by", current_user()}});
  if (!aborted) {
    return aborted.error();
  }
  if (context.style.json) {
    print_json(*aborted);
  } else {
    print_line("the backfill of rule " + rule + " has ended; the batch that is out is delivered to its end");
  }
  return exit_ok;
}

} // namespace sluice::app
