#include "sim/canary.hpp"

#include "storage/cursor.hpp"

#include <algorithm>
#include <limits>

namespace sluice::sim {

namespace m = messages;

namespace {

constexpr std::array<std::string_view, canary_count> names{
    "skips_the_intent",    "advances_early",       "ignores_the_fence", "drops_a_row",
    "forgets_a_block",     "forgets_the_window",   "sends_again",       "retries_at_once",
    "resets_the_attempts", "withdraws_the_living", "ignores_the_hold"};
static_assert(names.back() == "ignores_the_hold");

/// The element's message where it is a `Message`, to be changed in place.
template <class Message>
Message* as(caf::mailbox_element& element) {
  auto& content = element.content();
  return content.match_elements<Message>() ? static_cast<Message*>(content.get_mutable(0)) : nullptr;
}

/// The cursor is set to the newest time there is, whatever becomes of the batch.
void advance(const m::read_scan& ask, harness::world& world) {
  if (ask.step != core::step_kind::delta)
    return;
  core::cursor_advance to;
  to.delta = core::position{world.now(), {std::numeric_limits<std::int64_t>::max()}};
  static_cast<void>(storage::transact(world.db(), [&](storage::session& db) {
    return storage::move_cursor(db, ask.query.rule, to, world.now());
  }));
}

void take_for_failed(m::calls_answered& told) {
  for (auto& each : told.answers) {
    auto& answer = each.answer;
    if (answer.error != core::call_error::timed_out && answer.error != core::call_error::cut)
      continue;
    answer.error = core::call_error::none;
    answer.status = 503;
  }
}

void bury_the_living(core::scan_batch& batch, core::timestamp now) {
  for (auto& candidate : batch.candidates) {
    auto held = candidate.row && candidate.row->target == core::target_state::active;
    if (!held || candidate.record.is_tombstone())
      continue;
    candidate.record.deleted_at = now;
    candidate.record.reason = core::deletion_reason::source_event;
    return;
  }
}

} // namespace

std::string_view to_string(canary which) noexcept {
  return names[static_cast<std::size_t>(which)];
}

std::optional<canary> parse_canary(std::string_view text) noexcept {
  auto found = std::ranges::find(names, text);
  if (found == names.end())
    return std::nullopt;
  return static_cast<canary>(found - names.begin());
}

void cage::shape(harness::node_parts& parts) const {
  if (which_ == canary::ignores_the_fence)
    parts.fence.reset();
}

void cage::alter(caf::mailbox_element& element, harness::world& world) {
  if (auto* ask = as<m::record_intents>(element); ask && which_ == canary::skips_the_intent)
    ask->intents.clear();
  else if (auto* scan = as<m::read_scan>(element); scan && which_ == canary::advances_early)
    advance(*scan, world);
  else if (auto* outcomes = as<m::record_outcomes>(element))
    alter_outcomes(*outcomes, world.now());
  else if (auto* limited = as<m::connection_rate_limited>(element);
           limited && which_ == canary::forgets_a_block)
    limited->wait = core::duration{0};
  else if (auto* window = as<m::window_loaded>(element); window && which_ == canary::forgets_the_window)
    window->text.reset();
  else if (auto* told = as<m::calls_answered>(element); told && which_ == canary::sends_again)
    take_for_failed(*told);
  else if (auto* batch = as<core::scan_batch>(element); batch && which_ == canary::withdraws_the_living)
    bury_the_living(*batch, world.now());
  else if (auto* clearance = as<m::withdrawal_clearance>(element);
           clearance && which_ == canary::ignores_the_hold)
    *clearance = {false, std::numeric_limits<std::int64_t>::max()};
}

void cage::alter_outcomes(m::record_outcomes& ask, core::timestamp now) {
  using namespace std::chrono_literals;
  if (which_ == canary::drops_a_row && !ask.rows.empty() && ++seen_ % 20 == 0)
    ask.rows.pop_back();
  for (auto& row : ask.rows) {
    if (row.status != core::delivery_status::failed || !row.next_attempt_at || *row.next_attempt_at <= now)
      continue;
    if (which_ == canary::retries_at_once)
      row.next_attempt_at = now;
    if (which_ == canary::resets_the_attempts) {
      row.attempts = 1;
      row.next_attempt_at = now + 20s;
    }
  }
}

} // namespace sluice::sim
