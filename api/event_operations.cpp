#include "api/operations.hpp"
#include "api/repetition.hpp"
#include "api/subscription_parts.hpp"
#include "core/event_type.hpp"
#include "core/payload.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

problem event_too_large() {
  return {413,
          "too_large",
          "The body is too large.",
          "an event has at most " + std::to_string(core::published_body_bytes_max) + " bytes",
          {},
          {}};
}

/// The body is the event's, byte for byte; what it is about stands in the query.
std::expected<core::event_to_publish, problem> event_of(const request& asked) {
  core::event_to_publish wanted;
  wanted.type = query_text(asked, "type");
  if (auto fault = core::event_type_fault(wanted.type))
    return std::unexpected{invalid_member("type", "type: " + *fault)};
  auto tenant = tenant_of(asked.who, query_text(asked, "tenant"));
  if (!tenant)
    return std::unexpected{tenant.error()};
  if (asked.body.size() > core::published_body_bytes_max)
    return std::unexpected{event_too_large()};
  if (auto checked = core::check_payload(asked.body); !checked)
    return std::unexpected{bad_request("the body is the event and must be JSON: " + checked.error())};
  wanted.tenant = std::move(*tenant);
  wanted.body = asked.body;
  wanted.idempotency_key = asked.idempotency_key;
  return wanted;
}

void publish(desk& at, const request& asked, const responder& answer) {
  auto wanted = event_of(asked);
  if (!wanted) {
    answer(as_response(wanted.error()));
    return;
  }
  at.ask<m::event_published>(at.links().subscription_registrar, m::publish_event{std::move(*wanted)}, answer,
                             [&at, answer](m::event_published& done) {
                               if (done.key_of_another) {
                                 answer(as_response(key_of_another_request()));
                                 return;
                               }
                               hint_events(at);
                               const auto& [id, repeated] = done.event;
                               answer(
                                   json_response({{"id", id}, {"repeated", repeated}}, repeated ? 200 : 201));
                             });
}

void list_events(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  core::event_page page;
  page.tenants = asked.who.tenants;
  if (auto tenant = query_text(asked, "tenant"); !tenant.empty())
    page.tenant = std::move(tenant);
  page.type = query_text(asked, "type");
  page.before_id = {place->from};
  page.limit = place->limit;
  at.show<m::events_listed>(at.links().subscription_overview, m::list_events{page}, answer,
                            [limit = page.limit](const m::events_listed& listed) {
                              return listed_view("events", "next_before", listed.events, limit, event_view,
                                                 [](const auto& event) { return event.id.value; });
                            });
}

std::expected<std::optional<core::timestamp>, problem> query_time(const request& asked,
                                                                  const std::string& name) {
  const auto text = query_text(asked, name);
  if (text.empty())
    return std::optional<core::timestamp>{};
  const auto time = core::parse_rfc3339(text);
  if (!time)
    return std::unexpected{invalid_member(name, name + " must be a time such as 2026-01-31T12:00:00Z")};
  return *time;
}

void list_audit(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  const auto from = query_time(asked, "from");
  const auto until = query_time(asked, "until");
  if (!place || !from || !until) {
    answer(as_response(!place ? place.error() : !from ? from.error() : until.error()));
    return;
  }
  core::audit_page page;
  page.tenants = asked.who.tenants;
  page.act = query_text(asked, "act");
  page.subject = query_text(asked, "subject");
  page.from = *from;
  page.until = *until;
  page.before_id = place->from;
  page.limit = place->limit;
  at.show<m::audit_listed>(at.links().subscription_overview, m::list_audit{page}, answer,
                           [limit = page.limit](const m::audit_listed& listed) {
                             return listed_view("entries", "next_before", listed.entries, limit, audit_view,
                                                [](const auto& entry) { return entry.id; });
                           });
}

} // namespace

void add_event_operations(router& to) {
  to.add_with_own_keys("POST", "/v1/events", access::intake, publish);
  to.add("GET", "/v1/events", access::viewer, list_events);
  to.add("GET", "/v1/audit", access::viewer, list_audit);
}

} // namespace sluice::api
