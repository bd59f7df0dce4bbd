#pragma once

#include "actors/call_account.hpp"
#include "actors/chain_trouble.hpp"
#include "actors/order.hpp"
#include "actors/outcome_book.hpp"
#include "actors/record_delivery.hpp"
#include "actors/rule_links.hpp"
#include "core/call.hpp"
#include "messages/breaker.hpp"
#include "messages/courier.hpp"
#include "messages/sync_rule.hpp"
#include "messages/token_keeper.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sluice::actors {

/// A chain's calls: from the decision to the answer.
///
///   waiting --budget--> (all but updates: intent made durable) --> out --answer--> noted in the outcome book
///      ^------- rate limited, new token, next call of the same record ------+
///
/// It takes only the budget it was granted, keeps the intents it makes ahead of its calls within bounds, and
/// tells the throttle and the breaker how the calls fared. It never decides what to read next: that is the
/// chain's.
class call_desk {
public:
  /// `moved` is told when a pause begins or something was given up; `trouble` when the chain cannot go on.
  call_desk(messages::sync_rule::pointer self, const rule_links& links, record_delivery& delivery,
            core::connection_id target, outcome_book& book, std::weak_ptr<void> life,
            std::function<void()> moved, trouble_sink trouble);

  /// The circuit is half open: one call, and its outcome decides.
  void allow_trial_only() { trial_ = true; }

  void add(order order);

  /// Moves whatever can move: asks for budget or a token, makes intents, places calls.
  void pump();

  void take(messages::calls_answered& told);

  /// The pause for budget is over.
  void resume() { paused_until_.reset(); }
  /// By the steady clock, as silent_since.
  [[nodiscard]] std::optional<core::duration> paused_until() const noexcept { return paused_until_; }

  /// Nothing new leaves; what waits is given up (intents of calls that never left are deleted).
  void withdraw();

  /// What has not left, here or at the courier, is given up: its records are read again. Until `go_on`
  /// nothing is added.
  void let_go();
  void go_on() { letting_go_ = false; }

  [[nodiscard]] bool has_waiting() const noexcept { return !waiting_.empty(); }
  /// Nothing is out or about to leave.
  [[nodiscard]] bool quiet() const noexcept { return orders_.size() == waiting_.size(); }
  /// Since when calls are out and none was answered; nothing where none is out. One that waits at the courier
  /// behind the rule's own is no sign of trouble while those are answered.
  [[nodiscard]] std::optional<core::duration> silent_since() const;

private:
  using order_key = std::uint64_t;

  void ask_for_budget();
  void on_budget(const messages::budget_granted& answer);
  void ask_for_token();
  void on_token(messages::token_told& answer);
  void place_granted();
  [[nodiscard]] bool room_for_create() const;
  [[nodiscard]] core::intent intent_of(const order& order) const;
  void make_intents(const std::vector<order_key>& keys);
  void place(const std::vector<order_key>& keys);
  void take_one(core::call_answer& answer);
  void settle(order_key key, order& order, core::operation op, verdict verdict);
  void keep_unknown(const order& order, std::optional<core::timestamp> settle_at);
  void wait_again(order_key key, order& order, const verdict& verdict);
  void return_grants();
  void give_up(order_key key);
  void keep_reactivated(order& order);
  void give_up_granted(const std::vector<order_key>& keys);
  void rest_until(core::timestamp at);
  void report_signals();

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  record_delivery& delivery_;
  core::connection_id target_;
  outcome_book& book_;
  std::weak_ptr<void> life_;
  std::function<void()> moved_;
  trouble_sink trouble_;

  std::unordered_map<order_key, order> orders_; ///< everything in hand that still has a call to make or out
  std::deque<order_key> waiting_;               ///< in the order they go out
  order_key next_key_ = 1;
  std::int64_t granted_ = 0;
  std::int64_t unanswered_intents_ = 0; ///< calls that are out and have one
  core::duration answered_at_{};
  bool budget_asked_ = false;
  bool token_asked_ = false;
  bool withdrawn_ = false;
  bool letting_go_ = false; ///< calls that come back unmade are given up
  bool trial_ = false;
  bool trial_out_ = false;
  std::optional<core::duration> paused_until_;
  std::string token_;
  std::string refused_token_;
  call_account account_;
};

} // namespace sluice::actors
