#include "api/desk.hpp"

#include "api/json_body.hpp"
#include "api/repetition.hpp"
#include "messages/fault.hpp"

#include <caf/sec.hpp>

namespace sluice::api {

namespace m = messages;

problem missing(std::string_view kind, std::string_view name) {
  return not_found("there is no " + std::string{kind} + " \"" + std::string{name} + '"');
}

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
  return {
      [this](const serve_request& message) { serve(message.request); },
      [this](const look_up_token& message) { look_up(message.digest, message.answer); },
  };
}

void desk::serve(const arrived& request) {
  const auto& [to, asked, answer] = request;
  if (!may_be_repetition(asked))
    to->handle(*this, asked, answer);
  else if (auto fault = faulty_key(asked))
    answer(as_response(*fault));
  else if (to->knows_repetitions)
    to->handle(*this, asked, answer);
  else
    serve_once(request);
}

void desk::serve_once(const arrived& request) {
  const auto key = key_digest(request.asked);
  ask<core::kept_answer>(links_.registrar, m::begin_answer{key, request_digest(request.asked)},
                         request.answer, [this, request, key](core::kept_answer& known) {
                           const auto& answer = request.answer;
                           auto before = known.what == core::repetition::answered
                                             ? kept_response(known.answer)
                                             : std::nullopt;
                           if (known.what == core::repetition::fresh)
                             request.to->handle(*this, request.asked, keeping(key, answer));
                           else if (known.what == core::repetition::other_request)
                             answer(as_response(key_of_another_request()));
                           else
                             answer(before ? std::move(*before) : as_response(repeated_too_early()));
                         });
}

/// An answer that says nothing was done frees the key. One that cannot say whether something was leaves it
/// taken; that is also what a handler's end without an answer comes to, on whatever thread it was let go.
responder desk::keeping(const std::string& key_digest, const responder& answer) {
  return responder{[this, key_digest, answer](response given) {
    if (given.status >= 500) {
      answer(std::move(given));
      return;
    }
    m::keep_answer kept{key_digest, given.status >= 400 ? std::string{} : kept_text(given)};
    auto told = [answer, given] { answer(given); };
    messages::request(
        self_, links_.registrar, links_.request_timeout, std::move(kept), [told](m::answer_kept&) { told(); },
        [told](const caf::error&) { told(); });
  }};
}

void desk::look_up(const std::string& digest, std::function<void(found_token)> answer) {
  auto answered = [answer](m::token_found& found) { answer(std::move(found.token)); };
  auto failed = [answer](const caf::error& error) { answer(std::unexpected{problem_of(error)}); };
  messages::request(self_, links_.doorkeeper, links_.request_timeout, m::find_token{digest}, answered,
                    failed);
}

void desk::with_sender(const shown_sender& shown, std::function<void(std::expected<caller, problem>)> then) {
  if (auto known = links_.who->known(shown)) {
    then(std::move(*known));
    return;
  }
  look_up(shown.digest, [this, then = std::move(then)](const found_token& found) {
    then(senders::by_token(found, now()));
  });
}

void desk::with_rule(const request& asked, const responder& answer,
                     std::function<void(m::rule_found&)> then) {
  with_rule(asked.parameters.at("rule"), asked.who, answer, std::move(then));
}

void desk::with_rule(const std::string& rule, const caller& who, const responder& answer,
                     std::function<void(m::rule_found&)> then) {
  ask<m::rule_found>(links_.overview, m::find_rule{rule}, answer,
                     [answer, who, then = std::move(then)](m::rule_found& found) {
                       if (who.may_see(found.source_tenant) && who.may_see(found.target_tenant))
                         then(found);
                       else
                         answer(as_response(missing("rule", found.rule.name)));
                     });
}

response desk::json_of(const nlohmann::ordered_json& document) {
  return json_response(document);
}

desk_actor::behavior_type open_desk(desk_actor::stateful_pointer<desk> self, desk_links links) {
  return self->state.behavior(std::move(links));
}

} // namespace sluice::api
