#include "api/operation_parts.hpp"

#include "api/entity_tag.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sluice::api {

namespace {

template <class Id>
using named_ids = std::unordered_map<Id, std::string>;

template <class Id>
std::function<std::string(Id)> calls(std::shared_ptr<const named_ids<Id>> known) {
  return [known = std::move(known)](Id id) {
    const auto found = known->find(id);
    return found == known->end() ? std::to_string(id.value) : found->second;
  };
}

template <class Id>
std::function<bool(Id)> shows(bool everything, std::unordered_set<Id> seen) {
  return [everything, seen = std::make_shared<std::unordered_set<Id>>(std::move(seen))](Id id) {
    return everything || seen->contains(id);
  };
}

} // namespace

std::string actor_of(const request& asked, body_reader& body) {
  const auto by = body.optional_text("by", 200).value_or("");
  if (asked.who.speaks_for_others)
    return by.empty() ? asked.who.name : by;
  return by.empty() ? asked.who.name : asked.who.name + " (" + by + ")";
}

response tagged(std::int64_t revision, const nlohmann::ordered_json& view, int status) {
  auto made = json_response(view, status);
  made.headers.emplace_back("ETag", entity_tag(revision));
  return made;
}

std::optional<problem> outdated(const request& asked, std::int64_t revision, const std::string& name) {
  if (asked.if_match.empty())
    return std::nullopt;
  const auto seen = read_entity_tag(asked.if_match);
  if (!seen)
    return bad_request("allowed is If-Match with one ETag of this resource");
  if (*seen == revision)
    return std::nullopt;
  return conflict("somebody else has changed " + name + " since it was read; read it again");
}

problem everything_is_not_theirs() {
  return forbidden("it is limited to some tenants; what concerns everything takes a token for every tenant");
}

bool seen_names::shows(const core::delivery_stop& stop) const {
  const auto& target = stop.target;
  switch (target.scope) {
  case core::stop_scope::connection:
    return shows_connection(target.connection);
  case core::stop_scope::rule:
    return shows_rule(target.rule);
  case core::stop_scope::subscription:
    return stop.subscription ? shows_tenant(stop.subscription->tenant) : shows_everything;
  case core::stop_scope::profile:
    return stop.profile ? shows_tenant(stop.profile->tenant) : shows_everything;
  case core::stop_scope::global:
    break;
  }
  return true;
}

seen_names names_for(const caller& who, messages::names_listed listed) {
  auto connections = std::make_shared<named_ids<core::connection_id>>();
  std::unordered_set<core::connection_id> seen_connections;
  for (auto& connection : listed.connections) {
    if (who.may_see(connection.tenant))
      seen_connections.insert(connection.id);
    connections->emplace(connection.id, std::move(connection.name));
  }
  auto rules = std::make_shared<named_ids<core::rule_id>>();
  std::unordered_set<core::rule_id> seen_rules;
  for (auto& rule : listed.rules) {
    if (seen_connections.contains(rule.source) && seen_connections.contains(rule.target))
      seen_rules.insert(rule.id);
    rules->emplace(rule.id, std::move(rule.name));
  }
  const auto everything = who.tenants.everything();
  return {{calls<core::rule_id>(std::move(rules)), calls<core::connection_id>(std::move(connections))},
          shows(everything, std::move(seen_rules)),
          shows(everything, std::move(seen_connections)),
          [tenants = who.tenants](const std::string& tenant) { return tenants.contains(tenant); },
          everything};
}

void with_names(desk& at, const request& asked, const responder& answer,
                std::function<void(const seen_names&)> then) {
  at.ask<messages::names_listed>(at.links().overview, messages::list_names{}, answer,
                                 [who = asked.who, then = std::move(then)](messages::names_listed& listed) {
                                   then(names_for(who, std::move(listed)));
                                 });
}

void with_connection(desk& at, const request& asked, const responder& answer,
                     std::function<void(const core::connection_life&)> then) {
  at.ask<messages::connections_listed>(
      at.links().overview, messages::list_connections{}, answer,
      [answer, name = asked.parameters.at("connection"), who = asked.who,
       then = std::move(then)](messages::connections_listed& listed) {
        const auto found = std::ranges::find_if(listed.connections, [&](const auto& one) {
          return one.connection.name == name && who.may_see(one.connection.tenant);
        });
        if (found == listed.connections.end())
          answer(as_response(missing("connection", name)));
        else
          then(*found);
      });
}

} // namespace sluice::api
