#include "api/notification_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

/// Goes on with the profile the query names; without one, with none.
void with_named_profile(desk& at, const request& asked, const responder& answer,
                        std::function<void(std::optional<core::provider_profile_id>)> then) {
  const auto named = query_text(asked, "profile");
  if (named.empty())
    then(std::nullopt);
  else
    at.ask<core::profile_record>(
        at.links().notification_overview, m::find_profile{named, asked.who.tenants}, answer,
        [then = std::move(then)](core::profile_record& one) { then(one.profile.id); });
}

void list_events_of(desk& at, const core::kept_event_page& page, const responder& answer) {
  at.show<m::provider_events_listed>(
      at.links().notification_overview, m::list_provider_events{page}, answer,
      [limit = page.limit](const m::provider_events_listed& listed) {
        return listed_view(
            "events", "next_before", listed.events, limit,
            [&](const auto& event) { return provider_event_view(event, listed.profiles); },
            [](const auto& event) { return event.id.value; });
      });
}

void list_events(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  const auto progress = query_word<core::event_progress>(asked, "progress", core::parse_event_progress,
                                                         "pending, unmatched, matched or duplicate");
  if (!place || !progress) {
    answer(as_response(place ? progress.error() : place.error()));
    return;
  }
  core::kept_event_page page;
  page.tenants = asked.who.tenants;
  page.progress = *progress;
  page.provider_message_id = query_text(asked, "provider_message_id");
  page.before = {place->from};
  page.limit = place->limit;
  if (!page.provider_message_id.empty() && query_text(asked, "profile").empty()) {
    answer(as_response(
        invalid_member("provider_message_id", "provider_message_id is looked for within a profile")));
    return;
  }
  with_named_profile(at, asked, answer,
                     [&at, page, answer](std::optional<core::provider_profile_id> profile) {
                       auto of_one = page;
                       of_one.profile = profile;
                       list_events_of(at, of_one, answer);
                     });
}

void list_refusals_of(desk& at, const core::callback_audit_page& page, const responder& answer) {
  at.show<m::callback_refusals_listed>(
      at.links().notification_overview, m::list_callback_refusals{page}, answer,
      [limit = page.limit](const m::callback_refusals_listed& listed) {
        return listed_view(
            "refused", "next_before", listed.refused, limit,
            [&](const auto& one) { return callback_refusal_view(one, listed.profiles); },
            [](const auto& one) { return one.id; });
      });
}

void list_refusals(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  core::callback_audit_page page;
  page.tenants = asked.who.tenants;
  page.before_id = place->from;
  page.limit = place->limit;
  with_named_profile(at, asked, answer,
                     [&at, page, answer](std::optional<core::provider_profile_id> profile) {
                       auto of_one = page;
                       of_one.profile = profile;
                       list_refusals_of(at, of_one, answer);
                     });
}

/// One step; whoever asks goes on at `next` until there is none.
void replay(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto after = body.optional_number("after", 0, std::numeric_limits<std::int64_t>::max()).value_or(0);
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer) || refused(limited_to_tenants(asked.who), answer))
    return;
  if (!at.links().callbacks) {
    answer(as_response(unavailable("this node projects nothing")));
    return;
  }
  at.ask<core::projections_rebuilt>(
      at.links().callbacks, m::rebuild_projections{{after}, by}, answer,
      [answer](core::projections_rebuilt& done) {
        answer(json_response({{"events", done.events},
                              {"attempts", done.attempts},
                              {"next", done.through ? json(nullptr) : json(done.upto.value)}}));
      });
}

} // namespace

void add_provider_operations(router& to) {
  to.add("GET", "/v1/provider-events", access::viewer, list_events);
  to.add("POST", "/v1/provider-events/replay", access::operate, replay);
  to.add("GET", "/v1/refused-callbacks", access::administer, list_refusals);
}

} // namespace sluice::api
