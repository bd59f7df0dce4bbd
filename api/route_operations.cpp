#include "api/configuration_checks.hpp"
#include "api/notification_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

void list(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "after");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  core::route_page page;
  scope_page(asked, page);
  page.after_id = {place->from};
  page.limit = place->limit;
  at.show<m::notification_routes_listed>(
      at.links().notification_overview, m::list_notification_routes{page}, answer,
      [limit = page.limit](const m::notification_routes_listed& listed) {
        return listed_view("routes", "next_after", listed.routes, limit, route_view,
                           [](const auto& one) { return one.id.value; });
      });
}

/// What is written over what is there.
void read_route(body_reader& body, core::notification_route& into) {
  if (auto name = body.optional_text("name", core::route_name_bytes_max))
    into.name = std::move(*name);
  const auto profiles = body.optional_texts("profiles", core::profile_name_bytes_max);
  if (!profiles)
    return;
  into.steps.clear();
  for (const auto& profile : *profiles)
    into.steps.push_back({profile, {}, {}});
}

void make(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  m::make_route act;
  const auto tenant = body.optional_text("tenant", 200).value_or("");
  read_route(body, act.wanted);
  act.by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  auto owner = tenant_of(asked.who, tenant);
  if (!owner) {
    answer(as_response(owner.error()));
    return;
  }
  act.wanted.tenant = std::move(*owner);
  if (const auto faults = core::route_faults(act.wanted); !faults.empty()) {
    answer(as_response(faulty(faults)));
    return;
  }
  at.ask<core::notification_route>(
      at.links().notification_registrar, std::move(act), answer,
      [answer](core::notification_route& made) { answer(tagged(made.revision, route_view(made), 201)); });
}

void show(desk& at, const request& asked, const responder& answer) {
  with_route(at, asked, answer,
             [answer](core::notification_route& one) { answer(tagged(one.revision, route_view(one))); });
}

/// The members that are sent; the others stay.
void change(desk& at, const request& asked, const responder& answer) {
  with_route(at, asked, answer, [&at, asked, answer](core::notification_route& one) {
    body_reader body{asked};
    m::change_route act{one, {}};
    read_route(body, act.written);
    act.by = actor_of(asked, body);
    if (refused(body.finish(), answer) || refused(outdated(asked, one.revision, one.name), answer))
      return;
    if (const auto faults = core::route_faults(act.written); !faults.empty()) {
      answer(as_response(faulty(faults)));
      return;
    }
    at.ask<core::notification_route>(
        at.links().notification_registrar, std::move(act), answer,
        [answer](core::notification_route& now) { answer(tagged(now.revision, route_view(now))); });
  });
}

void remove(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_route(at, asked, answer, [&at, asked, answer, by](core::notification_route& one) {
    if (refused(outdated(asked, one.revision, one.name), answer))
      return;
    const auto revision = asked.if_match.empty() ? std::nullopt : std::optional(one.revision);
    at.ask<m::thing_removed>(
        at.links().notification_registrar, m::remove_route{one, revision, by}, answer,
        [answer, id = one.public_id](m::thing_removed&) { answer(json_response({{"removed", id}})); });
  });
}

} // namespace

void add_route_operations(router& to) {
  const std::string one = "/v1/routes/{route}";
  to.add("GET", "/v1/routes", access::viewer, list);
  to.add("POST", "/v1/routes", access::administer, make);
  to.add("GET", one, access::viewer, show);
  to.add("PATCH", one, access::administer, change);
  to.add("DELETE", one, access::administer, remove);
}

} // namespace sluice::api
