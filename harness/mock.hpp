#pragma once

#include "harness/stage.hpp"

#include <caf/error.hpp>
#include <caf/make_message.hpp>
#include <caf/replies_to.hpp>
#include <caf/result.hpp>
#include <caf/sec.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

namespace sluice::harness {

namespace detail {

/// What a mock was told to do and what it got; shared by the test's object and the actor.
struct mock_script {
  std::string name;
  std::function<void(std::string)> unexpected;
  std::map<std::type_index, std::any> reactions; ///< std::function<caf::result<Answer>(const Message&)>
  std::map<std::type_index, std::vector<std::any>> got;
};

template <class Message, class Answer>
using mock_reaction = std::function<caf::result<Answer>(const Message&)>;

template <class Signature>
struct mock_handler;

template <class Message, class Answer>
struct mock_handler<caf::typed_mpi<caf::detail::type_list<Message>, caf::output_tuple<Answer>>> {
  static auto make(std::shared_ptr<mock_script> script) {
    return [script = std::move(script)](const Message& message) -> caf::result<Answer> {
      script->got[typeid(Message)].emplace_back(message);
      auto found = script->reactions.find(typeid(Message));
      if (found != script->reactions.end())
        return std::any_cast<const mock_reaction<Message, Answer>&>(found->second)(message);
      script->unexpected(script->name + " did not expect "
                         + stage::text_of(caf::make_message(message).content()));
      return caf::make_error(caf::sec::unexpected_message);
    };
  }
};

/// The answer an interface gives to a message.
template <class Message, class Signatures>
struct answer_to;

template <class Message, class Answer, class... Rest>
struct answer_to<Message,
                 caf::detail::type_list<
                     caf::typed_mpi<caf::detail::type_list<Message>, caf::output_tuple<Answer>>, Rest...>> {
  using type = Answer;
};

template <class Message, class First, class... Rest>
struct answer_to<Message, caf::detail::type_list<First, Rest...>>
    : answer_to<Message, caf::detail::type_list<Rest...>> {};

} // namespace detail

/// Stands in for an actor: it has the whole interface, and a message it was not told of fails the test.
/// Made by world::mock. It does nothing but what `on` and `accept` say.
template <class Interface>
class mock {
public:
  mock(caf::actor_system& system, std::string name, std::function<void(std::string)> unexpected)
      : script_(std::make_shared<detail::mock_script>()) {
    script_->name = std::move(name);
    script_->unexpected = std::move(unexpected);
    actor_ = spawn(system, typename Interface::signatures{});
  }

  [[nodiscard]] const Interface& actor() const noexcept { return actor_; }
  operator const Interface&() const noexcept { return actor_; }

  /// `react(message)` gives the answer: a value, a caf::error, or (messages without one) nothing.
  template <class Message, class React>
  mock& on(React react) {
    using answer = typename detail::answer_to<Message, typename Interface::signatures>::type;
    script_->reactions[typeid(Message)] =
        detail::mock_reaction<Message, answer>{[react = std::move(react)](const Message& message) mutable {
          if constexpr (std::is_void_v<std::invoke_result_t<React&, const Message&>>) {
            react(message);
            return caf::result<answer>{caf::unit};
          } else {
            return caf::result<answer>{react(message)};
          }
        }};
    return *this;
  }

  /// Takes messages of this type that want no value for an answer.
  template <class Message>
  mock& accept() {
    return on<Message>([](const Message&) {});
  }

  /// Every message of this type it got, accepted or not.
  template <class Message>
  [[nodiscard]] std::vector<Message> got() const {
    std::vector<Message> messages;
    if (auto found = script_->got.find(typeid(Message)); found != script_->got.end()) {
      for (const auto& each : found->second)
        messages.push_back(std::any_cast<const Message&>(each));
    }
    return messages;
  }

private:
  template <class... Signatures>
  Interface spawn(caf::actor_system& system, caf::detail::type_list<Signatures...>) {
    auto script = script_;
    return system.spawn([script](typename Interface::pointer) -> typename Interface::behavior_type {
      return {detail::mock_handler<Signatures>::make(script)...};
    });
  }

  std::shared_ptr<detail::mock_script> script_;
  Interface actor_;
};

} // namespace sluice::harness
