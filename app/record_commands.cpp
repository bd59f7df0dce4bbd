#include "app/record_commands.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/node_client.hpp"
#include "app/progress.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

std::string cell(const document& from, const char* name) {
  const auto& value = from.at(name);
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

document filter_of(const retry_options& options) {
  document body{{"by", current_user()}};
  const auto put = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      body[name] = value;
    }
  };
  put("source_id", options.source_id);
  put("error_class", options.error_class);
  put("from", options.from);
  put("until", options.until);
  if (options.all) {
    body["all"] = true;
  }
  return body;
}

/// Shows how many there are before many are reopened. The error is the exit code.
std::expected<bool, int> agrees(const command_context& context, const node_client& node,
                                const retry_options& options) {
  if (options.yes || !options.source_id.empty()) {
    return true;
  }
  const auto counted = node.get(rule_path(options.rule, "/ledger/counts"));
  if (!counted) {
    return std::unexpected{counted.error()};
  }
  std::int64_t terminal = 0;
  for (const auto* status : {"exhausted", "remote_gone"}) {
    terminal += counted->at("counts").value(status, std::int64_t{0});
  }
  return confirmed(context,
                   "Rule " + options.rule + " has " + grouped(terminal)
                       + " records that ended exhausted or gone. Retry "
                       + (options.all ? "all of them?" : "those the filter names?"),
                   "nothing was retried",
                   "look at `sluice ledger --rule " + options.rule + " --counts` and retry with --yes");
}

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

int retry(const command_context& context, const retry_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto agreed = agrees(context, *node, options);
  if (!agreed || !*agreed) {
    return agreed ? exit_refused : agreed.error();
  }
  auto body = filter_of(options);
  std::int64_t reopened = 0;
  progress bar{"records offered again", 0};
  for (;;) { // the node reopens a batch at a time
    const auto done = node->post(rule_path(options.rule, "/retry"), body);
    if (!done) {
      return done.error();
    }
    reopened += done->at("reopened").get<std::int64_t>();
    bar.show(reopened);
    if (done->at("next_after").is_null()) {
      break;
    }
    body["after"] = done->at("next_after");
  }
  return print_row(context, {{"reopened", reopened}}, grouped(reopened) + " records are offered again");
}

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
