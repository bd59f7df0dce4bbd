#include "app/verify_command.hpp"

#include "app/node_client.hpp"
#include "app/progress.hpp"

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <thread>

namespace sluice::app {
namespace {

using document = node_client::document;

std::string text_or(const document& from, const char* name, const std::string& otherwise) {
  const auto& value = from.at(name);
  return value.is_string() ? value.get<std::string>() : otherwise;
}

document wanted(const verify_options& options) {
  auto body = document::object();
  if (options.all) {
    body["all"] = true;
  } else if (options.sample) {
    body["sample"] = *options.sample;
  }
  return body;
}

/// The verification once it is over.
std::expected<document, int> ended_verification(const node_client& node, const verify_options& options) {
  const auto path = rule_path(options.rule, "/verify");
  auto found = node.post(path, wanted(options));
  std::optional<progress> bar;
  while (found && found->at("phase") == "looking") {
    if (const auto total = number(*found, "total"); total > 0 && !bar) {
      bar.emplace("looking up records", total);
    }
    if (bar) {
      bar->show(number(*found, "examined"));
    }
    std::this_thread::sleep_for(poll_interval);
    found = node.get(path);
  }
  return found;
}

bool all_agree(const document& found) {
  return number(found, "drifted") == 0 && number(found.at("counts"), "unknown") == 0;
}

void print_counts(const command_context& context, const document& found) {
  text_table table{{"ledger and target", "records"}, {1}};
  for (const auto& [what, count] : found.at("counts").items()) {
    table.add({what, grouped(count.get<std::int64_t>())});
  }
  table.print(context.style);
}

void print_examples(const command_context& context, const document& found) {
  text_table table{{"finding", "source id", "status", "id in the ledger", "id at the target", "why"}};
  for (const auto& one : found.at("examples")) {
    table.add({one.at("finding").get<std::string>(), printable(one.at("source_id").get<std::string>()),
               one.at("status").get<std::string>(), printable(text_or(one, "ledger_id", "-")),
               printable(text_or(one, "target_id", "-")),
               printable(text_or(one, "error", text_or(one, "error_class", "")))});
  }
  if (!table.empty()) {
    print_line("");
    table.print(context.style);
  }
}

void print_verification(const command_context& context, const document& found) {
  print_counts(context, found);
  print_examples(context, found);
  if (found.at("rule_changed") == true) {
    print_note("the rule or its target's settings were changed meanwhile: records were looked up as before");
  }
  if (found.at("rule_switched_off") == true) {
    print_note("the rule is switched off");
  }
}

} // namespace

int verify_rule(const command_context& context, const verify_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto found = ended_verification(*node, options);
  if (!found) {
    return found.error();
  }
  const bool done = found->at("phase") == "done";
  if (context.style.json) {
    print_json(*found);
  } else if (done) {
    print_verification(context, *found);
  } else {
    print_error("the rule was not verified to the end", text_or(*found, "reason", "it was cancelled"),
                "see to that and try again");
  }
  return done && all_agree(*found) ? exit_ok : exit_refused;
}

} // namespace sluice::app
