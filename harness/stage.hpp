#pragma once

#include "harness/message_log.hpp"
#include "harness/virtual_clock.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace sluice::harness {

/// The actor behind a pointer or handle; null for none, which CAF's own cast does not check.
template <class Handle>
[[nodiscard]] caf::abstract_actor* actor_behind(const Handle& handle) {
  return handle ? caf::actor_cast<caf::abstract_actor*>(handle) : nullptr;
}

/// An actor system of which one message at a time is delivered, when the test says so.
///
/// Messages of one receiver are delivered in the order they came, receivers take turns. Time passes only in
/// `move_to`, which moves CAF's clock along with the world's.
class stage {
public:
  stage(virtual_clock& clock, std::size_t log_lines);
  ~stage();
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  [[nodiscard]] caf::actor_system& system() noexcept { return system_; }
  [[nodiscard]] const message_log& log() const noexcept { return log_; }

  /// What an actor is called in the log and in failures. Without a name it is asked of `namer`, then of CAF.
  void name(const caf::abstract_actor* actor, std::string name);
  void ask_names_of(std::function<std::string(const caf::abstract_actor&)> namer) {
    namer_ = std::move(namer);
  }
  [[nodiscard]] std::string name_of(const caf::abstract_actor* actor);
  [[nodiscard]] std::string name_of(const caf::strong_actor_ptr& actor);

  /// Is shown every message about to be delivered, and may change what it says.
  using witness = std::function<void(caf::mailbox_element& element, const caf::abstract_actor& receiver)>;
  void show_to(witness sees) { witness_ = std::move(sees); }

  /// Delivers the next message. False: none waits.
  bool deliver_next();

  /// The message deliver_next would deliver; null when none waits.
  [[nodiscard]] caf::mailbox_element* next();

  /// The first message that waits for this actor; null when none does.
  [[nodiscard]] caf::mailbox_element* first_for(caf::abstract_actor* receiver);
  /// Delivers it. There must be one.
  void deliver_to(caf::abstract_actor* receiver);

  [[nodiscard]] std::vector<message_line> pending();
  /// How many messages wait.
  [[nodiscard]] std::size_t waiting() const;
  /// A message as people read it.
  [[nodiscard]] message_line line_of(const caf::mailbox_element& element,
                                     const caf::abstract_actor* receiver);

  /// When the next timeout or delayed message is due, by the steady clock.
  [[nodiscard]] std::optional<core::duration> next_timeout() const;
  void move_to(core::duration steady);

  /// The actor ends at once, whatever waits for it.
  void kill(const caf::strong_actor_ptr& actor);

  /// Nothing that waits is delivered to anyone living, and no timeout is left: what remains of dead actors
  /// is let go without a line in the log.
  void clear();

  /// How a message reads: its type without namespaces, its fields.
  [[nodiscard]] static std::string text_of(const caf::type_erased_tuple& content);
  /// A type's name without namespaces.
  [[nodiscard]] static std::string short_name(const std::type_info& type);

private:
  class settings : public caf::actor_system_config {
  public:
    settings();
  };

  [[nodiscard]] bool has_job(const caf::abstract_actor* actor) const;
  void put_first(const caf::abstract_actor* actor);
  void run_front(caf::scheduled_actor& receiver, caf::mailbox_element& element);
  virtual_clock& clock_;
  message_log log_;
  settings settings_;
  caf::actor_system system_;
  caf::scheduler::test_coordinator& scheduler_;
  std::map<caf::actor_id, std::string> names_;
  std::function<std::string(const caf::abstract_actor&)> namer_;
  witness witness_;
};

} // namespace sluice::harness
