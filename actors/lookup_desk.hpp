#pragma once

#include "actors/call_account.hpp"
#include "actors/order.hpp"
#include "actors/record_delivery.hpp"
#include "actors/rule_links.hpp"
#include "core/call.hpp"
#include "core/ledger.hpp"
#include "messages/breaker.hpp"
#include "messages/courier.hpp"
#include "messages/dispatcher.hpp"
#include "messages/token_keeper.hpp"
#include "messages/verifier.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sluice::actors {

/// So many lookups of a verification are out at once: a look beside deliveries, which come first.
inline constexpr std::size_t lookups_out_max = 4;

/// A verification's calls: from the row to what its lookup said.
///
///   waiting --budget, token--> out --answer--> told
///      ^--- rate limited, new token, unmade ---+
///
/// It takes budget like any caller, tells the throttle and the breaker how its calls fared, and writes
/// nothing. It lives until its last call is answered, whatever becomes of the verification.
class lookup_desk : public std::enable_shared_from_this<lookup_desk> {
public:
  struct parts {
    messages::verifier::pointer self;
    std::shared_ptr<const node_links> node;
    messages::target_found target;
    core::connection_id connection{};
    std::shared_ptr<record_delivery> delivery;
    std::uint64_t number = 0; ///< of the verification, below 2^32: see number_of
    /// What the lookup of a row said.
    std::function<void(core::ledger_row row, core::outcome said)> told;
    /// Nothing goes before then; whoever is told calls `go_on` when it has come.
    std::function<void(core::timestamp until)> rests;
    /// The verification cannot go on.
    std::function<void(std::string reason)> trouble;
  };

  explicit lookup_desk(parts with) : with_(std::move(with)) {}

  /// The circuit is half open: one call, and its outcome decides.
  void allow_trial_only() { trial_ = true; }

  /// `anchor_id`: the parent's id in the target, where a lookup needs it.
  void add(core::ledger_row row, std::string anchor_id);
  /// Moves whatever can move.
  void pump();
  void take(const messages::calls_answered& told);
  void go_on();
  /// The trial, where it was given one and made no call of it, is somebody else's.
  void give_back_trial();

  /// Nothing new leaves, and nobody is told anything any more.
  void end();
  /// It has ended and none of its calls is out.
  [[nodiscard]] bool over() const noexcept { return ended_ && out_.empty(); }

  /// Which verification made the call.
  [[nodiscard]] static std::uint64_t number_of(core::call_id id) noexcept { return id.value >> 32U; }

private:
  struct lookup {
    core::ledger_row row;
    order next;
  };

  [[nodiscard]] std::size_t room() const noexcept;
  void ask_for_budget();
  void on_budget(const messages::budget_granted& answer);
  void ask_for_token();
  void on_token(messages::token_told& answer);
  void place();
  void take_one(const core::call_answer& answer);
  void settle(lookup done, core::outcome said);
  void again(lookup unmade);
  void renew_token(lookup refused);
  void block_connection(const core::outcome& said);
  void rest_until(core::timestamp at);
  void return_grants();
  void report_signals();

  parts with_;
  std::deque<lookup> waiting_;
  std::unordered_map<std::uint64_t, lookup> out_; ///< by the call's id
  std::uint64_t made_ = 0;
  std::int64_t granted_ = 0;
  bool budget_asked_ = false;
  bool token_asked_ = false;
  bool resting_ = false;
  bool ended_ = false;
  bool trial_ = false;
  bool judging_ = false; ///< the trial was answered, and what follows from it is not known yet
  std::string token_;
  std::string refused_token_;
  call_account account_;
};

} // namespace sluice::actors
