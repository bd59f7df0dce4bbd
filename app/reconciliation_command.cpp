#include "app/reconciliation_command.hpp"

#include "app/node_client.hpp"
#include "app/node_things.hpp"

#include <vector>

namespace sluice::app {
namespace {

using document = node_client::document;

/// "notification ID, attempt 2", "event 7", "c-1 of rule to-crm"
std::string what_text(const document& one) {
  if (!one.at("rule").is_null()) {
    return cell(one, "record") + " of rule " + cell(one, "rule");
  }
  return one.at("event").is_null()
             ? "notification " + cell(one, "notification") + ", attempt " + cell(one, "attempt")
             : "event " + cell(one, "event");
}

std::string next_text(const document& one) {
  return one.at("needs_person") == true ? "a person" : cell(one, "next_look_at");
}

/// Every item of the kind; the error is the exit code.
std::expected<document, int> items_of(const node_client& node, const std::string& kind, bool for_people) {
  auto all = document::array();
  std::string after = "0";
  while (!after.empty()) {
    const auto page =
        node.get("/v1/reconciliation/" + kind + "?limit=1000"
                 + query_part("for_people", for_people ? "true" : "") + query_part("after", after));
    if (!page) {
      return std::unexpected{page.error()};
    }
    for (const auto& one : page->at("items")) {
      all.push_back(one);
    }
    after = cell(*page, "next_after");
  }
  return all;
}

void print_items(const command_context& context, const document& items) {
  text_table table{{"kind", "what", "profile", "since", "looks", "last look", "next look"}, {4}};
  for (const auto& one : items) {
    table.add({cell(one, "kind"), printable(what_text(one)), printable(cell(one, "profile")),
               cell(one, "since"), cell(one, "looks"), cell(one, "verdict"), next_text(one)});
  }
  if (table.empty()) {
    print_line("everything is known");
  } else {
    table.print(context.style);
  }
}

} // namespace

int list_unsettled(const command_context& context, const reconciliation_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto counts = node->get("/v1/reconciliation");
  if (!counts) {
    return counts.error();
  }
  auto all = document::array();
  for (const auto& of : counts->at("kinds")) {
    const auto kind = cell(of, "kind");
    if (!options.kind.empty() && options.kind != kind) {
      continue;
    }
    const auto items = items_of(*node, kind, options.for_people);
    if (!items) {
      return items.error();
    }
    all.insert(all.end(), items->begin(), items->end());
  }
  if (context.style.json) {
    print_json({{"items", all}});
  } else {
    print_items(context, all);
  }
  return exit_ok;
}

} // namespace sluice::app
