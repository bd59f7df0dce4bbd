#include "api/desk.hpp"

#include "api/json_body.hpp"
#include "messages/fault.hpp"

#include <caf/sec.hpp>

namespace sluice::api {

namespace m = messages;

problem problem_of(const caf::error& error) {
  const auto why = m::describe(error);
  if (error == caf::sec::request_timeout)
    return {504,
            "timed_out",
            "The node took too long.",
            "what was asked for may still be carried out; look before repeating it",
            {},
            {}};
  switch (m::fault_of(error)) {
  case m::fault::not_found:
    return not_found(why);
  case m::fault::refused:
  case m::fault::database_refused:
    return conflict(why);
  case m::fault::none:
  case m::fault::database_unavailable:
  case m::fault::lease_lost:
  case m::fault::shutting_down:
    break;
  }
  return unavailable(why);
}

desk_actor::behavior_type desk::behavior(desk_links links) {
  links_ = std::move(links);
  return {[this](const serve_request& message) {
    const auto& [to, asked, answer] = message.request;
    to->handle(*this, asked, answer);
  }};
}

void desk::with_rule(const request& asked, const responder& answer,
                     std::function<void(m::rule_found&)> then) {
  ask<m::rule_found>(links_.overview, m::find_rule{asked.parameters.at("rule")}, answer, std::move(then));
}

response desk::json_of(const nlohmann::ordered_json& document) {
  return json_response(document);
}

desk_actor::behavior_type open_desk(desk_actor::stateful_pointer<desk> self, desk_links links) {
  return self->state.behavior(std::move(links));
}

} // namespace sluice::api
