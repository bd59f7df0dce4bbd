#include "api/configuration_checks.hpp"

#include "api/desk.hpp"
#include "api/entity_tag.hpp"
#include "config/apply_file.hpp"

#include <algorithm>
#include <map>

namespace sluice::api {

namespace {

const char* list_of(one_thing what) {
  switch (what) {
  case one_thing::tenant:
    return "tenants";
  case one_thing::connection:
    return "connections";
  case one_thing::rule:
    break;
  }
  return "rules";
}

const std::string& name_of(one_thing what, const request& asked) {
  const auto* parameter = what == one_thing::tenant       ? "tenant"
                          : what == one_thing::connection ? "connection"
                                                          : "rule";
  return asked.parameters.at(parameter);
}

bool is_object(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{' && nlohmann::json::accept(text);
}

/// Put together as text, so that its numbers keep their digits.
std::string document_of(one_thing what, const std::string& name, const std::string& table) {
  const auto rest = table.substr(table.find('{') + 1);
  const auto empty = rest.find_first_not_of(" \t\r\n") == rest.find('}');
  return std::string{"{\""} + list_of(what) + "\":[{\"name\":" + json(name).dump() + (empty ? "" : ",") + rest
         + "]}";
}

std::size_t count(const core::configuration& of) {
  return of.tenants.size() + of.connections.size() + of.rules.size() + of.subscriptions.size();
}

using tenants_by_name = std::map<std::string, std::string, std::less<>>;

/// Whose the connections are, as they are and as they will be.
tenants_by_name owners(const core::configuration& wanted, const messages::connections_listed& connections) {
  tenants_by_name owner;
  for (const auto& connection : wanted.connections)
    owner[connection.name] = connection.tenant;
  for (const auto& one : connections.connections)
    owner[one.connection.name] = one.connection.tenant;
  return owner;
}

} // namespace

problem faulty(const std::vector<std::string>& faults) {
  std::string detail;
  for (const auto& fault : faults)
    detail += (detail.empty() ? "" : "; ") + fault;
  problem made{422, "invalid", "A value is not allowed.", std::move(detail), {}, {}};
  made.members["faults"] = faults;
  return made;
}

std::expected<core::configuration, problem> only(one_thing what, const request& asked) {
  const auto& name = name_of(what, asked);
  const std::string body = asked.body.empty() ? "{}" : asked.body;
  if (!is_object(body))
    return std::unexpected{bad_request("the body is not a JSON object")};
  auto wanted = config::parse_apply_body(document_of(what, name, body));
  if (!wanted)
    return std::unexpected{faulty(wanted.error())};
  if (count(*wanted) != 1)
    return std::unexpected{bad_request("the body must describe " + name + " and nothing else")};
  return std::move(*wanted);
}

std::string etag_of(core::timestamp changed_at) {
  return entity_tag(core::to_us(changed_at));
}

std::expected<std::optional<core::seen_version>, problem> seen_by(const request& asked, one_thing what) {
  if (what == one_thing::tenant || (asked.if_match.empty() && asked.if_none_match.empty()))
    return std::optional<core::seen_version>{};
  core::seen_version seen;
  seen.of =
      what == one_thing::rule ? core::seen_version::subject::rule : core::seen_version::subject::connection;
  seen.name = name_of(what, asked);
  if (asked.if_none_match == "*" && asked.if_match.empty())
    return seen;
  if (const auto us = read_entity_tag(asked.if_match)) {
    seen.changed_at = core::from_us(*us);
    return seen;
  }
  return std::unexpected{
      bad_request("allowed are If-Match with one ETag of this resource, or If-None-Match: *")};
}

std::optional<problem> not_theirs(const caller& who, const core::configuration& wanted,
                                  const messages::connections_listed& connections,
                                  const messages::rules_listed& rules) {
  const auto sees = [&](const std::string& tenant) { return who.may_see(tenant); };
  const auto owner = owners(wanted, connections);
  for (const auto& tenant : wanted.tenants)
    if (!sees(tenant))
      return forbidden("tenant \"" + tenant + "\" is not among those of the token");
  for (const auto& connection : wanted.connections) {
    if (!sees(connection.tenant))
      return forbidden("tenant \"" + connection.tenant + "\" is not among those of the token");
    if (!sees(owner.at(connection.name)))
      return conflict("the name \"" + connection.name + "\" is taken");
  }
  for (const auto& wish : wanted.subscriptions)
    if (!sees(wish.written.tenant))
      return forbidden("tenant \"" + wish.written.tenant + "\" is not among those of the token");
  for (const auto& entry : wanted.rules) {
    for (const auto& name : {entry.source_name, entry.target_name})
      if (const auto found = owner.find(name); found == owner.end() || !sees(found->second))
        return missing("connection", name);
    const auto taken = std::ranges::find_if(rules.rules, [&](const auto& one) {
      return one.rule.name == entry.rule.name && !(sees(one.source_tenant) && sees(one.target_tenant));
    });
    if (taken != rules.rules.end())
      return conflict("the name \"" + entry.rule.name + "\" is taken");
  }
  return std::nullopt;
}

json rule_view(const messages::rule_found& found) {
  const auto& rule = found.rule;
  return {{"name", rule.name},
          {"id", rule.public_id},
          {"source", found.source_name},
          {"target", found.target_name},
          {"domain", rule.domain},
          {"direction", core::to_string(rule.direction)},
          {"active", rule.active},
          {"update_mode", core::to_string(rule.updates)},
          {"delete_policy", core::to_string(rule.deletes)},
          {"anchor", rule.dependent()
                         ? json{{"domain", rule.anchor_domain}, {"source_id", rule.anchor_pointer}}
                         : json(nullptr)},
          {"revision", rule.revision},
          {"updated_at", time_view(found.updated_at)},
          {"deleted_at", time_view(found.deleted_at)}};
}

} // namespace sluice::api
