#pragma once

#include "harness/script.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sluice::harness {

/// A question a test has asked of an actor. `Answer` void: one without a value.
template <class Answer>
class asked {
public:
  using value_type = std::conditional_t<std::is_void_v<Answer>, done, Answer>;

  struct outcome {
    std::optional<value_type> value;
    std::optional<caf::error> error;
  };

  explicit asked(std::shared_ptr<outcome> of) : outcome_(std::move(of)) {}

  [[nodiscard]] bool answered() const noexcept { return outcome_->value.has_value(); }
  [[nodiscard]] bool failed() const noexcept { return outcome_->error.has_value(); }
  /// Throws std::bad_optional_access while there is no answer.
  [[nodiscard]] const value_type& value() const { return outcome_->value.value(); }
  [[nodiscard]] const caf::error& error() const { return outcome_->error.value(); }

private:
  std::shared_ptr<outcome> outcome_;
};

namespace detail {

/// Longer than any test lets time pass; an answer that never comes shows as one that is not there.
inline constexpr auto answer_patience = std::chrono::minutes{366 * 24 * 60};

/// Spawns who asks and keeps the answer; the question is sent when it first runs.
template <class Answer, class Message>
caf::actor spawn_asker(caf::actor_system& system, const caf::strong_actor_ptr& to, Message message,
                       std::shared_ptr<typename asked<Answer>::outcome> into) {
  auto ask = [to, message = std::move(message), into = std::move(into)](caf::event_based_actor* self) {
    auto failed = [into](caf::error& error) { into->error = std::move(error); };
    auto pending = self->request(caf::actor_cast<caf::actor>(to), answer_patience, message);
    if constexpr (std::is_void_v<Answer>)
      pending.then([into] { into->value.emplace(); }, failed);
    else
      pending.then([into](Answer& answer) { into->value.emplace(std::move(answer)); }, failed);
  };
  return system.spawn(std::move(ask));
}

} // namespace detail

} // namespace sluice::harness
