#include "api/operation_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

void switch_rule(desk& at, const request& asked, const responder& answer, bool active) {
  body_reader body{asked};
  if (refused(body.finish(), answer))
    return;
  at.with_rule(asked, answer, [&at, answer, active](m::rule_found& found) {
    at.ask<core::sync_rule>(at.links().recorder, m::record_rule_switch{found.rule.name, active}, answer,
                            [&at, answer](core::sync_rule& now) {
                              caf::anon_send(at.links().dispatcher, m::changes_hinted{});
                              answer(json_response({{"rule", now.name}, {"active", now.active}}));
                            });
  });
}

template <class Question>
void ask_planner(desk& at, const request& asked, const responder& answer, int status) {
  at.with_rule(asked, answer, [&at, answer, status](m::rule_found& found) {
    at.ask<core::delivery_plan>(
        at.links().planner, Question{found.rule.id}, answer,
        [answer, status](core::delivery_plan& plan) { answer(json_response(plan_view(plan), status)); });
  });
}

} // namespace

void add_rule_operations(router& to) {
  to.add(
      "POST", "/v1/rules/{rule}/on", access::operate,
      [](desk& at, const request& asked, const responder& answer) { switch_rule(at, asked, answer, true); });
  to.add(
      "POST", "/v1/rules/{rule}/off", access::operate,
      [](desk& at, const request& asked, const responder& answer) { switch_rule(at, asked, answer, false); });
  to.add("POST", "/v1/rules/{rule}/plan", access::operate,
         [](desk& at, const request& asked, const responder& answer) {
           ask_planner<m::start_plan>(at, asked, answer, 202);
         });
  to.add("GET", "/v1/rules/{rule}/plan", access::viewer,
         [](desk& at, const request& asked, const responder& answer) {
           ask_planner<m::read_plan>(at, asked, answer, 200);
         });
  to.add("DELETE", "/v1/rules/{rule}/plan", access::operate,
         [](desk& at, const request& asked, const responder& answer) {
           ask_planner<m::cancel_plan>(at, asked, answer, 200);
         });
}

} // namespace sluice::api
