#pragma once

#include "core/ids.hpp"
#include "core/outcome.hpp"
#include "core/record.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// What the last look at a record came to. The table in docs/architecture.md says when each is offered again.
enum class delivery_status : std::uint8_t {
  delivered,       ///< the target acknowledged the write
  suppressed,      ///< nothing to send: the version is there already, or the rule only creates
  withdrawn,       ///< a removal reached the target
  failed,          ///< an attempt failed or was rejected; `next_attempt_at` says when the next is due
  undeliverable,   ///< refused here, before the target was contacted; `error` says why
  held,            ///< a withdrawal waits behind the volume breaker
  awaiting_anchor, ///< a dependent record whose parent has no reference in the target yet
  filtered,        ///< the rule's filter leaves it out
  ambiguous,       ///< a create went out and its outcome is unknown
  remote_gone,     ///< terminal: the target said the record no longer exists
  exhausted,       ///< terminal: the last allowed attempt failed
};

/// What the target holds of a record, as far as is known.
enum class target_state : std::uint8_t { absent, active, inactive };

[[nodiscard]] std::string_view to_string(delivery_status status) noexcept;
[[nodiscard]] std::optional<delivery_status> parse_delivery_status(std::string_view text) noexcept;
[[nodiscard]] std::string_view to_string(target_state state) noexcept;
[[nodiscard]] std::optional<target_state> parse_target_state(std::string_view text) noexcept;

/// Terminal rows are passed over however often their record changes (save a dependent rule's remote_gone).
[[nodiscard]] constexpr bool is_terminal(delivery_status status) noexcept {
  return status == delivery_status::remote_gone || status == delivery_status::exhausted;
}

/// The statuses a next attempt may be set in.
[[nodiscard]] constexpr bool may_wait(delivery_status status) noexcept {
  return status == delivery_status::failed || status == delivery_status::awaiting_anchor
         || status == delivery_status::held;
}

/// One row of the ledger: one source record under one rule.
///
/// Invariants: `remote_id` is empty exactly while `target` is absent; `next_attempt_at` is set only while the
/// row is failed, awaiting_anchor or held; `attempts` counts failures since the last success.
struct ledger_row {
  std::string source_id;
  delivery_status status = delivery_status::failed;
  target_state target = target_state::absent;
  std::string remote_id;
  std::optional<timestamp> delivered_content_changed_at; ///< the version the target holds
  timestamp seen_content_changed_at{};                   ///< the version last looked at
  std::int64_t seen_revision = 0;                        ///< the rule revision last looked at
  std::int32_t attempts = 0;
  std::optional<timestamp> next_attempt_at;
  std::string error_class;            ///< short stable word, empty after a success
  std::string error;                  ///< a sentence for people, at most `ledger_error_bytes_max` long
  std::int32_t create_generation = 0; ///< which creation of this record: part of the idempotency key; grows
                                      ///< by one whenever the target stops holding the record
  std::string anchor_source_id;       ///< the parent it waits for, set while it is awaiting_anchor
  bool trashed = false;               ///< soft-deleted: in the way, neither used nor overwritten
  std::int64_t row_version = 0;       ///< grows by one with every write; the compare-and-set of D5

  friend bool operator==(const ledger_row&, const ledger_row&) = default;
};

inline constexpr std::size_t ledger_error_bytes_max = 500;

template <class Inspector>
auto inspect(Inspector& f, ledger_row& x) {
  return f(x.source_id, x.status, x.target, x.remote_id, x.delivered_content_changed_at,
           x.seen_content_changed_at, x.seen_revision, x.attempts, x.next_attempt_at, x.error_class, x.error,
           x.create_generation, x.anchor_source_id, x.trashed, x.row_version);
}

/// A mirror record a step has read, with its ledger row if it has one.
struct candidate {
  mirror_record record;
  std::optional<ledger_row> row;
};

template <class Inspector>
auto inspect(Inspector& f, candidate& x) {
  return f(x.record, x.row);
}

/// So many looks at an unknown create are its rule's own, while they come close together; for those behind
/// them the reconciler asks the rule.
inline constexpr std::int32_t own_looks_at_create = 8;

/// A create that was about to be made (D1): committed before the first byte leaves, deleted with its outcome.
/// `settle_at` empty means the call is out, a crash took its answer, or only a person can settle it.
struct intent {
  record_id record{};
  std::string source_id;
  timestamp content_changed_at{}; ///< the version the body carries
  std::int32_t create_generation = 0;
  run_id run{};
  std::int64_t row_version = 0;     ///< of the ledger row before the call, 0 when there was none
  operation op = operation::create; ///< never an update or a lookup: to repeat those does no harm
  timestamp made_at{};
  std::string idempotency_key; ///< empty where the writer honours none; then no body is kept either
  std::string body;            ///< the bytes that were sent, kept sealed; a repeat sends exactly these
  std::optional<timestamp> settle_at;
  std::int32_t settle_attempts = 0;
};

template <class Inspector>
auto inspect(Inspector& f, intent& x) {
  return f(x.record, x.source_id, x.content_changed_at, x.create_generation, x.run, x.row_version, x.op,
           x.made_at, x.idempotency_key, x.settle_at, x.settle_attempts);
}

} // namespace sluice::core
