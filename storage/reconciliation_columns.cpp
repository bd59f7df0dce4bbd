#include "storage/reconciliation_columns.hpp"

namespace sluice::storage {

void reconciliation_columns_target::bind(query& rows) {
  rows.into(kind_).into(item_.key.subject).into(item_.profile).into(item_.since).into(item_.looks);
  rows.into(item_.last_look).into(item_.next_look).into(verdict_).into(item_.needs_person);
  rows.into(item_.notification).into(item_.number);
}

bool reconciliation_columns_target::take() {
  if (kind_.empty())
    return false;
  item_.key.kind = known(core::parse_reconciliation_target(kind_), "reconciliation_targets.kind");
  item_.verdict.reset();
  if (verdict_)
    item_.verdict = known(core::parse_reconciliation_verdict(*verdict_), "reconciliation_targets.verdict");
  return true;
}

} // namespace sluice::storage
