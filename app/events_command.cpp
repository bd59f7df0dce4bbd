#include "app/events_command.hpp"

#include "api/url_text.hpp"
#include "app/file_text.hpp"
#include "app/node_client.hpp"
#include "core/change_event.hpp"

#include <utility>

namespace sluice::app {
namespace {

std::string source_text(const node_client::document& event) {
  const auto& source = event.at("source");
  return source.is_null() ? "" : cell(source, "domain") + " " + cell(source, "source_id");
}

} // namespace

int list_events(const command_context& context, const event_list_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto answer =
      node->get("/v1/events?limit=" + std::to_string(options.limit)
                + (options.tenant.empty() ? "" : "&tenant=" + api::percent_encode(options.tenant))
                + (options.type.empty() ? "" : "&type=" + api::percent_encode(options.type)));
  if (!answer) {
    return answer.error();
  }
  text_table table{{"occurred", "type", "kind", "tenant", "position", "record", "id"}, {4}};
  for (const auto& one : answer->at("events")) {
    table.add({cell(one, "occurred_at"), cell(one, "type"), cell(one, "kind"), cell(one, "tenant"),
               cell(one, "position"), printable(source_text(one)), cell(one, "id")});
  }
  if (context.style.json) {
    print_json(*answer);
  } else if (table.empty()) {
    print_line("no event");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int publish_event(const command_context& context, const publish_options& options) {
  auto body = read_file_text(options.file, core::published_body_bytes_max, "no event is published");
  if (!body) {
    return exit_usage;
  }
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto answer =
      node->post_text("/v1/events?type=" + api::percent_encode(options.type)
                          + (options.tenant.empty() ? "" : "&tenant=" + api::percent_encode(options.tenant)),
                      std::move(*body), options.key);
  if (!answer) {
    return answer.error();
  }
  if (context.style.json) {
    print_json(*answer);
  } else {
    print_line((answer->at("repeated") == true ? "published before, under this key: " : "published: ")
               + cell(*answer, "id"));
  }
  return exit_ok;
}

} // namespace sluice::app
