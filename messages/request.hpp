#pragma once

#include "core/time.hpp"

#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>

#include <utility>

/// How one actor of a node asks another.
namespace sluice::messages {

namespace detail {

/// Does `before`, then what `handler` does, with the handler's own parameters: CAF chooses by them.
template <class Before, class Handler, class... Args>
auto preceded(Before before, Handler handler, void (Handler::*)(Args...) const) {
  return [before, handler = std::move(handler)](Args... args) {
    before();
    handler(std::forward<Args>(args)...);
  };
}

template <class Before, class Handler, class... Args>
auto preceded(Before before, Handler handler, void (Handler::*)(Args...)) {
  return [before, handler = std::move(handler)](Args... args) mutable {
    before();
    handler(std::forward<Args>(args)...);
  };
}

} // namespace detail

/// Sends `question`; `then` takes the answer, `failed` the error: the receiver's own, that it is dead, or
/// that `patience` passed. CAF itself keeps the timeout of an answered request, and with it the actor, until
/// it is due, which is hundreds of megabytes where a hundred thousand rules start: here it goes with the
/// answer.
template <class Self, class Whom, class Question, class Then, class Failed>
void request(Self* self, const Whom& whom, core::duration patience, Question question, Then then,
             Failed failed) {
  auto asked = self->request(whom, patience, std::move(question));
  auto take_timeout_back = [self, id = asked.id()] {
    self->system().clock().cancel_request_timeout(self, id);
  };
  asked.then(detail::preceded(take_timeout_back, std::move(then), &Then::operator()),
             detail::preceded(take_timeout_back, std::move(failed), &Failed::operator()));
}

} // namespace sluice::messages
