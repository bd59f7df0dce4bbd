#pragma once

#include "core/ids.hpp"
#include "core/job_ending.hpp"
#include "core/ledger.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What a person asks of ledger rows that wait, one by name or many by a filter.
namespace sluice::core {

enum class row_act : std::uint8_t {
  retry,  ///< failed rows whose next attempt is still to come are due now; their attempts stay counted
  reopen, ///< terminal rows are due now, their attempts counted anew
};

[[nodiscard]] std::string_view to_string(row_act act) noexcept;
[[nodiscard]] std::optional<row_act> parse_row_act(std::string_view text) noexcept;

/// Whether the act is for rows of this status.
[[nodiscard]] constexpr bool knows(row_act act, delivery_status status) noexcept {
  return act == row_act::retry ? status == delivery_status::failed : is_terminal(status);
}

/// Why the act is not for this row now: the end of the sentence "record X …". Nothing: it is.
[[nodiscard]] std::optional<std::string> why_not(row_act act, const ledger_row& row, timestamp now);

/// Which of an act's rows.
struct row_choice {
  std::optional<delivery_status> status; ///< one the act knows; absent: all of them
  std::string error_class;               ///< empty: any
  std::optional<timestamp> from;         ///< inclusive: when the row was last written
  std::optional<timestamp> until;        ///< exclusive

  friend bool operator==(const row_choice&, const row_choice&) = default;
};

/// A job that is to begin.
struct job_start {
  rule_id rule{};
  row_act act = row_act::retry;
  row_choice which;
  std::string by;
};

/// An act on many rows, which the rule carries out in batches, in the order of their source ids. It meets no
/// row that was written after it began. At most one of a rule is live.
struct rule_job {
  std::int64_t id = 0;
  std::string public_id; ///< UUIDv7
  rule_id rule{};
  row_act act = row_act::retry;
  row_choice which;
  std::int64_t counted = 0; ///< rows it was for when it began
  std::int64_t done = 0;    ///< fewer than counted in the end, where rows fell due or changed meanwhile
  std::string position;     ///< the source id it has come to
  timestamp started_at{};
  std::string started_by;
  std::optional<timestamp> ended_at; ///< absent: live
  std::string ended_by;              ///< of a cancelled one
  std::optional<job_ending> ending;

  [[nodiscard]] bool live() const noexcept { return !ended_at; }
  friend bool operator==(const rule_job&, const rule_job&) = default;
};

/// What one batch came to.
struct job_step {
  std::optional<rule_job> job; ///< as it is now; none: the rule had no live one
  std::int64_t rows = 0;       ///< that are due because of the batch
};

/// Jobs of a rule, newest first.
struct job_page {
  rule_id rule{};
  std::int64_t before_id = 0; ///< the page before's last; 0 at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, row_choice& x) {
  return f(x.status, x.error_class, x.from, x.until);
}

template <class Inspector>
auto inspect(Inspector& f, job_start& x) {
  return f(x.rule, x.act, x.which, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, rule_job& x) {
  return f(x.id, x.public_id, x.rule, x.act, x.which, x.counted, x.done, x.position, x.started_at,
           x.started_by, x.ended_at, x.ended_by, x.ending);
}

template <class Inspector>
auto inspect(Inspector& f, job_step& x) {
  return f(x.job, x.rows);
}

template <class Inspector>
auto inspect(Inspector& f, job_page& x) {
  return f(x.rule, x.before_id, x.limit);
}

} // namespace sluice::core
