#include "api/subscription_parts.hpp"

#include "core/header_field.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <limits>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t types_bytes_max = 200; ///< of one pattern here; core says what fits
constexpr std::size_t url_bytes_max = 4096;
constexpr std::size_t pointer_bytes_max = 1024;
constexpr std::size_t tenant_bytes_max = 200;

const core::custom_header* header_named(const std::vector<core::custom_header>& headers,
                                        const std::string& name) {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& one) { return core::equal_header_names(one.name, name); });
  return found == headers.end() ? nullptr : &*found;
}

/// Nothing, where it is none.
std::optional<core::custom_header> header_of(const nlohmann::json& from) {
  core::custom_header header;
  for (const auto& [name, value] : from.items()) {
    if (name == "name" && value.is_string())
      header.name = value.get<std::string>();
    else if (name == "value" && value.is_string())
      header.value = value.get<std::string>();
    else if (name == "secret" && value.is_boolean())
      header.secret = value.get<bool>();
    else
      return std::nullopt;
  }
  if (header.name.empty() || !from.contains("value"))
    return std::nullopt;
  return header;
}

/// Headers over those that are there; what is shown masked stays what it is, and stays secret.
void read_headers(body_reader& body, std::vector<core::custom_header>& into) {
  const auto given = body.optional_objects("headers", core::custom_headers_max);
  if (!given)
    return;
  std::vector<core::custom_header> read;
  for (const auto& each : *given) {
    auto header = header_of(each);
    if (!header) {
      body.refuse("headers", "headers must be a list of {name, value, secret}: texts, and true or false");
      return;
    }
    if (header->value == core::masked_value) {
      const auto* before = header_named(into, header->name);
      if (!before || before->value != core::masked_value) {
        body.refuse("headers", "headers: \"" + header->name + "\" has no value that could be kept; send it");
        return;
      }
      header->name = before->name;
      header->secret = true;
    }
    read.push_back(std::move(*header));
  }
  into = std::move(read);
}

} // namespace

void with_subscription(desk& at, const request& asked, const responder& answer,
                       std::function<void(core::subscription&)> then) {
  with_subscription(at, asked.who, asked.parameters.at("subscription"), answer, std::move(then));
}

void with_subscription(desk& at, const caller& who, const std::string& id, const responder& answer,
                       std::function<void(core::subscription&)> then) {
  at.ask<core::subscription>(at.links().subscription_overview, m::find_subscription{id, who.tenants}, answer,
                             std::move(then));
}

void with_delivery(desk& at, const request& asked, const responder& answer,
                   std::function<void(const core::subscription&, core::event_delivery&)> then) {
  with_subscription(
      at, asked, answer,
      [&at, answer, event = asked.parameters.at("event"), then = std::move(then)](core::subscription& one) {
        at.ask<core::event_delivery>(at.links().subscription_overview, m::find_delivery{one.id, event},
                                     answer, [one, then](core::event_delivery& found) { then(one, found); });
      });
}

m::named_subscription named(const core::subscription& one) {
  return {one.id, one.public_id, one.tenant};
}

std::expected<std::string, problem> tenant_of(const caller& who, const std::string& given) {
  if (given.empty()) {
    if (who.tenants.names && who.tenants.names->size() == 1)
      return who.tenants.names->front();
    return std::unexpected{invalid_member(
        "tenant", "tenant is missing: it may be left out by a token that is limited to one tenant")};
  }
  if (given.size() > tenant_bytes_max || !who.may_see(given))
    return std::unexpected{missing("tenant", given)};
  return given;
}

void read_settings(body_reader& body, core::subscription& into) {
  if (auto name = body.optional_text("name", core::subscription_name_bytes_max))
    into.name = std::move(*name);
  if (auto url = body.optional_text("url", url_bytes_max))
    into.url = std::move(*url);
  if (auto types = body.optional_texts("event_types", types_bytes_max))
    into.event_types = std::move(*types);
  if (auto filter = body.optional_object_text("filter"))
    into.filter = std::move(*filter);
  if (auto key = body.optional_text("ordered_by", pointer_bytes_max))
    into.ordered_by = std::move(*key);
  if (auto accepted = body.optional_flag("access_accepted"))
    into.access_accepted = *accepted;
  read_headers(body, into.headers);
}

std::optional<m::signing> signing_of(body_reader& body) {
  const auto word = body.optional_text("signing", 20);
  if (!word)
    return std::nullopt;
  const auto signed_by = core::parse_signing(*word);
  if (!signed_by)
    body.refuse("signing", "signing must be hmac_sha256 or ed25519");
  return signed_by.value_or(m::signing::hmac_sha256);
}

void hint_events(const desk& at) {
  caf::anon_send(at.links().push_dispatcher, m::changes_hinted{});
}

void hint_subscription(const desk& at, core::subscription_id which) {
  caf::anon_send(at.links().push_dispatcher, m::subscription_changed{which});
}

std::expected<page_place, problem> page_of(const request& asked, std::string_view from_name) {
  const auto from = query_number(asked, from_name, 0, 0, std::numeric_limits<std::int64_t>::max());
  if (!from)
    return std::unexpected{from.error()};
  const auto limit = query_number(asked, "limit", page_place{}.limit, 1, subscription_rows_max);
  if (!limit)
    return std::unexpected{limit.error()};
  return page_place{*from, *limit};
}

} // namespace sluice::api
