#include "actors/callback_intake.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <ranges>

// Genuine callbacks on their way into the ledger.

namespace sluice::actors {

namespace m = messages;
using core::callback_outcome;

namespace {

constexpr std::size_t batch_bytes_max = 4U << 20; ///< one body may be larger

/// Whether the database refused what it was given, so that another batch may fare better.
bool is_of_the_batch(const caf::error& error) {
  const auto why = fault_of(error);
  return why == m::fault::database_refused || why == m::fault::refused || why == m::fault::not_found;
}

} // namespace

/// One batch at a time: two in one transaction could wait for those of another node.
void callback_intake_state::record_next() {
  if (recording_)
    return;
  auto batch = next_batch();
  if (batch.empty())
    return;
  recording_ = true;
  m::record_reports ask;
  for (const auto which : batch) {
    auto& taken = *find(which);
    taken.out = true;
    ask.reports.push_back(taken.report);
  }
  auto recorded = [this, batch](const core::reports_appended& made) { on_recorded(batch, made); };
  auto failed = [this, batch](const caf::error& error) { on_not_recorded(batch, error); };
  m::request(self_, resources_.recorder, resources_.node->settings->actors.request_timeout, std::move(ask),
             std::move(recorded), std::move(failed));
}

/// Those that were answered meanwhile are gone: their provider sends them again.
std::vector<callback_intake_state::number> callback_intake_state::next_batch() {
  std::vector<number> batch;
  std::size_t bytes = 0;
  const auto most = static_cast<std::size_t>(settings().batch_max);
  while (!to_record_.empty() && batch.size() < most) {
    const auto which = to_record_.front();
    const auto* taken = find(which);
    if (taken != nullptr && !batch.empty() && (taken->alone || bytes + taken->bytes > batch_bytes_max))
      break;
    to_record_.pop_front();
    if (taken == nullptr)
      continue;
    batch.push_back(which);
    bytes += taken->bytes;
    if (taken->alone)
      break;
  }
  return batch;
}

void callback_intake_state::on_recorded(const std::vector<number>& batch,
                                        const core::reports_appended& made) {
  recording_ = false;
  auto& events = resources_.node->metrics->provider_events;
  const auto fresh = made.events - made.duplicates;
  events(core::event_progress::pending).add(fresh);
  events(core::event_progress::duplicate).add(made.duplicates);
  for (const auto which : batch) {
    auto& taken = *find(which);
    taken.out = false;
    if (!taken.confirm_url.empty())
      confirm(taken.asked.profile, taken.confirm_url);
    answer(which, {callback_outcome::recorded, std::nullopt});
  }
  if (fresh > 0)
    on_events_appended();
  record_next();
}

/// One that cannot be recorded must not cost the others theirs.
void callback_intake_state::on_not_recorded(const std::vector<number>& batch, const caf::error& error) {
  recording_ = false;
  const auto parts = batch.size() > 1 && is_of_the_batch(error);
  if (!parts)
    telemetry::log(telemetry::event::callbacks_not_recorded, name,
                   {{"callbacks", std::to_string(batch.size())}, {"reason", describe(error)}});
  for (const auto which : batch | std::views::reverse) {
    auto& taken = *find(which);
    taken.out = false;
    if (parts && !taken.answered) {
      taken.alone = true;
      to_record_.push_front(which);
    } else {
      answer(which, {callback_outcome::unrecorded, std::nullopt});
    }
  }
  record_next();
}

} // namespace sluice::actors
