#pragma once

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/make_message.hpp>
#include <caf/message_id.hpp>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

/// The words a script is written in. They are made by world: `w.expect<messages::start_chain>()` and so on.
namespace sluice::harness {

class world;

/// The answer to a request that has no value, where a message type is asked for: `expect<done>()`.
struct done {};

/// Any handle of an actor, a mock included, as CAF's own pointer.
template <class Handle>
[[nodiscard]] caf::strong_actor_ptr pointer_to(const Handle& handle) {
  if constexpr (requires { handle.actor(); })
    return caf::actor_cast<caf::strong_actor_ptr>(handle.actor());
  else
    return caf::actor_cast<caf::strong_actor_ptr>(handle);
}

namespace detail {

/// What scripts need of a world; out of line, so that words stay cheap to compile.
[[nodiscard]] caf::mailbox_element* first_for(world& in, const caf::strong_actor_ptr& receiver);
void deliver_first(world& in, const caf::strong_actor_ptr& receiver);
[[noreturn]] void fail_expectation(world& in, const std::type_info& wanted, const caf::strong_actor_ptr& from,
                                   const caf::strong_actor_ptr& to, const char* word);

} // namespace detail

/// Which message: its type, and where given its sender and a condition on its fields.
template <class Message>
class message_pattern {
public:
  explicit message_pattern(world& in) : world_(in) {}

protected:
  [[nodiscard]] bool matches(const caf::mailbox_element& element) const {
    if (from_ && element.sender != from_)
      return false;
    if constexpr (std::is_same_v<Message, done>)
      return element.content().empty();
    else
      return element.content().template match_elements<Message>() && (!where_ || where_(value_of(element)));
  }

  [[nodiscard]] static Message value_of(const caf::mailbox_element& element) {
    if constexpr (std::is_same_v<Message, done>)
      return {};
    else
      return element.content().template get_as<Message>(0);
  }

  /// The first message that waits for the receiver is this one: delivers it.
  [[nodiscard]] std::optional<Message> take(const caf::strong_actor_ptr& receiver) {
    auto* element = detail::first_for(world_, receiver);
    if (element == nullptr || !matches(*element))
      return std::nullopt;
    auto value = value_of(*element);
    detail::deliver_first(world_, receiver);
    return value;
  }

  world& world_;
  caf::strong_actor_ptr from_;
  std::function<bool(const Message&)> where_;
};

/// The next message for `to` must be this one; it is delivered, and returned to be looked at.
template <class Message>
class expectation : public message_pattern<Message> {
public:
  using message_pattern<Message>::message_pattern;

  template <class Handle>
  [[nodiscard]] expectation from(const Handle& sender) {
    this->from_ = pointer_to(sender);
    return *this;
  }
  [[nodiscard]] expectation where(std::function<bool(const Message&)> holds) {
    this->where_ = std::move(holds);
    return *this;
  }
  template <class Handle>
  Message to(const Handle& receiver) {
    auto pointer = pointer_to(receiver);
    auto value = this->take(pointer);
    if (!value)
      detail::fail_expectation(this->world_, typeid(Message), this->from_, pointer, "expected");
    return std::move(*value);
  }
};

/// Delivers the next message for `to` if it is this one.
template <class Message>
class allowance : public message_pattern<Message> {
public:
  using message_pattern<Message>::message_pattern;

  template <class Handle>
  [[nodiscard]] allowance from(const Handle& sender) {
    this->from_ = pointer_to(sender);
    return *this;
  }
  [[nodiscard]] allowance where(std::function<bool(const Message&)> holds) {
    this->where_ = std::move(holds);
    return *this;
  }
  template <class Handle>
  std::optional<Message> to(const Handle& receiver) {
    return this->take(pointer_to(receiver));
  }
};

/// The next message for `to` must not be this one; nothing is delivered.
template <class Message>
class prohibition : public message_pattern<Message> {
public:
  using message_pattern<Message>::message_pattern;

  template <class Handle>
  [[nodiscard]] prohibition from(const Handle& sender) {
    this->from_ = pointer_to(sender);
    return *this;
  }
  template <class Handle>
  void to(const Handle& receiver) {
    auto pointer = pointer_to(receiver);
    auto* element = detail::first_for(this->world_, pointer);
    if (element != nullptr && this->matches(*element))
      detail::fail_expectation(this->world_, typeid(Message), this->from_, pointer, "did not expect");
  }
};

/// Sends a message as if `from` had; it waits behind what waits for the receiver already.
template <class Message>
class injection {
public:
  explicit injection(Message message) : message_(std::move(message)) {}

  template <class Handle>
  [[nodiscard]] injection from(const Handle& sender) {
    from_ = pointer_to(sender);
    return std::move(*this);
  }
  template <class Handle>
  void to(const Handle& receiver) {
    pointer_to(receiver)->enqueue(from_, caf::make_message_id(), caf::make_message(std::move(message_)),
                                  nullptr);
  }

private:
  Message message_;
  caf::strong_actor_ptr from_;
};

} // namespace sluice::harness
