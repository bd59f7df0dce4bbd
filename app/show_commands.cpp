#include "app/show_commands.hpp"

#include "api/url_text.hpp"
#include "app/node_client.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

std::string text_of(const document& value) {
  return value.is_string() ? printable(value.get<std::string>()) : value.dump();
}

void add_lines(text_table& table, const std::string& path, const document& value) {
  if (!value.is_structured()) {
    table.add({path, value.is_null() ? "" : text_of(value)});
    return;
  }
  std::size_t place = 0;
  for (const auto& [name, member] : value.items()) {
    const auto last = value.is_array() ? std::to_string(++place) : printable(name);
    add_lines(table, path.empty() ? last : path + "." + last, member);
  }
}

int print_lines(const command_context& context, const document& shown) {
  if (context.style.json) {
    print_json(shown);
    return exit_ok;
  }
  table_of(shown).print(context.style);
  return exit_ok;
}

} // namespace

text_table table_of(const document& shown) {
  text_table table{{"what", "value"}};
  add_lines(table, "", shown);
  return table;
}

int show_rule(const command_context& context, const rule_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto definition = node->get(rule_path(options.name, "/definition"));
  if (!definition) {
    return definition.error();
  }
  const auto status = node->get(rule_path(options.name));
  return status ? print_lines(context, {{"definition", *definition}, {"status", *status}}) : status.error();
}

int show_connection(const command_context& context, const connection_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto connection = node->get("/v1/connections/" + api::percent_encode(options.name));
  return connection ? print_lines(context, *connection) : connection.error();
}

} // namespace sluice::app
