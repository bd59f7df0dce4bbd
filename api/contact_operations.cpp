#include "api/notification_parts.hpp"
#include "api/operations.hpp"
#include "core/contact_normalisation.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t word_bytes_max = 20;

std::string kinds() {
  return words_of<core::contact_kind>(core::contact_kinds);
}

void list(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "after");
  const auto kind = query_word<core::contact_kind>(asked, "kind", core::parse_contact_kind, kinds());
  const auto suppressed = query_flag(asked, "suppressed");
  if (!place || !kind || !suppressed) {
    answer(as_response(!place ? place.error() : !kind ? kind.error() : suppressed.error()));
    return;
  }
  core::contact_page page;
  scope_page(asked, page);
  page.kind = *kind;
  page.suppressed = *suppressed;
  page.after_id = {place->from};
  page.limit = place->limit;
  at.show<m::contacts_listed>(at.links().notification_overview, m::list_contacts{page}, answer,
                              [limit = page.limit](const m::contacts_listed& listed) {
                                return listed_view("contact_points", "next_after", listed.contacts, limit,
                                                   contact_view,
                                                   [](const auto& one) { return one.id.value; });
                              });
}

core::contact_address address_of(body_reader& body) {
  const auto kind = core::parse_contact_kind(body.text("kind", 1, word_bytes_max));
  if (!kind)
    body.refuse("kind", "kind must be " + kinds());
  const auto text = body.text("address", 1, core::contact_bytes_max);
  auto normal = core::normalise_contact(kind.value_or(core::contact_kind::other), text);
  if (normal)
    return std::move(*normal);
  body.refuse("address", "address: " + normal.error());
  return {};
}

/// An app that registers its token again says that it lives.
void find_or_make(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  m::find_or_make_contact act;
  const auto tenant = body.optional_text("tenant", 200).value_or("");
  act.wish.address = address_of(body);
  act.wish.registered_at = body.optional_time("registered_at");
  act.wish.by = actor_of(asked, body);
  if (act.wish.registered_at && *act.wish.registered_at > at.now() + std::chrono::hours{1})
    body.refuse("registered_at", "registered_at lies ahead; allowed is a time that has come");
  if (refused(body.finish(), answer))
    return;
  auto owner = tenant_of(asked.who, tenant);
  if (!owner) {
    answer(as_response(owner.error()));
    return;
  }
  act.wish.tenant = std::move(*owner);
  at.ask<core::found_contact>(at.links().notification_registrar, std::move(act), answer,
                              [answer](core::found_contact& found) {
                                answer(json_response(contact_view(found.record), found.made ? 201 : 200));
                              });
}

void show(desk& at, const request& asked, const responder& answer) {
  with_contact(at, asked, answer,
               [answer](core::contact_record& one) { answer(json_response(contact_view(one))); });
}

/// The one answer that shows an address. The audit has it before.
void reveal(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_contact(at, asked, answer, [&at, answer, by](core::contact_record& one) {
    at.ask<core::opened_contact>(at.links().notification_registrar, m::reveal_contact{one, by}, answer,
                                 [answer](core::opened_contact& opened) {
                                   auto view = contact_view(opened.record);
                                   view["address"] = opened.address.text;
                                   answer(json_response(view));
                                 });
  });
}

/// Suppressing and lifting: an act with words of its own, answered with the contact point.
template <class Act>
void act_on(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto said = body.optional_text("reason", core::suppression_detail_bytes_max).value_or("");
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_contact(at, asked, answer, [&at, answer, said, by](core::contact_record& one) {
    at.ask<core::contact_record>(
        at.links().notification_registrar, Act{one, said, by}, answer,
        [answer](core::contact_record& now) { answer(json_response(contact_view(now))); });
  });
}

void remove(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_contact(at, asked, answer, [&at, answer, by](core::contact_record& one) {
    at.ask<m::thing_removed>(
        at.links().notification_registrar, m::remove_contact{one, by}, answer,
        [answer, id = one.public_id](m::thing_removed&) { answer(json_response({{"removed", id}})); });
  });
}

} // namespace

void add_contact_operations(router& to) {
  const std::string one = "/v1/contact-points/{contact}";
  to.add("GET", "/v1/contact-points", access::viewer, list);
  to.add("POST", "/v1/contact-points", access::intake, find_or_make);
  to.add("GET", one, access::viewer, show);
  to.add("DELETE", one, access::administer, remove);
  to.add("POST", one + "/reveal", access::administer, reveal);
  to.add("POST", one + "/suppress", access::operate, act_on<m::suppress_contact>);
  to.add("POST", one + "/lift", access::operate, act_on<m::lift_contact>);
}

} // namespace sluice::api
