#pragma once

#include "actors/reply.hpp"
#include "actors/rule_chain.hpp"
#include "messages/request.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <utility>

namespace sluice::actors {

/// A question to the chain's reader. One at a time is out; what comes back to a chain that is ending is
/// dropped.
template <class Answer, class Ask>
void rule_chain::ask_reader(Ask ask, void (rule_chain::*then)(Answer&)) {
  reading_ = true;
  book_->reading_began();
  auto answered = [this, life = weak_from_this(), then](Answer& answer) {
    if (life.expired())
      return;
    reading_ = false;
    if (!ending_)
      (this->*then)(answer);
    book_->reading_ended();
    pump();
  };
  auto failed = [this, life = weak_from_this()](const caf::error& error) {
    if (life.expired())
      return;
    reading_ = false;
    book_->reading_ended();
    trouble(reading_failed(error));
  };
  messages::request(self_, links_.reader, links_.node->settings->actors.request_timeout, std::move(ask),
                    answered, failed);
}

} // namespace sluice::actors
