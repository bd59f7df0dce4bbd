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

template <class Question>
void ask_verifier(desk& at, const request& asked, const responder& answer, int status, Question question) {
  at.with_rule(asked, answer, [&at, answer, status, question](m::rule_found& found) mutable {
    question.rule = found.rule.id;
    at.ask<core::verification>(at.links().verifier, question, answer,
                               [answer, status](core::verification& told) {
                                 answer(json_response(verification_view(told), status));
                               });
  });
}

void start_verify(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto sample = body.optional_number("sample", 1, core::verify_sample_max);
  const auto all = body.flag("all");
  if (sample && all)
    body.refuse("all", "goes without a sample");
  if (refused(body.finish(), answer))
    return;
  m::start_verify question;
  if (!all)
    question.sample = sample.value_or(core::verify_sample_default);
  ask_verifier(at, asked, answer, 202, question);
}

void add_verify_operations(router& to) {
  to.add("POST", "/v1/rules/{rule}/verify", access::operate, start_verify);
  to.add("GET", "/v1/rules/{rule}/verify", access::viewer,
         [](desk& at, const request& asked, const responder& answer) {
           ask_verifier(at, asked, answer, 200, m::read_verify{});
         });
  to.add("DELETE", "/v1/rules/{rule}/verify", access::operate,
         [](desk& at, const request& asked, const responder& answer) {
           ask_verifier(at, asked, answer, 200, m::cancel_verify{});
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
  add_verify_operations(to);
}

} // namespace sluice::api
