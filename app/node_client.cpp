#include "app/node_client.hpp"

#include "api/url_text.hpp"
#include "config/api_socket.hpp"

#include <pwd.h>
#include <unistd.h>

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr auto timeout = std::chrono::minutes{2};

int report_failure(const api::client& client, const api::client::failure& failure) {
  if (failure.what == api::client::fault::unreachable) {
    print_error("no node answers at " + client.place(), failure.detail,
                "start one with `sluice serve` under these settings, or name the right one with --api");
  } else {
    print_error("what answers at " + client.place() + " is no node's API, or the exchange broke",
                failure.detail,
                "check api.listen, and look before you repeat: what was asked may have been done");
  }
  return exit_unreachable;
}

std::string text_member(const document& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

bool is_problem(const document& answer, std::string_view kind) {
  return text_member(answer, "type") == "urn:sluice:problem:" + std::string{kind};
}

int report_problem(const api::client::answer& answer) {
  const auto title = text_member(answer.document, "title");
  const auto detail = text_member(answer.document, "detail");
  switch (answer.status) {
  case 401:
    print_error("the node refuses the token", detail, "set api.token to a token the node knows");
    return exit_refused;
  case 503:
  case 504:
    print_error("the node cannot do this now", detail, "try again");
    return exit_unreachable;
  default:
    print_error(title.empty() ? "the node refuses this" : title, detail, "");
    return exit_refused;
  }
}

} // namespace

/// The socket first: it needs no token. Where there is none, the node may be another machine's.
std::expected<node_client, int> node_client::of(const command_context& context) {
  const auto socket = config::api_socket_path(context.settings);
  if (!socket.empty() && ::access(socket.c_str(), F_OK) == 0)
    return node_client{api::client::at_socket(socket)};
  auto made = api::client::of(context.settings.api);
  if (!made) {
    print_error(
        "no node can be asked", made.error() + (socket.empty() ? "" : ", and there is no " + socket),
        "start one with `sluice serve` under these settings, set api.listen and api.token for the node "
        "and this command alike, or name the node with --api");
    return std::unexpected{exit_usage};
  }
  return node_client{std::move(*made)};
}

std::expected<document, int> node_client::get(std::string_view target) const {
  return send("GET", target, nullptr);
}

std::expected<document, int> node_client::post(std::string_view target, const document& body) const {
  return send("POST", target, body);
}

std::expected<document, int> node_client::post(std::string_view target, const document& body,
                                               std::string_view refusal) const {
  return send("POST", target, body, refusal);
}

std::expected<document, int> node_client::patch_text(std::string_view target, std::string body) const {
  return told(client_.send_text("PATCH", target, std::move(body), "", timeout));
}

std::expected<document, int> node_client::post_text(std::string_view target, std::string body,
                                                    const std::string& key) const {
  return told(client_.send_text("POST", target, std::move(body), key, timeout));
}

std::expected<document, int> node_client::post_mail(std::string_view target, std::string mail) const {
  return told(client_.send_typed("POST", target, "message/rfc822", std::move(mail), timeout), "invalid");
}

std::expected<document, int> node_client::remove(std::string_view target) const {
  return send("DELETE", target, nullptr);
}

std::expected<document, int> node_client::send(std::string_view method, std::string_view target,
                                               const document& body, std::string_view refusal) const {
  return told(client_.send(method, target, body, timeout), refusal);
}

std::expected<document, int> node_client::told(exchange answer, std::string_view refusal) const {
  if (!answer) {
    return std::unexpected{report_failure(client_, answer.error())};
  }
  if (!answer->ok() && (refusal.empty() || !is_problem(answer->document, refusal))) {
    return std::unexpected{report_problem(*answer)};
  }
  return std::move(answer->document);
}

std::int64_t number(const document& from, const char* name) {
  return from.at(name).get<std::int64_t>();
}

std::string cell(const document& from, std::string_view name) {
  const auto found = from.find(name);
  if (found == from.end() || found->is_null()) {
    return "";
  }
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string current_user() {
  const auto* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : "uid " + std::to_string(::getuid());
}

std::string rule_path(std::string_view rule, std::string_view rest) {
  return "/v1/rules/" + api::percent_encode(rule) + std::string{rest};
}

} // namespace sluice::app
