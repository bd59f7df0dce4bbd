#include "api/configuration_checks.hpp"
#include "api/notification_parts.hpp"
#include "api/operations.hpp"
#include "api/repetition.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t word_bytes_max = 20;
constexpr std::size_t id_bytes_max = 200;
constexpr std::size_t line_bytes_max = 1000;      ///< of a subject, a title, a collapse key
constexpr std::size_t text_bytes_max = 256 << 10; ///< of each text; its provider's limit is asked besides
constexpr std::size_t note_bytes_max = 500;
constexpr std::size_t message_id_bytes_max = core::provider_text_bytes_max;

/// Whoever sends may begin at once; without a hint it is found when they look.
void hint_due(const desk& at, const core::notification_record& one) {
  if (one.progress.due_at)
    caf::anon_send(at.links().notification_dispatcher,
                   m::notifications_due{{{one.profile, *one.progress.due_at}}});
}

core::message_content content_of(body_reader& body) {
  core::message_content content;
  content.subject = body.optional_text("subject", line_bytes_max).value_or("");
  content.title = body.optional_text("title", line_bytes_max).value_or("");
  content.text = body.optional_text("text", text_bytes_max).value_or("");
  content.html = body.optional_text("html", text_bytes_max).value_or("");
  content.data = body.optional_object_text("data").value_or("");
  content.collapse_key = body.optional_text("collapse_key", line_bytes_max).value_or("");
  const auto word = body.optional_text("urgency", word_bytes_max);
  const auto urgency = core::parse_message_urgency(word.value_or("normal"));
  if (!urgency)
    body.refuse("urgency", "urgency must be very_low, low, normal or high");
  content.urgency = urgency.value_or(core::message_urgency::normal);
  return content;
}

void answer_posted(const desk& at, const m::notification_posted& done, const responder& answer) {
  if (done.key_of_another) {
    answer(as_response(key_of_another_request()));
  } else if (!done.faults.empty()) {
    answer(as_response(faulty(done.faults)));
  } else {
    hint_due(at, done.posted.record);
    auto view = notification_view(done.posted.record);
    view["repeated"] = !done.posted.made;
    answer(json_response(view, done.posted.made ? 201 : 200));
  }
}

void post(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  m::post_notification act;
  const auto tenant = body.optional_text("tenant", id_bytes_max).value_or("");
  act.contact = body.text("contact", 1, id_bytes_max);
  act.route = body.text("route", 1, id_bytes_max);
  act.content = content_of(body);
  act.expires_at = body.optional_time("expires_at");
  act.idempotency_key = asked.idempotency_key;
  act.request_digest = request_digest(asked);
  if (refused(body.finish(), answer))
    return;
  auto owner = tenant_of(asked.who, tenant);
  if (!owner) {
    answer(as_response(owner.error()));
    return;
  }
  act.tenant = std::move(*owner);
  at.ask<m::notification_posted>(
      at.links().notification_registrar, std::move(act), answer,
      [&at, answer](m::notification_posted& done) { answer_posted(at, done, answer); });
}

/// Of one that has no attempt, nothing.
core::notification_standing standing_of(core::notification_id id,
                                        const std::vector<core::notification_standing>& standings) {
  const auto found = std::ranges::find(standings, id, &core::notification_standing::notification);
  return found == standings.end() ? core::notification_standing{} : *found;
}

void list_page(desk& at, const core::notification_page& page, const responder& answer) {
  at.show<m::notifications_listed>(at.links().notification_overview, m::list_notifications{page}, answer,
                                   [limit = page.limit](const m::notifications_listed& listed) {
                                     return listed_view(
                                         "notifications", "next_before", listed.notifications, limit,
                                         [&](const core::notification_record& one) {
                                           return notification_view(one,
                                                                    standing_of(one.id, listed.standings));
                                         },
                                         [](const auto& one) { return one.id.value; });
                                   });
}

void list(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  const auto state =
      query_word<core::notification_state>(asked, "state", core::parse_notification_state,
                                           words_of<core::notification_state>(core::notification_states));
  if (!place || !state) {
    answer(as_response(place ? state.error() : place.error()));
    return;
  }
  core::notification_page page;
  scope_page(asked, page);
  page.state = *state;
  page.before = {place->from};
  page.limit = place->limit;
  const auto contact = query_text(asked, "contact");
  if (contact.empty()) {
    list_page(at, page, answer);
    return;
  }
  at.ask<core::contact_record>(at.links().notification_overview, m::find_contact{contact, asked.who.tenants},
                               answer, [&at, page, answer](core::contact_record& one) {
                                 auto of_one = page;
                                 of_one.contact = one.id;
                                 list_page(at, of_one, answer);
                               });
}

void show(desk& at, const request& asked, const responder& answer) {
  with_notification(at, asked, answer, [answer](m::notification_found& found) {
    answer(json_response(notification_view(found)));
  });
}

void cancel(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto note = body.optional_text("reason", note_bytes_max).value_or("");
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_notification(at, asked, answer, [&at, answer, note, by](m::notification_found& found) {
    at.ask<core::notification_record>(
        at.links().notification_dispatcher, m::cancel_notification{{found.record.id, by, note}}, answer,
        [answer](core::notification_record& now) { answer(json_response(notification_view(now))); });
  });
}

core::settlement settlement_of(body_reader& body) {
  const auto kind = core::parse_settlement_kind(body.text("outcome", 1, word_bytes_max));
  if (!kind)
    body.refuse("outcome", "outcome must be " + std::string{core::to_string(core::settlement_kind::accepted)}
                               + " or " + std::string{core::to_string(core::settlement_kind::not_sent)});
  const auto attempt =
      body.optional_number("attempt", 1, std::numeric_limits<std::int64_t>::max()).value_or(0);
  return {attempt, kind.value_or(core::settlement_kind::accepted)};
}

/// What nobody but a person can find out.
void settle(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  core::notification_settlement found_out;
  found_out.what = settlement_of(body);
  found_out.provider_message_id =
      body.optional_text("provider_message_id", message_id_bytes_max).value_or("");
  found_out.note = body.optional_text("reason", note_bytes_max).value_or("");
  found_out.who = actor_of(asked, body);
  if (!found_out.provider_message_id.empty() && found_out.what.kind != core::settlement_kind::accepted)
    body.refuse("provider_message_id", "provider_message_id goes with the outcome accepted alone");
  if (refused(body.finish(), answer))
    return;
  with_notification(at, asked, answer, [&at, answer, found_out](m::notification_found& found) {
    auto act = found_out;
    act.notification = found.record.id;
    at.ask<core::notification_record>(
        at.links().notification_dispatcher, m::settle_notification{std::move(act)}, answer,
        [answer](core::notification_record& now) { answer(json_response(notification_view(now))); });
  });
}

} // namespace

void add_notification_operations(router& to) {
  const std::string one = "/v1/notifications/{notification}";
  to.add("GET", "/v1/notifications", access::viewer, list);
  to.add_with_own_keys("POST", "/v1/notifications", access::intake, post);
  to.add("GET", one, access::viewer, show);
  to.add("POST", one + "/cancel", access::operate, cancel);
  to.add("POST", one + "/settle", access::operate, settle);
}

} // namespace sluice::api
