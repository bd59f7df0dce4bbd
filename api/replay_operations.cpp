#include "api/job_course.hpp"
#include "api/operations.hpp"
#include "api/subscription_parts.hpp"
#include "core/replay_job.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t state_bytes_max = 20;

json replay_view(const core::replay_job& job) {
  auto states = json::array();
  for (const auto state : job.which.states.list())
    states.push_back(core::to_string(state));
  json view{{"id", job.public_id},
            {"from", time_view(job.which.from)},
            {"to", time_view(job.which.to)},
            {"states", std::move(states)}};
  add_course(view, job);
  return view;
}

/// The states a body names; what failed and what is dead where it names none.
core::delivery_state_set states_of(body_reader& body) {
  const auto words = body.optional_texts("states", state_bytes_max);
  if (!words)
    return core::default_replay_states();
  std::vector<core::delivery_state> states;
  for (const auto& word : *words) {
    const auto state = core::parse_delivery_state(word);
    if (!state) {
      body.refuse("states", "states must be delivered, retrying, failed or dead");
      break;
    }
    if (const auto reason = core::why_not_replayed(*state))
      body.refuse("states", "states: " + *reason);
    states.push_back(*state);
  }
  if (states.empty())
    body.refuse("states", "states must name one state at least; without states it is failed and dead");
  return states;
}

core::replay_choice choice_of(const desk& at, body_reader& body) {
  core::replay_choice which;
  which.from = body.time("from");
  which.to = body.optional_time("to").value_or(at.now());
  which.states = states_of(body);
  if (const auto reason = core::why_no_window(which.from, which.to, at.links().replays))
    body.refuse("from", "from: " + *reason);
  return which;
}

void count(desk& at, m::count_replay asked, const responder& answer) {
  at.show<m::replay_counted>(
      at.links().subscription_overview, std::move(asked), answer,
      [](const m::replay_counted& counted) { return json{{"count", counted.deliveries}}; });
}

void start(desk& at, core::replay_start wanted, const responder& answer) {
  at.ask<core::replay_job>(at.links().push_dispatcher, m::start_replay{std::move(wanted)}, answer,
                           [answer](core::replay_job& job) { answer(json_response(replay_view(job), 202)); });
}

/// The deliveries are counted, or become a replay.
void replay(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto which = choice_of(at, body);
  const auto count_only = body.flag("count_only");
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer, [&at, answer, which, count_only, by](core::subscription& one) {
    const auto& limits = at.links().replays;
    if (count_only)
      count(at, {one.id, which, limits}, answer);
    else
      start(at, {one.id, which, limits, by}, answer);
  });
}

void list_replays(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  with_subscription(at, asked, answer, [&at, answer, place = *place](core::subscription& one) {
    at.show<m::replays_listed>(at.links().subscription_overview,
                               m::list_replays{{one.id, place.from, place.limit}}, answer,
                               [limit = place.limit](const m::replays_listed& listed) {
                                 return listed_view("replays", "next_before", listed.replays, limit,
                                                    replay_view, [](const auto& job) { return job.id; });
                               });
  });
}

void show_replay(desk& at, const request& asked, const responder& answer) {
  with_subscription(at, asked, answer,
                    [&at, answer, id = asked.parameters.at("id")](core::subscription& one) {
                      at.show<core::replay_job>(at.links().subscription_overview, m::find_replay{one.id, id},
                                                answer, replay_view);
                    });
}

void cancel_replay(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer,
                    [&at, answer, by, id = asked.parameters.at("id")](core::subscription& one) {
                      at.show<core::replay_job>(at.links().push_dispatcher, m::cancel_replay{one.id, id, by},
                                                answer, replay_view);
                    });
}

} // namespace

void add_replay_operations(router& to) {
  const std::string all = "/v1/subscriptions/{subscription}/replays";
  to.add("POST", all, access::operate, replay);
  to.add("GET", all, access::viewer, list_replays);
  to.add("GET", all + "/{id}", access::viewer, show_replay);
  to.add("POST", all + "/{id}/cancel", access::operate, cancel_replay);
}

} // namespace sluice::api
