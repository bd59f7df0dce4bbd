#include "api/configuration_checks.hpp"
#include "api/operation_parts.hpp"
#include "api/operations.hpp"
#include "api/subscription_parts.hpp"
#include "config/apply_file.hpp"

#include <algorithm>

namespace sluice::api {

namespace m = messages;

namespace {

/// Goes on where everything the configuration touches is the caller's.
void with_permission(desk& at, const request& asked, const core::configuration& wanted,
                     const responder& answer, std::function<void()> then) {
  if (asked.who.tenants.everything()) {
    then();
    return;
  }
  at.ask<m::connections_listed>(
      at.links().overview, m::list_connections{}, answer,
      [&at, who = asked.who, wanted, answer, then = std::move(then)](m::connections_listed& connections) {
        at.ask<m::rules_listed>(at.links().overview, m::list_rules{}, answer,
                                [who, wanted, answer, then, connections](m::rules_listed& rules) {
                                  if (auto refused = not_theirs(who, wanted, connections, rules))
                                    answer(as_response(*refused));
                                  else
                                    then();
                                });
      });
}

void apply(desk& at, const request& asked, m::apply_configuration act, const responder& answer,
           std::function<void(const m::configuration_applied&)> then) {
  const auto wanted = act.wanted;
  with_permission(at, asked, wanted, answer, [&at, act = std::move(act), answer, then = std::move(then)] {
    at.ask<m::configuration_applied>(at.links().registrar, act, answer,
                                     [&at, then](m::configuration_applied& done) {
                                       caf::anon_send(at.links().dispatcher, m::changes_hinted{});
                                       for (const auto& one : done.subscriptions)
                                         hint_subscription(at, one.id);
                                       then(done);
                                     });
  });
}

/// What an apply file says, as JSON.
void apply_document(desk& at, const request& asked, const responder& answer) {
  const auto dry_run = query_text(asked, "dry_run");
  if (!dry_run.empty() && dry_run != "true" && dry_run != "false") {
    answer(as_response(invalid_member("dry_run", "dry_run must be true or false")));
    return;
  }
  auto wanted = config::parse_apply_body(asked.body, at.links().outside);
  if (!wanted) {
    answer(as_response(faulty(wanted.error())));
    return;
  }
  wanted->by = asked.who.name;
  const auto keep = dry_run != "true";
  m::apply_configuration act{std::move(*wanted), keep ? m::keeping::keep : m::keeping::look, {}};
  apply(at, asked, std::move(act), answer, [answer, keep](const m::configuration_applied& done) {
    const auto changed = std::ranges::any_of(done.changes, &core::configuration_change::changes);
    answer(json_response(changes_view(done.changes, keep && changed, done.subscriptions)));
  });
}

/// One thing, named by the path: its table of an apply file, without the name.
void put_one(desk& at, const request& asked, const responder& answer, one_thing what) {
  auto wanted = only(what, asked);
  if (!wanted) {
    answer(as_response(wanted.error()));
    return;
  }
  auto seen = seen_by(asked, what);
  if (!seen) {
    answer(as_response(seen.error()));
    return;
  }
  apply(at, asked, {std::move(*wanted), m::keeping::keep, std::move(*seen)}, answer,
        [answer](const m::configuration_applied& done) {
          const auto created = done.changes.front().what == "create";
          answer(
              json_response(changes_view(done.changes, done.changes.front().changes()), created ? 201 : 200));
        });
}

void list_tenants(desk& at, const request& asked, const responder& answer) {
  at.show<m::tenants_listed>(at.links().overview, m::list_tenants{}, answer,
                             [who = asked.who](const m::tenants_listed& listed) {
                               auto tenants = json::array();
                               for (const auto& name : listed.names)
                                 if (who.may_see(name))
                                   tenants.push_back({{"name", name}});
                               return json{{"tenants", std::move(tenants)}};
                             });
}

void list_connections(desk& at, const request& asked, const responder& answer) {
  at.show<m::connections_listed>(at.links().overview, m::list_connections{}, answer,
                                 [&at, who = asked.who](const m::connections_listed& listed) {
                                   auto connections = json::array();
                                   for (const auto& one : listed.connections)
                                     if (who.may_see(one.connection.tenant))
                                       connections.push_back(connection_view(one, at.links().grace_period));
                                   return json{{"connections", std::move(connections)}};
                                 });
}

void show_connection(desk& at, const request& asked, const responder& answer) {
  with_connection(at, asked, answer, [&at, answer](const core::connection_life& one) {
    auto view = connection_view(one, at.links().grace_period);
    view["settings"] = json::parse(one.connection.settings, nullptr, false);
    auto made = json_response(view);
    made.headers.emplace_back("ETag", etag_of(one.updated_at));
    answer(std::move(made));
  });
}

void list_rules(desk& at, const request& asked, const responder& answer) {
  at.show<m::rules_listed>(at.links().overview, m::list_rules{}, answer,
                           [who = asked.who](const m::rules_listed& listed) {
                             auto rules = json::array();
                             for (const auto& one : listed.rules)
                               if (who.may_see(one.source_tenant) && who.may_see(one.target_tenant))
                                 rules.push_back(rule_view(one));
                             return json{{"rules", std::move(rules)}};
                           });
}

void show_definition(desk& at, const request& asked, const responder& answer) {
  at.with_rule(asked, answer, [answer](m::rule_found& found) {
    auto view = rule_view(found);
    view["mapping"] = json::parse(found.rule.mapping, nullptr, false);
    view["filter"] =
        found.rule.filter.empty() ? json(nullptr) : json::parse(found.rule.filter, nullptr, false);
    auto made = json_response(view);
    made.headers.emplace_back("ETag", etag_of(found.updated_at));
    answer(std::move(made));
  });
}

} // namespace

void add_configuration_operations(router& to) {
  to.add("POST", "/v1/apply", access::administer, apply_document);
  to.add("GET", "/v1/tenants", access::viewer, list_tenants);
  to.add("PUT", "/v1/tenants/{tenant}", access::administer,
         [](desk& at, const request& asked, const responder& answer) {
           put_one(at, asked, answer, one_thing::tenant);
         });
  to.add("GET", "/v1/connections", access::viewer, list_connections);
  to.add("GET", "/v1/connections/{connection}", access::viewer, show_connection);
  to.add("PUT", "/v1/connections/{connection}", access::administer,
         [](desk& at, const request& asked, const responder& answer) {
           put_one(at, asked, answer, one_thing::connection);
         });
  to.add("GET", "/v1/rules", access::viewer, list_rules);
  to.add("GET", "/v1/rules/{rule}/definition", access::viewer, show_definition);
  to.add("PUT", "/v1/rules/{rule}/definition", access::administer,
         [](desk& at, const request& asked, const responder& answer) {
           put_one(at, asked, answer, one_thing::rule);
         });
}

} // namespace sluice::api
