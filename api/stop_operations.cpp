#include "api/operation_parts.hpp"
#include "api/operations.hpp"

#include <algorithm>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t reason_bytes_max = 500;
constexpr std::int64_t stops_max = 1000;

/// Where a stop is to hold, as a body names it.
struct named_scope {
  core::stop_scope scope = core::stop_scope::global;
  std::string name; ///< of the connection or rule
};

named_scope scope_of(body_reader& body) {
  named_scope made;
  const auto word = body.text("scope", 1, 20);
  const auto scope = core::parse_stop_scope(word);
  if (!scope)
    body.refuse("scope", "scope must be global, connection or rule");
  made.scope = scope.value_or(core::stop_scope::global);
  if (made.scope == core::stop_scope::connection)
    made.name = body.text("connection", 1, 200);
  if (made.scope == core::stop_scope::rule)
    made.name = body.text("rule", 1, 200);
  return made;
}

/// Goes on with the ids of a scope's names.
void with_target(desk& at, const named_scope& named, const responder& answer,
                 std::function<void(const core::stop_target&)> then) {
  switch (named.scope) {
  case core::stop_scope::global:
    then({});
    break;
  case core::stop_scope::connection:
    at.ask<core::connection>(at.links().overview, m::find_connection{named.name}, answer,
                             [then = std::move(then)](core::connection& found) {
                               then({core::stop_scope::connection, found.id, {}});
                             });
    break;
  case core::stop_scope::rule:
    at.ask<m::rule_found>(at.links().overview, m::find_rule{named.name}, answer,
                          [then = std::move(then)](m::rule_found& found) {
                            then({core::stop_scope::rule, {}, found.rule.id});
                          });
    break;
  }
}

void answer_stop(desk& at, const core::delivery_stop& stop, int status, const responder& answer) {
  with_names(at, answer, [answer, stop, status](const names& called) {
    answer(json_response(stop_view(stop, called), status));
  });
}

/// Answered once no call starts in the scope any more: 201, or 200 with the stop that was live already.
void set_stop(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto named = scope_of(body);
  auto reason = body.text("reason", 1, reason_bytes_max);
  auto by = actor_of(body);
  if (refused(body.finish(), answer))
    return;
  with_target(at, named, answer, [&at, answer, reason, by](const core::stop_target& target) {
    at.ask<core::stop_in_force>(at.links().dispatcher, m::set_stop{{target, reason, by}}, answer,
                                [&at, answer](core::stop_in_force& set) {
                                  answer_stop(at, set.stop, set.was_live ? 200 : 201, answer);
                                });
  });
}

void end_stop(desk& at, m::end_stop act, const responder& answer) {
  at.ask<core::delivery_stop>(
      at.links().dispatcher, std::move(act), answer,
      [&at, answer](core::delivery_stop& ended) { answer_stop(at, ended, 200, answer); });
}

void end_stop_by_id(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(body);
  if (!refused(body.finish(), answer))
    end_stop(at, {asked.parameters.at("id"), {}, std::move(by)}, answer);
}

void end_stop_by_scope(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto named = scope_of(body);
  auto by = actor_of(body);
  if (refused(body.finish(), answer))
    return;
  with_target(at, named, answer,
              [&at, answer, by](const core::stop_target& target) { end_stop(at, {{}, target, by}, answer); });
}

json stops_view(const std::vector<core::delivery_stop>& stops, const names& called) {
  auto view = json::array();
  for (const auto& stop : stops)
    view.push_back(stop_view(stop, called));
  return view;
}

void show_live(desk& at, core::stop_cause cause, const char* member, const responder& answer) {
  with_names(at, answer, [&at, answer, cause, member](const names& called) {
    at.show<m::stops_listed>(at.links().reader, m::list_live_stops{}, answer,
                             [called, cause, member](const m::stops_listed& listed) {
                               auto live = listed.stops;
                               std::erase_if(live, [&](const auto& stop) { return stop.cause != cause; });
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
  with_names(at, answer, [&at, answer, page](const names& called) {
    at.show<m::stops_listed>(
        at.links().reader, m::list_stops{page}, answer, [called, page](const m::stops_listed& listed) {
          const auto more = std::cmp_equal(listed.stops.size(), page.limit);
          return json{{"stops", stops_view(listed.stops, called)},
                      {"next_before", more ? json(listed.stops.back().id) : json(nullptr)}};
        });
  });
}

/// Goes on with the rule whose live hold has the id.
void with_hold(desk& at, const std::string& id, const responder& answer,
               std::function<void(core::rule_id)> then) {
  at.ask<m::stops_listed>(
      at.links().reader, m::list_live_stops{}, answer,
      [id, answer, then = std::move(then)](m::stops_listed& live) {
        const auto found = std::ranges::find_if(live.stops, [&](const auto& stop) {
          return stop.public_id == id && stop.cause == core::stop_cause::volume_breaker;
        });
        if (found == live.stops.end())
          answer(as_response(not_found("no live hold has the id " + id + "; it may have ended meanwhile")));
        else
          then(found->target.rule);
      });
}

void release_hold(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto allowed = body.number("allowed", 1, std::numeric_limits<std::int64_t>::max());
  auto by = actor_of(body);
  if (refused(body.finish(), answer))
    return;
  const auto id = asked.parameters.at("id");
  with_hold(at, id, answer, [&at, answer, id, allowed, by](core::rule_id rule) {
    at.ask<core::delivery_stop>(
        at.links().dispatcher, m::release_hold{rule, id, allowed, by}, answer,
        [&at, answer](core::delivery_stop& released) { answer_stop(at, released, 200, answer); });
  });
}

void discard_hold(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(body);
  if (refused(body.finish(), answer))
    return;
  const auto id = asked.parameters.at("id");
  with_hold(at, id, answer, [&at, answer, id, by](core::rule_id rule) {
    at.ask<core::delivery_stop>(
        at.links().dispatcher, m::discard_hold{rule, id, by}, answer,
        [&at, answer](core::delivery_stop& ended) { answer_stop(at, ended, 200, answer); });
  });
}

} // namespace

void add_stop_operations(router& to) {
  to.add("GET", "/v1/stops", [](desk& at, const request&, const responder& answer) {
    show_live(at, core::stop_cause::manual, "stops", answer);
  });
  to.add("POST", "/v1/stops", set_stop);
  to.add("POST", "/v1/stops/end", end_stop_by_scope);
  to.add("GET", "/v1/stops/history", show_history);
  to.add("POST", "/v1/stops/{id}/end", end_stop_by_id);
  to.add("GET", "/v1/holds", [](desk& at, const request&, const responder& answer) {
    show_live(at, core::stop_cause::volume_breaker, "holds", answer);
  });
  to.add("POST", "/v1/holds/{id}/release", release_hold);
  to.add("POST", "/v1/holds/{id}/discard", discard_hold);
}

} // namespace sluice::api
