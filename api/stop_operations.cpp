#include "api/operations.hpp"
#include "api/subscription_parts.hpp"
#include "messages/notification_overview.hpp"

#include <algorithm>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t reason_bytes_max = 500;
constexpr std::int64_t stops_max = 1000;

/// Where a stop is to hold, as a body names it.
struct named_scope {
  core::stop_scope scope = core::stop_scope::global;
  std::string name; ///< of the connection or rule; the subscription's or profile's id
};

named_scope scope_of(body_reader& body) {
  named_scope made;
  const auto word = body.text("scope", 1, 20);
  const auto scope = core::parse_stop_scope(word);
  if (!scope)
    body.refuse("scope", "scope must be global, connection, rule, subscription or profile");
  made.scope = scope.value_or(core::stop_scope::global);
  if (made.scope == core::stop_scope::connection)
    made.name = body.text("connection", 1, 200);
  if (made.scope == core::stop_scope::rule)
    made.name = body.text("rule", 1, 200);
  if (made.scope == core::stop_scope::subscription)
    made.name = body.text("subscription", 1, 200);
  if (made.scope == core::stop_scope::profile)
    made.name = body.text("profile", 1, 200);
  return made;
}

/// Goes on with the ids of a scope's names, where the caller may act on them.
void with_target(desk& at, const request& asked, const named_scope& named, const responder& answer,
                 std::function<void(const core::stop_target&)> then) {
  if (named.scope == core::stop_scope::global) {
    if (asked.who.tenants.everything())
      then({});
    else
      answer(as_response(everything_is_not_theirs()));
  } else if (named.scope == core::stop_scope::connection) {
    at.ask<core::connection>(at.links().overview, m::find_connection{named.name}, answer,
                             [answer, who = asked.who, then = std::move(then)](core::connection& found) {
                               if (who.may_see(found.tenant))
                                 then({core::stop_scope::connection, found.id, {}});
                               else
                                 answer(as_response(missing("connection", found.name)));
                             });
  } else if (named.scope == core::stop_scope::subscription) {
    with_subscription(at, asked.who, named.name, answer,
                      [then = std::move(then)](const core::subscription& found) {
                        then({core::stop_scope::subscription, {}, {}, found.id});
                      });
  } else if (named.scope == core::stop_scope::profile) {
    at.ask<core::profile_record>(at.links().notification_overview,
                                 m::find_profile{named.name, asked.who.tenants}, answer,
                                 [then = std::move(then)](core::profile_record& found) {
                                   then({core::stop_scope::profile, {}, {}, {}, found.profile.id});
                                 });
  } else {
    at.with_rule(named.name, asked.who, answer, [then = std::move(then)](m::rule_found& found) {
      then({core::stop_scope::rule, {}, found.rule.id});
    });
  }
}

void answer_stop(desk& at, const request& asked, const core::delivery_stop& stop, int status,
                 const responder& answer) {
  with_names(at, asked, answer, [answer, stop, status](const seen_names& called) {
    answer(json_response(stop_view(stop, called), status));
  });
}

/// Answered once no call starts in the scope any more: 201, or 200 with the stop that was live already.
void set_stop(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto named = scope_of(body);
  auto reason = body.text("reason", 1, reason_bytes_max);
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_target(at, asked, named, answer, [&at, asked, answer, reason, by](const core::stop_target& target) {
    at.ask<core::stop_in_force>(at.links().dispatcher, m::set_stop{{target, reason, by}}, answer,
                                [&at, asked, answer](core::stop_in_force& set) {
                                  answer_stop(at, asked, set.stop, set.was_live ? 200 : 201, answer);
                                });
  });
}

void end_stop(desk& at, const request& asked, m::end_stop act, const responder& answer) {
  at.ask<core::delivery_stop>(
      at.links().dispatcher, std::move(act), answer,
      [&at, asked, answer](core::delivery_stop& ended) { answer_stop(at, asked, ended, 200, answer); });
}

/// Goes on with the live stop or hold of the id, where the caller may act on it.
void with_live_stop(desk& at, const request& asked, core::stop_cause cause, const responder& answer,
                    std::function<void(const core::delivery_stop&)> then) {
  with_names(
      at, asked, answer, [&at, asked, cause, answer, then = std::move(then)](const seen_names& called) {
        at.ask<m::stops_listed>(
            at.links().reader, m::list_live_stops{}, answer,
            [asked, cause, answer, then, called](m::stops_listed& live) {
              const auto& id = asked.parameters.at("id");
              const auto found = std::ranges::find_if(live.stops, [&](const auto& stop) {
                return stop.public_id == id && stop.cause == cause && called.shows(stop);
              });
              if (found == live.stops.end())
                answer(as_response(
                    not_found(std::string{cause == core::stop_cause::manual ? "no stop" : "no hold"}
                              + " in force has the id " + id + "; it may have ended meanwhile")));
              else if (found->target.scope == core::stop_scope::global && !asked.who.tenants.everything())
                answer(as_response(everything_is_not_theirs()));
              else
                then(*found);
            });
      });
}

void end_stop_by_id(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_live_stop(at, asked, core::stop_cause::manual, answer,
                 [&at, asked, answer, by](const core::delivery_stop& stop) {
                   end_stop(at, asked, {stop.public_id, {}, by}, answer);
                 });
}

void end_stop_by_scope(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto named = scope_of(body);
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_target(at, asked, named, answer, [&at, asked, answer, by](const core::stop_target& target) {
    end_stop(at, asked, {{}, target, by}, answer);
  });
}

json stops_view(const std::vector<core::delivery_stop>& stops, const names& called) {
  auto view = json::array();
  for (const auto& stop : stops)
    view.push_back(stop_view(stop, called));
  return view;
}

void show_live(desk& at, const request& asked, core::stop_cause cause, const char* member,
               const responder& answer) {
  with_names(at, asked, answer, [&at, answer, cause, member](const seen_names& called) {
    at.show<m::stops_listed>(
        at.links().reader, m::list_live_stops{}, answer,
        [called, cause, member](const m::stops_listed& listed) {
          auto live = listed.stops;
          std::erase_if(live, [&](const auto& stop) { return stop.cause != cause || !called.shows(stop); });
          return json{{member, stops_view(live, called)}};
        });
  });
}

/// A page of the history, stops and holds alike, newest first.
void show_history(desk& at, const request& asked, const responder& answer) {
  const auto before = query_number(asked, "before", 0, 0, std::numeric_limits<std::int64_t>::max());
  const auto limit = query_number(asked, "limit", 100, 1, stops_max);
  if (!before || !limit) {
    answer(as_response(before ? limit.error() : before.error()));
    return;
  }
  core::stop_page page;
  page.before_id = *before;
  page.limit = *limit;
  page.tenants = asked.who.tenants;
  with_names(at, asked, answer, [&at, answer, page](const seen_names& called) {
    at.show<m::stops_listed>(
        at.links().reader, m::list_stops{page}, answer, [called, page](const m::stops_listed& listed) {
          const auto more = std::cmp_equal(listed.stops.size(), page.limit);
          return json{{"stops", stops_view(listed.stops, called)},
                      {"next_before", more ? json(listed.stops.back().id) : json(nullptr)}};
        });
  });
}

void release_hold(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto allowed = body.number("allowed", 1, std::numeric_limits<std::int64_t>::max());
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_live_stop(at, asked, core::stop_cause::volume_breaker, answer,
                 [&at, asked, answer, allowed, by](const core::delivery_stop& hold) {
                   at.ask<core::delivery_stop>(at.links().dispatcher,
                                               m::release_hold{hold.target.rule, hold.public_id, allowed, by},
                                               answer, [&at, asked, answer](core::delivery_stop& released) {
                                                 answer_stop(at, asked, released, 200, answer);
                                               });
                 });
}

void discard_hold(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_live_stop(at, asked, core::stop_cause::volume_breaker, answer,
                 [&at, asked, answer, by](const core::delivery_stop& hold) {
                   at.ask<core::delivery_stop>(at.links().dispatcher,
                                               m::discard_hold{hold.target.rule, hold.public_id, by}, answer,
                                               [&at, asked, answer](core::delivery_stop& ended) {
                                                 answer_stop(at, asked, ended, 200, answer);
                                               });
                 });
}

} // namespace

void add_stop_operations(router& to) {
  to.add("GET", "/v1/stops", access::viewer, [](desk& at, const request& asked, const responder& answer) {
    show_live(at, asked, core::stop_cause::manual, "stops", answer);
  });
  to.add("POST", "/v1/stops", access::operate, set_stop);
  to.add("POST", "/v1/stops/end", access::operate, end_stop_by_scope);
  to.add("GET", "/v1/stops/history", access::viewer, show_history);
  to.add("POST", "/v1/stops/{id}/end", access::operate, end_stop_by_id);
  to.add("GET", "/v1/holds", access::viewer, [](desk& at, const request& asked, const responder& answer) {
    show_live(at, asked, core::stop_cause::volume_breaker, "holds", answer);
  });
  to.add("POST", "/v1/holds/{id}/release", access::operate, release_hold);
  to.add("POST", "/v1/holds/{id}/discard", access::operate, discard_hold);
}

} // namespace sluice::api
