#include "core/ledger_step.hpp"

#include "core/assertion.hpp"
#include "core/error_text.hpp"

#include <utility>

namespace sluice::core {

void assert_consistent(const ledger_row& row) noexcept {
  assert_that((row.target == target_state::absent) == row.remote_id.empty(),
              "a ledger row has a remote id exactly while the target holds its record");
  assert_that(may_wait(row.status) || !row.next_attempt_at,
              "only a failed, awaiting or held ledger row has a next attempt");
  assert_that(row.attempts >= 0 && row.create_generation >= 0 && row.row_version >= 0,
              "a ledger row counts from zero upwards");
  assert_that(row.error.size() <= ledger_error_bytes_max, "a ledger row's error text fits its column");
}

ledger_row next_row(const candidate& candidate) {
  ledger_row row;
  if (candidate.row) {
    assert_consistent(*candidate.row);
    assert_that(!candidate.row->trashed, "a trashed ledger row is not overwritten");
    row = *candidate.row;
  } else {
    row.source_id = candidate.record.source_id;
  }
  assert_that(!row.source_id.empty(), "a ledger row names its record");
  ++row.row_version;
  return row;
}

void look_at(ledger_row& row, const candidate& candidate, const booking& with) {
  row.seen_content_changed_at = candidate.record.content_changed_at;
  row.seen_revision = with.revision;
}

void conclude(ledger_row& row, delivery_status status, std::string error_class, std::string error) {
  row.status = status;
  row.next_attempt_at.reset();
  row.anchor_source_id.clear();
  row.error_class = std::move(error_class);
  row.error = error_text(std::move(error), ledger_error_bytes_max);
}

void decide_again(ledger_row& row, timestamp now, std::string error_class, std::string reason) {
  conclude(row, delivery_status::failed, std::move(error_class), std::move(reason));
  row.next_attempt_at = now;
}

} // namespace sluice::core
