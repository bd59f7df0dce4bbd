#include "core/rule_job.hpp"

namespace sluice::core {

namespace {

std::string is(delivery_status status) {
  return "is " + std::string{to_string(status)};
}

} // namespace

std::optional<std::string> why_not(row_act act, const ledger_row& row, timestamp now) {
  if (row.trashed)
    return "has a ledger row that is trashed";
  if (act == row_act::reopen) {
    if (is_terminal(row.status))
      return std::nullopt;
    return is(row.status) + ": only what is remote_gone or exhausted is reopened";
  }
  if (is_terminal(row.status))
    return is(row.status) + ": it is reopened, not retried";
  if (row.status != delivery_status::failed)
    return is(row.status) + ": only what is failed and waits for its next attempt is retried";
  if (!row.next_attempt_at)
    return "has failed and waits for no time: the next scan looks at it";
  if (*row.next_attempt_at <= now)
    return "is due already";
  return std::nullopt;
}

} // namespace sluice::core
