#pragma once

#include "core/decide.hpp"
#include "core/ledger.hpp"
#include "core/outcome.hpp"
#include "core/progress.hpp"
#include "core/time.hpp"
#include "providers/writer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::actors {

/// A record's place in the scan that read it.
struct stream_ticket {
  core::step_kind stream = core::step_kind::delta; ///< delta or backfill
  core::progress::ticket number = 0;
};

/// One record on its way to the target: what was decided, and what its next call needs.
///
///   decided --budget--> granted --intent (all but updates)--> out --answer--> booked
///                                                             ^---- next call (lookup, update after
///                                                             reactivation,
///                                                     new token, create after a look)
struct order {
  core::candidate about; ///< its payload is gone once projected
  core::step_kind step = core::step_kind::delta;
  core::operation op = core::operation::create; ///< of the next call
  std::string body;
  std::string anchor_id;               ///< the parent's id in the target, of a dependent rule's record
  std::string key;                     ///< idempotency key, where the writer honours one
  core::timestamp version{};           ///< the change signal of what is sent
  std::optional<stream_ticket> ticket; ///< scans only
  core::duration placed_at{};          ///< by the steady clock; zero: not out
  std::string token;                   ///< the access token its call was built with
  bool token_renewed = false;          ///< a refused token was renewed for it once
  std::int32_t settle_attempts = 0;
  bool needs_intent = false;     ///< an intent has to be durable before the call
  core::intent_batch_id batch{}; ///< … and is, in this batch
  core::timestamp made_at{};     ///< when its intent was made
  bool held_before = false;      ///< the target held the record when this was decided
  bool settles = false;          ///< it settles an intent whose outcome is unknown
  bool then_update = false;      ///< a reactivation that an update follows
  bool reactivated = false;      ///< it was that reactivation, and the row does not say so yet
  bool looks_first = false;      ///< a lookup; where it finds nothing its create follows, with …
  std::string body_of_create;    ///< … these bytes
};

/// The order's next call, as its writer is told of it; the views live as long as the order does.
[[nodiscard]] inline providers::write_order write_order_of(const order& order) {
  const auto& row = order.about.row;
  return {order.op, order.about.record.source_id, row ? std::string_view{row->remote_id} : std::string_view{},
          order.key, order.anchor_id};
}

} // namespace sluice::actors
