#include "app/subscriptions_command.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/node_things.hpp"
#include "app/subscription_lookup.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

std::string status_text(const document& one) {
  const auto cause = cell(one, "cause");
  const auto stopped = one.at("stopped").get<bool>();
  return cell(one, "status") + (cause.empty() ? "" : " (" + cause + ")") + (stopped ? ", stopped" : "");
}

std::string types_text(const document& one) {
  return joined(one.at("event_types").get<std::vector<std::string>>(), ", ");
}

std::string headers_text(const document& one) {
  std::vector<std::string> headers;
  for (const auto& header : one.at("headers")) {
    headers.push_back(cell(header, "name") + ": " + cell(header, "value"));
  }
  return joined(headers, ", ");
}

int print_one(const command_context& context, const document& one) {
  if (context.style.json) {
    print_json(one);
    return exit_ok;
  }
  text_table table{{"what", "is"}};
  for (const auto* name : {"id", "tenant", "name", "mode", "url"}) {
    table.add({name, cell(one, name)});
  }
  table.add({"event types", types_text(one)});
  table.add({"filter", cell(one, "filter")});
  table.add({"ordered by", cell(one, "ordered_by")});
  table.add({"headers", headers_text(one)});
  table.add({"status", status_text(one)});
  table.add({"reason", cell(one, "status_reason")});
  table.add({"dead in a row", cell(one, "consecutive_dead")});
  table.add({"cursor", cell(one, "cursor")});
  table.add({"created", cell(one, "created_at")});
  table.add({"updated", cell(one, "updated_at")});
  table.print(context.style);
  return exit_ok;
}

/// Nothing where it is none, which has been printed.
std::optional<document> header_of(const std::string& text, bool secret) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon == 0) {
    print_error("the header cannot be read", "it has no name before a colon", "write it as \"Name: value\"");
    return std::nullopt;
  }
  const auto value = text.find_first_not_of(' ', colon + 1);
  return document{{"name", text.substr(0, colon)},
                  {"value", value == std::string::npos ? "" : text.substr(value)},
                  {"secret", secret}};
}

std::optional<document> headers_of(const subscription_options& options) {
  auto headers = document::array();
  for (const auto* list : {&options.headers, &options.secret_headers}) {
    for (const auto& text : *list) {
      auto header = header_of(text, list == &options.secret_headers);
      if (!header) {
        return std::nullopt;
      }
      headers.push_back(std::move(*header));
    }
  }
  return headers;
}

void put_text(document& body, const char* name, const std::optional<std::string>& text) {
  if (text) {
    body[name] = *text;
  }
}

/// The request's text: a filter is put into it as it was written, so that its numbers keep their digits.
/// Nothing where something cannot be read, which has been printed.
std::optional<std::string> body_of(const subscription_options& options) {
  document body{{"by", current_user()}};
  put_text(body, "name", options.name);
  put_text(body, "url", options.url);
  put_text(body, "ordered_by", options.ordered_by);
  if (!options.event_types.empty()) {
    body["event_types"] = options.event_types;
  }
  for (const auto& [name, text] : {std::pair{"tenant", &options.tenant}, std::pair{"mode", &options.mode},
                                   std::pair{"signing", &options.signing}}) {
    if (!text->empty()) {
      body[name] = *text;
    }
  }
  auto headers = headers_of(options);
  if (!headers) {
    return std::nullopt;
  }
  if (!headers->empty() || options.no_headers) {
    body["headers"] = std::move(*headers);
  }
  auto text = body.dump(-1, ' ', false, document::error_handler_t::replace);
  if (!options.filter) {
    return text;
  }
  if (!options.filter->empty() && !document::accept(*options.filter)) {
    print_error("the filter cannot be read", "it is not JSON", "write an object as in a rule's filter");
    return std::nullopt;
  }
  text.back() = ',';
  return text + R"("filter":)" + (options.filter->empty() ? "null" : *options.filter) + "}";
}

int print_secret(const command_context& context, const document& answer, const std::string& sentence) {
  if (context.style.json) {
    print_json(answer);
    return exit_ok;
  }
  const auto secret = cell(answer, "secret");
  print_note(printable(sentence)
             + (secret.empty() ? "" : "; its receiver verifies with this, shown this once:"));
  print_line(secret.empty() ? cell(answer, "id") : secret);
  return exit_ok;
}

} // namespace

int list_subscriptions(const command_context& context, const subscription_list_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  auto all = document::array();
  text_table table{{"name", "tenant", "mode", "status", "event types", "goes to", "id"}};
  std::string after = "0";
  while (!after.empty()) {
    const auto page =
        node->get("/v1/subscriptions?limit=1000&after=" + after
                  + (options.tenant.empty() ? "" : "&tenant=" + api::percent_encode(options.tenant))
                  + (options.status.empty() ? "" : "&status=" + api::percent_encode(options.status)));
    if (!page) {
      return page.error();
    }
    for (const auto& one : page->at("subscriptions")) {
      all.push_back(one);
      table.add({cell(one, "name"), cell(one, "tenant"), cell(one, "mode"), status_text(one), types_text(one),
                 cell(one, "url"), cell(one, "id")});
    }
    after = cell(*page, "next_after");
  }
  if (context.style.json) {
    print_json({{"subscriptions", all}});
  } else if (table.empty()) {
    print_line("no subscription; `sluice subscriptions create` makes one");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int show_subscription(const command_context& context, const std::string& named) {
  return with_subscription(context, named, [&](const node_client& node, const std::string& id) {
    const auto answer = node.get(subscription_path(id));
    return answer ? print_one(context, *answer) : answer.error();
  });
}

int create_subscription(const command_context& context, const subscription_options& options) {
  auto body = body_of(options);
  if (!body) {
    return exit_usage;
  }
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto made = node->post_text("/v1/subscriptions", std::move(*body), "");
  return made ? print_secret(context, *made,
                             "subscription " + cell(*made, "name") + " is made (" + cell(*made, "id") + ")")
              : made.error();
}

int change_subscription(const command_context& context, const std::string& named,
                        const subscription_options& options) {
  const auto body = body_of(options);
  if (!body) {
    return exit_usage;
  }
  return with_subscription(context, named, [&](const node_client& node, const std::string& id) {
    const auto answer = node.patch_text(subscription_path(id), *body);
    return answer ? print_one(context, *answer) : answer.error();
  });
}

int set_subscription_status(const command_context& context, const std::string& named, const std::string& act,
                            const std::string& reason) {
  return with_subscription(context, named, [&](const node_client& node, const std::string& id) {
    document body{{"by", current_user()}};
    if (!reason.empty()) {
      body["reason"] = reason;
    }
    const auto answer = node.post(subscription_path(id, "/" + act), body);
    return answer ? print_done(context, *answer,
                               "subscription " + cell(*answer, "name") + " is " + cell(*answer, "status"))
                  : answer.error();
  });
}

int rotate_subscription(const command_context& context, const std::string& named,
                        const std::string& signing) {
  return with_subscription(context, named, [&](const node_client& node, const std::string& id) {
    document body{{"by", current_user()}};
    if (!signing.empty()) {
      body["signing"] = signing;
    }
    const auto answer = node.post(subscription_path(id, "/rotate"), body);
    return answer ? print_secret(context, *answer,
                                 "rotated: the secret before signs beside it until "
                                     + cell(*answer, "overlap_until"))
                  : answer.error();
  });
}

int test_subscription(const command_context& context, const std::string& named) {
  return with_subscription(context, named, [&](const node_client& node, const std::string& id) {
    const auto answer = node.post(subscription_path(id, "/test"), {{"by", current_user()}});
    return answer ? print_done(context, *answer,
                               "event " + cell(*answer, "event") + " goes to it; `sluice subscriptions "
                                   + "attempts` shows what becomes of it")
                  : answer.error();
  });
}

int remove_subscription(const command_context& context, const std::string& named, bool yes) {
  if (!yes
      && !confirmed(context, "Remove subscription " + printable(named) + " for good, with what waits for it?",
                    "nothing was removed", "give --yes when that is meant; `pause` can be undone")) {
    return exit_refused;
  }
  return with_subscription(context, named, [&](const node_client& node, const std::string& id) {
    const auto answer = node.remove(subscription_path(id));
    return answer ? print_done(context, *answer, "removed; what waited for it fails") : answer.error();
  });
}

} // namespace sluice::app
