#include "storage/stop_columns.hpp"

namespace sluice::storage {

void stop_row::bind(query& rows) {
  rows.into(stop_.id).into(stop_.public_id).into(scope_).into(cause_);
  rows.into(stop_.target.connection).into(stop_.target.rule).into(stop_.target.subscription);
  rows.into(stop_.target.profile);
  rows.into(stop_.reason)
      .into(stop_.set_by)
      .into(stop_.set_at)
      .into(pending_)
      .into(finding_.known)
      .into(finding_.threshold);
  rows.into(stop_.ended_at).into(stop_.ended_by).into(resolution_).into(stop_.allowed_withdrawals);
  rows.into(stop_.allowance_consumed_at);
  subscription_.bind(rows);
  profile_.bind(rows);
}

std::optional<core::stopped_owner> stop_row::owner_columns::take() const {
  if (!public_id)
    return std::nullopt;
  return core::stopped_owner{*public_id, name.value_or(""), tenant.value_or("")};
}

core::delivery_stop stop_row::take() {
  stop_.target.scope = known(core::parse_stop_scope(scope_), "delivery_stops.scope");
  stop_.cause = known(core::parse_stop_cause(cause_), "delivery_stops.cause");
  stop_.resolution.reset();
  if (resolution_)
    stop_.resolution = known(core::parse_stop_resolution(*resolution_), "delivery_stops.resolution");
  stop_.finding.reset();
  if (pending_)
    stop_.finding = core::hold_finding{*pending_, finding_.known, finding_.threshold};
  stop_.subscription = subscription_.take();
  stop_.profile = profile_.take();
  return stop_;
}

std::vector<core::delivery_stop> stop_row::all(query& rows) {
  stop_row row;
  row.bind(rows);
  std::vector<core::delivery_stop> found;
  while (rows.next())
    found.push_back(row.take());
  return found;
}

std::optional<core::delivery_stop> stop_row::first(query& rows) {
  auto found = all(rows);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

} // namespace sluice::storage
