#include "api/desk.hpp"
#include "api/json_body.hpp"
#include "api/operations.hpp"
#include "api/text_match.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "messages/callback_intake.hpp"
#include "messages/notification_overview.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sluice::api {

namespace m = messages;

namespace {

/// What some provider sends; which of them a profile's does, its adapter knows.
constexpr std::array<std::string_view, 3> types{"application/json", "text/plain",
                                                "application/x-www-form-urlencoded"};
constexpr auto retry_after = "5"; ///< seconds; providers ask again by schedules of their own

bool is_known_type(std::string_view content_type) {
  return std::ranges::any_of(types, [&](auto type) { return is_media_type(content_type, type); });
}

problem wrong_type() {
  return {415,
          "unsupported_media_type",
          "The body has the wrong type.",
          "a callback comes as application/json, text/plain or application/x-www-form-urlencoded",
          {},
          {}};
}

problem not_recorded(std::string why) {
  auto made = unavailable(std::move(why));
  made.headers = {{"Retry-After", retry_after}};
  return made;
}

/// The kind alone: whoever forges learns nothing of where it failed.
problem refusal_problem(core::callback_refusal_kind why) {
  using enum core::callback_refusal_kind;
  switch (why) {
  case content_type:
    return wrong_type();
  case malformed:
    return bad_request("the callback cannot be read");
  case unidentified:
    return {422, "invalid", "A value is not allowed.", "the callback names no message it is about", {}, {}};
  case bad_signature:
  case stale:
  case unexpected_sender:
    break;
  }
  return {403, "forbidden", "The callback is not taken.", "it does not show that it is the provider's",
          {},  {}};
}

response answer_to(const m::callback_taken& taken) {
  using enum core::callback_outcome;
  switch (taken.outcome) {
  case recorded: {
    response made;
    made.status = 204;
    return made;
  }
  case refused:
    return as_response(refusal_problem(taken.refusal.value_or(core::callback_refusal_kind::bad_signature)));
  case unknown:
    return as_response(not_found("callbacks are sent to the address of a provider profile"));
  case crowded:
    return as_response(not_recorded("too many callbacks are in hand (callbacks.in_hand_max)"));
  case late:
    return as_response(not_recorded("the callback was not recorded in time"));
  case unrecorded:
    break;
  }
  return as_response(not_recorded("the callback could not be recorded"));
}

/// What came, for the profile its address names.
m::take_callback posted(const request& asked) {
  const auto& sent = *asked.raw;
  m::take_callback ask;
  ask.profile = asked.parameters.at("profile");
  ask.request = {asked.method, sent.target, sent.headers, asked.body};
  ask.source = sent.source;
  const auto digest = crypto::sha256(asked.body);
  ask.digest = crypto::to_hex(crypto::as_bytes(digest));
  return ask;
}

void take_callback(desk& at, const request& asked, const responder& answer) {
  auto ask = posted(asked);
  if (!is_known_type(ask.request.header("content-type"))) {
    answer(as_response(wrong_type()));
    return;
  }
  if (!at.links().callbacks) {
    answer(as_response(not_recorded("this node takes no callbacks")));
    return;
  }
  at.look<m::callback_taken>(at.links().callbacks, at.links().callback_patience, std::move(ask),
                             [answer](const m::callback_taken* taken) {
                               answer(taken ? answer_to(*taken)
                                            : as_response(not_recorded("the callback was not looked at")));
                             });
}

/// Whoever posts it may know what is wrong with it.
response answer_to_report(const m::callback_taken& taken) {
  using enum core::callback_refusal_kind;
  if (taken.outcome == core::callback_outcome::recorded)
    return json_response({{"recorded", true}});
  if (taken.outcome != core::callback_outcome::refused)
    return answer_to(taken);
  switch (taken.refusal.value_or(malformed)) {
  case unexpected_sender:
    return as_response(
        conflict("the profile's provider tells by callbacks alone; reports by mail are for smtp"));
  case unidentified:
    return as_response(
        {422, "invalid", "A value is not allowed.", "the mail names no message this profile sent", {}, {}});
  default:
    return as_response({422,
                        "invalid",
                        "A value is not allowed.",
                        "the mail is no delivery status notification (RFC 3464) that can be read",
                        {},
                        {}});
  }
}

void hand_on_report(desk& at, m::take_callback ask, const responder& answer) {
  if (!at.links().callbacks) {
    answer(as_response(not_recorded("this node takes no reports")));
    return;
  }
  at.look<m::callback_taken>(at.links().callbacks, at.links().callback_patience, std::move(ask),
                             [answer](const m::callback_taken* taken) {
                               answer(taken ? answer_to_report(*taken)
                                            : as_response(not_recorded("the report was not looked at")));
                             });
}

/// A mail a server sent back. It has no signature: the token of who posts it stands for one.
void take_report(desk& at, const request& asked, const responder& answer) {
  auto ask = posted(asked);
  ask.vouched_for = true;
  if (!is_media_type(ask.request.header("content-type"), "message/rfc822")) {
    answer(as_response({415,
                        "unsupported_media_type",
                        "The body has the wrong type.",
                        "a report is a mail and comes as message/rfc822",
                        {},
                        {}}));
    return;
  }
  at.ask<core::profile_record>(
      at.links().notification_overview, m::find_profile{ask.profile, asked.who.tenants}, answer,
      [&at, ask, answer](core::profile_record&) { hand_on_report(at, ask, answer); });
}

} // namespace

void add_callback_operations(router& to, const raw_limits& limits) {
  to.add_raw("POST", "/v1/profiles/{profile}/reports", access::operate, limits, take_report);
  to.add_raw("POST", "/v1/callbacks/{profile}", access::anyone, limits, take_callback);
}

} // namespace sluice::api
