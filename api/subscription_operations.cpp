#include "api/configuration_checks.hpp"
#include "api/operations.hpp"
#include "api/subscription_parts.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t reason_bytes_max = 500;

response tagged(const core::subscription& one, json view, int status = 200) {
  return api::tagged(one.revision, view, status);
}

void list(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "after");
  const auto tenant = query_text(asked, "tenant");
  const auto word = query_text(asked, "status");
  core::subscription_page page;
  page.status = core::parse_subscription_status(word);
  if (!place || (!word.empty() && !page.status)) {
    answer(as_response(place ? invalid_member("status", "status must be active, paused or disabled")
                             : place.error()));
    return;
  }
  page.tenants = asked.who.tenants;
  if (!tenant.empty())
    page.tenant = tenant;
  page.after_id = {place->from};
  page.limit = place->limit;
  at.show<m::subscriptions_listed>(at.links().subscription_overview, m::list_subscriptions{page}, answer,
                                   [limit = page.limit](const m::subscriptions_listed& listed) {
                                     return listed_view("subscriptions", "next_after", listed.subscriptions,
                                                        limit, subscription_view,
                                                        [](const auto& one) { return one.id.value; });
                                   });
}

core::subscription_mode mode_of(body_reader& body) {
  const auto word = body.optional_text("mode", 20);
  const auto mode = core::parse_subscription_mode(word.value_or("push"));
  if (!mode)
    body.refuse("mode", "mode must be push or pull");
  return mode.value_or(core::subscription_mode::push);
}

/// The one answer, beside a rotation's, that shows what its receiver verifies with.
void make(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  m::make_subscription act;
  const auto tenant = body.optional_text("tenant", 200).value_or("");
  act.wanted.mode = mode_of(body);
  read_settings(body, act.wanted);
  const auto signed_by = signing_of(body);
  if (signed_by && act.wanted.mode == core::subscription_mode::pull)
    body.refuse("signing", "a pull subscription signs nothing");
  act.signed_by = signed_by.value_or(m::signing::hmac_sha256);
  act.by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  auto owner = tenant_of(asked.who, tenant);
  if (!owner) {
    answer(as_response(owner.error()));
    return;
  }
  act.wanted.tenant = std::move(*owner);
  if (const auto faults = core::subscription_faults(act.wanted, at.links().outside); !faults.empty()) {
    answer(as_response(faulty(faults)));
    return;
  }
  at.ask<m::subscription_made>(at.links().subscription_registrar, std::move(act), answer,
                               [&at, answer](m::subscription_made& done) {
                                 hint_subscription(at, done.made.id);
                                 auto view = subscription_view(done.made);
                                 if (!done.verification_key.empty())
                                   view["secret"] = done.verification_key;
                                 answer(tagged(done.made, std::move(view), 201));
                               });
}

void show(desk& at, const request& asked, const responder& answer) {
  with_subscription(at, asked, answer,
                    [answer](core::subscription& one) { answer(tagged(one, subscription_view(one))); });
}

void write(desk& at, const core::subscription& written, const std::string& by, const responder& answer) {
  if (const auto faults = core::subscription_faults(written, at.links().outside); !faults.empty()) {
    answer(as_response(faulty(faults)));
    return;
  }
  at.ask<core::subscription>(at.links().subscription_registrar, m::change_subscription{written, by}, answer,
                             [&at, answer](core::subscription& now) {
                               hint_subscription(at, now.id);
                               answer(tagged(now, subscription_view(now)));
                             });
}

/// The members that are sent; the others stay.
void change(desk& at, const request& asked, const responder& answer) {
  with_subscription(at, asked, answer, [&at, asked, answer](core::subscription& one) {
    body_reader body{asked};
    auto written = one;
    read_settings(body, written);
    const auto by = actor_of(asked, body);
    if (refused(body.finish(), answer) || refused(outdated(asked, one.revision, one.name), answer))
      return;
    write(at, written, by, answer);
  });
}

void remove(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer, [&at, asked, answer, by](core::subscription& one) {
    if (refused(outdated(asked, one.revision, one.name), answer))
      return;
    const auto revision = asked.if_match.empty() ? std::nullopt : std::optional(one.revision);
    at.ask<m::subscription_removed>(at.links().subscription_registrar,
                                    m::remove_subscription{named(one), by, revision}, answer,
                                    [&at, answer, one](m::subscription_removed&) {
                                      hint_subscription(at, one.id);
                                      answer(json_response({{"removed", one.public_id}}));
                                    });
  });
}

/// An act on the status: what it leads to, and from where.
struct status_act {
  const char* name;
  core::subscription_status to;
  std::vector<core::subscription_status> from;
};

/// The change, with its row of the audit.
m::record_subscription_status change_of(const status_act& act, const core::subscription& one,
                                        const std::string& reason, const std::string& by,
                                        core::timestamp now) {
  m::record_subscription_status wanted;
  wanted.change = {one.id, one.status, act.to, {}, reason};
  if (act.to == core::subscription_status::disabled)
    wanted.change.cause = core::disable_cause::person;
  auto& audit = wanted.audit;
  audit.at = now;
  audit.by = by;
  audit.act = std::string{act.name} + "_subscription";
  audit.subject = one.public_id;
  audit.tenant = one.tenant;
  audit.details = json{{"from", core::to_string(one.status)}, {"reason", reason}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
  audit.count = 1;
  return wanted;
}

void show_changed(desk& at, const request& asked, const responder& answer, bool changed) {
  if (changed)
    show(at, asked, answer);
  else
    answer(as_response(conflict("somebody else has changed its status meanwhile; look at it again")));
}

/// Answered 200 where it is so already.
void set_status(desk& at, const request& asked, const responder& answer, const status_act& act) {
  body_reader body{asked};
  const auto reason = body.optional_text("reason", reason_bytes_max).value_or("");
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer, [&at, asked, answer, act, reason, by](core::subscription& one) {
    if (one.status == act.to) {
      answer(tagged(one, subscription_view(one)));
      return;
    }
    if (std::ranges::find(act.from, one.status) == act.from.end()) {
      answer(
          as_response(conflict("it is " + std::string{core::to_string(one.status)} + "; " + act.name
                               + " is for one that is " + std::string{core::to_string(act.from.front())})));
      return;
    }
    at.ask<m::subscription_status_recorded>(
        at.links().push_dispatcher, m::change_subscription_status{change_of(act, one, reason, by, at.now())},
        answer, [&at, asked, answer](m::subscription_status_recorded& done) {
          show_changed(at, asked, answer, done.changed);
        });
  });
}

void rotate(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto signed_by = signing_of(body);
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer, [&at, answer, signed_by, by](core::subscription& one) {
    if (one.mode == core::subscription_mode::pull) {
      answer(as_response(conflict("a pull subscription signs nothing")));
      return;
    }
    at.ask<m::secret_rotated>(at.links().subscription_registrar, m::rotate_secret{named(one), signed_by, by},
                              answer, [&at, answer, one](m::secret_rotated& done) {
                                hint_subscription(at, one.id);
                                answer(json_response({{"id", one.public_id},
                                                      {"secret", done.verification_key},
                                                      {"signing", done.signing},
                                                      {"overlap_until", time_view(done.overlap_until)}}));
                              });
  });
}

void send_test(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer, [&at, answer, by](core::subscription& one) {
    at.ask<core::published_event>(at.links().subscription_registrar, m::send_test_event{named(one), by},
                                  answer, [&at, answer](core::published_event& done) {
                                    hint_events(at);
                                    answer(json_response({{"event", done.public_id}}, 201));
                                  });
  });
}

void add_status_act(router& to, const status_act& act) {
  to.add(
      "POST", std::string{"/v1/subscriptions/{subscription}/"} + act.name, access::operate,
      [act](desk& at, const request& asked, const responder& answer) { set_status(at, asked, answer, act); });
}

} // namespace

void add_subscription_operations(router& to) {
  using core::subscription_status;
  const std::string one = "/v1/subscriptions/{subscription}";
  to.add("GET", "/v1/subscriptions", access::viewer, list);
  to.add("POST", "/v1/subscriptions", access::administer, make);
  to.add("GET", one, access::viewer, show);
  to.add("PATCH", one, access::administer, change);
  to.add("DELETE", one, access::administer, remove);
  add_status_act(to, {"pause", subscription_status::paused, {subscription_status::active}});
  add_status_act(to, {"resume", subscription_status::active, {subscription_status::paused}});
  add_status_act(to, {"enable", subscription_status::active, {subscription_status::disabled}});
  add_status_act(
      to,
      {"disable", subscription_status::disabled, {subscription_status::active, subscription_status::paused}});
  to.add("POST", one + "/rotate", access::administer, rotate);
  to.add("POST", one + "/test", access::operate, send_test);
}

} // namespace sluice::api
