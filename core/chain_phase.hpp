#pragma once

#include <cstdint>

namespace sluice::core {

/// What a chain reads next. Finite work first, and delta always before backfill.
///
///   settle --read--> drain --empty chunk--> delta --pass through--> through
///                                             ^ |                      ^
///                                     woken   | | backfill open        | backfill read to its bound
///                                             | v                      |
///                                           backfill ------------------+
///
/// From anywhere after the drain, between two passes, the chain settles and drains again when rows or intents
/// fell due.
///
/// A delta pass between two backfill batches is made when a marker came since the pass before: markers are
/// left in the transaction of every mirror write, so without one a pass could find nothing.
class chain_phase {
public:
  enum class place : std::uint8_t { settle, drain, delta, backfill, through };

  [[nodiscard]] place at() const noexcept { return at_; }

  void settled() noexcept { at_ = place::drain; }
  void drained() noexcept { at_ = place::delta; }

  /// A delta pass has read all there is.
  void passed(bool woken, bool backfill_open) noexcept {
    at_ = woken ? place::delta : backfill_open ? place::backfill : place::through;
  }

  /// A backfill batch was read; `to_its_bound`: there is no more of it.
  void backfilled(bool woken, bool to_its_bound) noexcept {
    at_ = woken ? place::delta : to_its_bound ? place::through : place::backfill;
  }

  /// Rows or intents fell due behind the drain: they come before anything else.
  void due_again() noexcept { at_ = place::settle; }

  /// The backfill that was read ended or began anew: look at the cursor afresh.
  void start_over() noexcept { at_ = place::delta; }

private:
  place at_ = place::settle;
};

} // namespace sluice::core
