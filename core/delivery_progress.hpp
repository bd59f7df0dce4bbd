#pragma once

#include "core/delivery_claim.hpp"
#include "core/delivery_state.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

/// How one delivery of one change event to one subscription goes on. The numbers are the transitions', in the
/// order of their enumerators; [w] the delivery worker causes it, [a] the adapter's callback, [o] an
/// operator.
///
///      1 acknowledge initial push [w], 5 advance a pull cursor [a]
///   +------------------------------------------------------------------+
///   |                                                                  v
///   pending --2 defer [w]--> retrying --3 acknowledge later push [w]--> delivered
///   |  |  ^                  |  |  | ^                                   |
///   |  |  +--13 restart [o]--+  |  | +--8 schedule further [w]-- itself  |
///   |  |  +---------------------|--|---------------12 restart [o]--------+
///   |  +--9 permanent [w]-> dead <-+ 4 end retries [w]     dead   --6 restart [o]--> pending
///   +--10 refuse [w]----> failed <---- 11 refuse later [w]  failed --7 restart [o]--> pending
///
///   skipped_filter: recorded and final
///
/// A claim gives the next attempt its number and a lease, and changes no state. What an attempt came to is
/// applied only while the claim is still its own: one that was restarted, refused or lost its lease meanwhile
/// records its own row and nothing else.
namespace sluice::core {

enum class delivery_transition : std::uint8_t {
  acknowledge_initial_push,
  defer_unsuccessful_push,
  acknowledge_later_push,
  end_delivery_retries,
  advance_pull_cursor,
  restart_dead_delivery,
  restart_failed_delivery,
  schedule_further_attempt,
  fail_permanently_on_first_attempt,
  refuse_initial_delivery,
  refuse_later_delivery,
  restart_delivered_work,
  restart_retrying_work,
};
inline constexpr std::size_t delivery_transitions = 13;

/// Who may cause a transition.
enum class transition_cause : std::uint8_t { delivery_worker, adapter_callback, executions_operator };

[[nodiscard]] std::string_view to_string(transition_cause cause) noexcept;

struct transition_rule {
  delivery_state from = delivery_state::pending;
  delivery_state to = delivery_state::pending;
  transition_cause who = transition_cause::delivery_worker;
  std::string_view trigger; ///< its name for people; the two restarts of eligible work share one
};

[[nodiscard]] const transition_rule& rule_of(delivery_transition transition) noexcept;

struct attempt_end {
  std::int64_t number = 0;
  attempt_ending ending = attempt_ending::acknowledged;
  std::optional<timestamp>
      retry_at{}; ///< what the schedule allows after this failure; absent: it was the last
  std::string error_class{};
  std::string error{};

  /// Whether another attempt follows.
  [[nodiscard]] bool allows_another() const noexcept {
    return retry_at && (ending == attempt_ending::transient || ending == attempt_ending::interrupted);
  }
};

enum class operator_request : std::uint8_t { none, retry, window_replay };

/// What is known when a transition is asked for; each cause fills in its own part.
struct transition_facts {
  transition_cause by = transition_cause::delivery_worker;
  timestamp now{};
  std::optional<attempt_end> attempt{};              ///< delivery_worker: what its attempt came to
  std::string configuration_loss{};                  ///< delivery_worker: what is gone; empty: nothing
  bool cursor_covers = false;                        ///< adapter_callback: the cursor passes the event
  operator_request request = operator_request::none; ///< executions_operator
};

/// What else happens with a transition, in the same transaction.
struct transition_effects {
  std::optional<std::int64_t> closes_attempt{}; ///< this attempt's row gets its ending and the answer
  std::optional<timestamp> dispatches_at{};     ///< the next attempt is due then
  bool resets_dead_count = false;               ///< of the subscription
  bool counts_dead = false;                     ///< towards the subscription's threshold
  bool disables_subscription = false;           ///< at once, whatever the count
  bool audits_request = false;                  ///< who asked is recorded

  friend bool operator==(const transition_effects&, const transition_effects&) = default;
};

struct delivery_step {
  delivery_state left = delivery_state::pending; ///< written only if the delivery is still in it
  delivery_progress now;
  transition_effects effects;
};

/// Why no transition leads from one state to the other; nothing where one does.
[[nodiscard]] std::optional<transition_refusal> refuse_step(delivery_state from, delivery_state to);

[[nodiscard]] std::expected<void, transition_refusal>
can_apply(const delivery_progress& progress, delivery_transition transition, const transition_facts& facts);

/// Refused as can_apply refuses.
[[nodiscard]] std::expected<delivery_step, transition_refusal>
apply(const delivery_progress& progress, delivery_transition transition, const transition_facts& facts);

/// The transition by which an attempt's end takes a pending or retrying delivery further.
[[nodiscard]] delivery_transition transition_of(delivery_state from, const attempt_end& end) noexcept;

/// The transition by which an operator's request restarts a delivery.
[[nodiscard]] std::expected<delivery_transition, transition_refusal> restart_of(delivery_state from);

template <class Inspector>
auto inspect(Inspector& f, attempt_end& x) {
  return f(x.number, x.ending, x.retry_at, x.error_class, x.error);
}

} // namespace sluice::core
