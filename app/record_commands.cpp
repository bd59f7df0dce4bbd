#include "app/record_commands.hpp"

#include "api/url_text.hpp"
#include "app/node_client.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

int print_row(const command_context& context, const document& row, const std::string& sentence) {
  if (context.style.json) {
    print_json(row);
  } else {
    print_line(printable(sentence));
  }
  return exit_ok;
}

std::string ambiguous_path(const std::string& rule, const std::string& source_id, const char* act) {
  return rule_path(rule, "/ambiguous/" + api::percent_encode(source_id) + act);
}

} // namespace

int list_ambiguous(const command_context& context, const std::string& rule) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  auto rows = document::array();
  std::string after;
  do {
    const auto page = node->get(rule_path(rule, "/ambiguous?limit=1000&after=" + api::percent_encode(after)));
    if (!page) {
      return page.error();
    }
    rows.insert(rows.end(), page->at("rows").begin(), page->at("rows").end());
    after = cell(*page, "next_after");
  } while (!after.empty());
  if (context.style.json) {
    print_json({{"rows", rows}});
    return exit_ok;
  }
  text_table table{{"source id", "since", "error"}};
  for (const auto& row : rows) {
    table.add(
        {cell(row, "source_id"), cell(row, "since"), cell(row, "error_class") + ": " + cell(row, "error")});
  }
  if (table.empty()) {
    print_line("nothing is ambiguous");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int link_record(const command_context& context, const std::string& rule, const std::string& source_id,
                const std::string& remote_id) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto row = node->post(ambiguous_path(rule, source_id, "/link"),
                              {{"remote_id", remote_id}, {"by", current_user()}});
  return row ? print_row(context, *row, "record " + source_id + " is " + remote_id + " in the target")
             : row.error();
}

int resend_record(const command_context& context, const std::string& rule, const std::string& source_id) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto row = node->post(ambiguous_path(rule, source_id, "/resend"), {{"by", current_user()}});
  return row ? print_row(context, *row, "record " + source_id + " is created again") : row.error();
}

} // namespace sluice::app
