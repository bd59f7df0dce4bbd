#include "api/operation_parts.hpp"
#include "api/operations.hpp"

#include <caf/send.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::api {

namespace {

constexpr std::size_t domain_bytes_max = 200;

/// A switch of the query; another value than true and false is a fault.
bool query_flag(const request& asked, std::string_view name, std::optional<problem>& fault) {
  const auto text = query_text(asked, name);
  if (text != "true" && text != "false" && !text.empty())
    fault = invalid_member(name, std::string{name} + " must be true or false");
  return text == "true";
}

std::expected<wanted_posting, problem> wanted_of(const request& asked) {
  std::optional<problem> fault;
  wanted_posting wanted;
  wanted.domain = asked.parameters.at("domain");
  wanted.skip_invalid = query_flag(asked, "skip_invalid", fault);
  wanted.progress = query_flag(asked, "progress", fault);
  if (wanted.domain.empty() || wanted.domain.size() > domain_bytes_max)
    fault = invalid_member("domain", "a domain has 1 to " + std::to_string(domain_bytes_max) + " bytes");
  if (fault)
    return std::unexpected{std::move(*fault)};
  return wanted;
}

void post_records(desk& at, const request& asked, const responder& answer) {
  auto wanted = wanted_of(asked);
  if (!wanted) {
    answer(as_response(wanted.error()));
    return;
  }
  at.ask<core::connection>(
      at.links().overview, messages::find_connection{asked.parameters.at("connection")}, answer,
      [&at, asked = asked, answer, wanted = std::move(*wanted)](core::connection& source) mutable {
        if (!asked.who.may_see(source.tenant)) {
          answer(as_response(missing("connection", source.name)));
          return;
        }
        if (source.driver != "mirror") {
          answer(as_response(conflict(source.name + " is a connection of the driver " + source.driver
                                      + ", not a source's mirror")));
          return;
        }
        wanted.source = source.id;
        caf::anon_send(at.links().intake, take_post{std::move(wanted), std::move(asked), answer});
      });
}

} // namespace

void add_intake_operations(router& to) {
  to.add_streamed("POST", "/v1/connections/{connection}/records/{domain}", access::intake, post_records);
}

} // namespace sluice::api
