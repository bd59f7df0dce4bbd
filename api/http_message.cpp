#include "api/http_message.hpp"

#include "api/problem.hpp"

#include <atomic>

namespace sluice::api {

struct responder::state {
  explicit state(sink given) : to{std::move(given)} {}
  ~state() {
    if (!answered.exchange(true))
      to(as_response(not_answered()));
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  sink to;
  std::atomic<bool> answered = false;
};

responder::responder(sink to) : state_{std::make_shared<state>(std::move(to))} {}

void responder::operator()(response answer) const {
  if (!state_->answered.exchange(true))
    state_->to(std::move(answer));
}

} // namespace sluice::api
