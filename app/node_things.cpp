#include "app/node_things.hpp"

#include "api/url_text.hpp"

#include <algorithm>

namespace sluice::app {
namespace {

using document = node_client::document;

text_table table_of(const shown_list& list) {
  std::vector<std::string> heads;
  for (const auto& [head, member] : list.columns) {
    heads.push_back(head);
  }
  return text_table{std::move(heads)};
}

void add_rows(const shown_list& list, const document& rows, text_table& to) {
  for (const auto& one : rows) {
    std::vector<std::string> row;
    for (const auto& [head, member] : list.columns) {
      row.push_back(printable(cell(one, member)));
    }
    to.add(std::move(row));
  }
}

void print_table(const command_context& context, const shown_list& list, const text_table& table) {
  if (table.empty()) {
    print_line(list.empty);
  } else {
    table.print(context.style);
  }
}

} // namespace

std::string query_part(std::string_view name, const std::string& value) {
  return value.empty() ? "" : "&" + std::string{name} + "=" + api::percent_encode(value);
}

int show_all(const command_context& context, const shown_list& list) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  auto all = document::array();
  auto table = table_of(list);
  std::string after = "0";
  while (!after.empty()) {
    const auto page = node->get(list.path + "&limit=1000&after=" + after);
    if (!page) {
      return page.error();
    }
    for (const auto& one : page->at(list.member)) {
      all.push_back(one);
    }
    add_rows(list, page->at(list.member), table);
    after = cell(*page, "next_after");
  }
  if (context.style.json) {
    print_json({{list.member, all}});
  } else {
    print_table(context, list, table);
  }
  return exit_ok;
}

int show_newest(const command_context& context, const shown_list& list, std::int64_t limit) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto page = node->get(list.path + "&limit=" + std::to_string(limit));
  if (!page) {
    return page.error();
  }
  if (context.style.json) {
    print_json(*page);
    return exit_ok;
  }
  auto table = table_of(list);
  add_rows(list, page->at(list.member), table);
  print_table(context, list, table);
  return exit_ok;
}

int print_thing(const command_context& context, const document& one) {
  if (context.style.json) {
    print_json(one);
    return exit_ok;
  }
  text_table table{{"what", "is"}};
  for (const auto& [name, value] : one.items()) {
    auto head = name;
    std::ranges::replace(head, '_', ' ');
    if (!value.is_array() || (!value.empty() && !value.front().is_object())) {
      table.add({head, printable(cell(one, name))});
    }
  }
  table.print(context.style);
  return exit_ok;
}

int print_done(const command_context& context, const document& answer, const std::string& sentence) {
  if (context.style.json) {
    print_json(answer);
  } else {
    print_line(printable(sentence));
  }
  return exit_ok;
}

int show_thing(const command_context& context, const std::string& path) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto one = node->get(path);
  return one ? print_thing(context, *one) : one.error();
}

int act_on_thing(const command_context& context, const std::string& path, document body,
                 const std::string& sentence) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  body["by"] = current_user();
  const auto answer = node->post(path, body);
  return answer ? print_done(context, *answer, sentence) : answer.error();
}

} // namespace sluice::app
