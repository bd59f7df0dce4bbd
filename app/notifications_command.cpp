#include "app/notifications_command.hpp"

#include "api/url_text.hpp"
#include "app/file_text.hpp"
#include "app/node_things.hpp"

#include <optional>

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr std::size_t html_bytes_max = 256 << 10;

std::string path_of(const std::string& id, const std::string& rest = "") {
  return "/v1/notifications/" + api::percent_encode(id) + rest;
}

/// The request's text: data is put into it as it was written, so that its numbers keep their digits. Nothing
/// where something cannot be read, which has been printed.
std::optional<std::string> body_of(const notification_options& options) {
  document body{{"contact", options.contact}, {"route", options.route}};
  std::optional<std::string> html;
  if (!options.html_file.empty()) {
    html = read_file_text(options.html_file, html_bytes_max, "nothing is sent");
    if (!html) {
      return std::nullopt;
    }
    body["html"] = *html;
  }
  for (const auto& [name, text] :
       {std::pair{"tenant", &options.tenant}, std::pair{"subject", &options.subject},
        std::pair{"title", &options.title}, std::pair{"text", &options.text},
        std::pair{"urgency", &options.urgency}, std::pair{"expires_at", &options.expires_at}}) {
    if (!text->empty()) {
      body[name] = *text;
    }
  }
  auto text = body.dump(-1, ' ', false, document::error_handler_t::replace);
  if (options.data.empty()) {
    return text;
  }
  if (!document::accept(options.data)) {
    print_error("nothing is sent", "the data is not JSON", "write an object, such as {\"order\":7}");
    return std::nullopt;
  }
  text.back() = ',';
  return text + R"("data":)" + options.data + "}";
}

int print_history(const command_context& context, const document& history) {
  text_table table{{"attempt", "profile", "submitted", "state", "provider's id", "error", "became"}, {0}};
  for (const auto& one : history) {
    table.add({cell(one, "number"), printable(cell(one, "profile")), cell(one, "submitted_at"),
               cell(one, "state"), printable(cell(one, "provider_message_id")), printable(cell(one, "error")),
               cell(one, "told")});
  }
  if (!table.empty()) {
    print_line("");
    table.print(context.style);
  }
  return exit_ok;
}

} // namespace

int send_notification(const command_context& context, const notification_options& options) {
  auto body = body_of(options);
  if (!body) {
    return exit_usage;
  }
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto answer = node->post_text("/v1/notifications", std::move(*body), options.key);
  if (!answer) {
    return answer.error();
  }
  return print_done(context, *answer,
                    (answer->at("repeated") == true ? "posted before, under this key: " : "posted: ")
                        + cell(*answer, "id") + ", " + cell(*answer, "state"));
}

int list_notifications(const command_context& context, const notification_list_options& options) {
  return show_newest(context,
                     {"/v1/notifications?" + query_part("tenant", options.tenant)
                          + query_part("state", options.state) + query_part("contact", options.contact),
                      "notifications",
                      {{"created", "created_at"},
                       {"tenant", "tenant"},
                       {"state", "state"},
                       {"profile", "profile"},
                       {"attempts", "attempts"},
                       {"due", "due_at"},
                       {"became", "told"},
                       {"error", "error"},
                       {"id", "id"}},
                      "no notification"},
                     options.limit);
}

int show_notification(const command_context& context, const std::string& id) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto one = node->get(path_of(id));
  if (!one) {
    return one.error();
  }
  const auto printed = print_thing(context, *one);
  return context.style.json ? printed : print_history(context, one->at("history"));
}

int cancel_notification(const command_context& context, const std::string& id, const std::string& reason) {
  return act_on_thing(context, path_of(id, "/cancel"), {{"reason", reason}},
                      "notification " + id + " is not sent");
}

int settle_notification(const command_context& context, const settling_options& options) {
  document body{{"outcome", options.outcome}, {"reason", options.reason}};
  if (!options.provider_message_id.empty()) {
    body["provider_message_id"] = options.provider_message_id;
  }
  return act_on_thing(context, path_of(options.id, "/settle"), std::move(body),
                      "notification " + options.id
                          + (options.outcome == "accepted" ? " was accepted" : " is sent again"));
}

} // namespace sluice::app
