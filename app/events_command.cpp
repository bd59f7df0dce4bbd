#include "app/events_command.hpp"

#include "api/url_text.hpp"
#include "app/node_client.hpp"
#include "core/change_event.hpp"

#include <fstream>
#include <iostream>
#include <optional>

namespace sluice::app {
namespace {

/// At most one byte more than an event may have: the node says what is too much.
std::string read_some(std::istream& from) {
  std::string text(core::published_body_bytes_max + 1, '\0');
  from.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(from.gcount()));
  return text;
}

/// Nothing where it cannot be read, which has been printed.
std::optional<std::string> body_of(const std::string& file) {
  if (file == "-") {
    return read_some(std::cin);
  }
  std::ifstream from{file, std::ios::binary};
  auto text = from ? read_some(from) : std::string{};
  if (!from.is_open() || from.bad()) {
    print_error("no event is published", printable(file) + " cannot be read",
                "name a file with the event's JSON, or - for standard input");
    return std::nullopt;
  }
  return text;
}

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
  auto body = body_of(options.file);
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
