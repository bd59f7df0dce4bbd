#include "actors/recorder_callbacks.hpp"

#include "actors/act_audit.hpp"
#include "storage/callback_refusals.hpp"
#include "storage/provider_events.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

std::size_t rows(std::int64_t limit) {
  return static_cast<std::size_t>(std::max<std::int64_t>(limit, 1));
}

} // namespace

std::size_t rows_of(const m::record_reports& ask) {
  std::size_t rows = ask.reports.size();
  for (const auto& each : ask.reports)
    rows += each.events.size();
  return rows;
}

std::size_t rows_of(const m::record_refusals& ask) {
  return ask.refused.size();
}

std::size_t rows_of(const m::project_events& ask) {
  return rows(ask.limit);
}

std::size_t rows_of(const m::rebuild_batch& ask) {
  return rows(ask.limit);
}

std::size_t rows_of(const m::prune_reports& ask) {
  return rows(ask.limit);
}

result<core::reports_appended> perform(storage::session& db, const write_context& with,
                                       const m::record_reports& ask) {
  return storage::append_reports(db, ask.reports, with.keys);
}

result<caf::unit_t> perform(storage::session& db, const write_context&, const m::record_refusals& ask) {
  if (auto added = storage::add_callback_refusals(db, ask.refused, ask.limits); !added)
    return std::unexpected{added.error()};
  return caf::unit;
}

/// Projected and brought about are one: whoever dies between them has done neither.
result<core::events_projected> perform(storage::session& db, const write_context& with,
                                       const m::project_events& ask) {
  auto projected = storage::project_events(db, ask.limit, ask.schedule, with.now);
  if (!projected)
    return projected;
  if (auto done = with.effects(db, *projected, with.now); !done)
    return std::unexpected{done.error()};
  return projected;
}

result<core::projections_rebuilt> perform(storage::session& db, const write_context& with,
                                          const m::rebuild_batch& ask) {
  auto rebuilt = storage::rebuild_projections(db, ask.after, ask.limit, with.now);
  return ask.after ? rebuilt
                   : audited(db, std::move(rebuilt), {ask.by, "replay_callbacks", {}, {}}, with.now);
}

result<m::rows_removed> perform(storage::session& db, const write_context&, const m::prune_reports& ask) {
  auto removed = storage::prune_reports(db, ask.until, ask.limit);
  if (!removed)
    return std::unexpected{removed.error()};
  return m::rows_removed{*removed};
}

} // namespace sluice::actors
