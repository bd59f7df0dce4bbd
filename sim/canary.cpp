#include "sim/canary.hpp"

#include "storage/cursor.hpp"

#include <algorithm>
#include <limits>

namespace sluice::sim {

namespace m = messages;

namespace {

constexpr std::array<std::string_view, canary_count> names{
    "skips_the_intent",    "advances_early",       "ignores_the_fence",  "drops_a_row",
    "forgets_a_block",     "forgets_the_window",   "sends_again",        "retries_at_once",
    "resets_the_attempts", "withdraws_the_living", "ignores_the_hold",   "forgets_the_stop",
    "resumes_at_start",    "ignores_the_anchor",   "forgets_the_parent", "loses_an_event",
    "stamps_anew",         "pushes_at_once",       "forgets_the_order",  "tells_again",
    "falls_back_in_doubt", "counts_duplicates",    "loses_a_callback"};
static_assert(names.back() == "loses_a_callback");

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

void stamp_anew(m::place_calls& ask) {
  constexpr std::string_view name = "webhook-timestamp: ";
  for (auto& call : ask.calls) {
    for (auto& line : call.request.headers) {
      if (line.starts_with(name))
        line = std::string{name} + std::to_string(std::stoll(line.substr(name.size())) - 1);
    }
  }
}

/// Every parent is known by the first object there was.
void know_all(m::anchors_read& answer, const std::vector<std::string>& parents) {
  for (const auto& parent : parents) {
    if (std::ranges::find(answer.anchors, parent, &core::anchor::source_id) == answer.anchors.end())
      answer.anchors.push_back({parent, "r-1"});
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
  else if (auto* stop = as<core::stop_in_force>(element); stop && which_ == canary::forgets_the_stop)
    stop->stop.target = {core::stop_scope::rule, {}, {}};
  else if (auto* stops = as<m::stops_listed>(element); stops && which_ == canary::resumes_at_start)
    stops->stops.clear();
  else if (auto* wanted = as<m::read_anchors>(element); wanted && which_ == canary::ignores_the_anchor)
    parents_ = wanted->source_ids;
  else if (auto* anchors = as<m::anchors_read>(element); anchors && which_ == canary::ignores_the_anchor)
    know_all(*anchors, parents_);
  else
    alter_events(element, world.now());
}

void cage::alter_events(caf::mailbox_element& element, core::timestamp now) {
  if (auto* calls = as<m::place_calls>(element); calls && which_ == canary::stamps_anew) {
    stamp_anew(*calls);
  } else if (auto* ended = as<m::record_attempt_ends>(element); ended && which_ == canary::pushes_at_once) {
    for (auto& each : ended->ended) {
      if (each.end.retry_at)
        each.end.retry_at = now;
    }
  } else if (auto* fan_out = as<m::record_fan_out>(element)) {
    auto& deliveries = fan_out->batch.deliveries;
    if (which_ == canary::loses_an_event && !deliveries.empty() && ++seen_ % 20 == 0)
      deliveries.pop_back();
    if (which_ == canary::forgets_the_order)
      std::ranges::for_each(deliveries, [](core::fanned_out& each) { each.ordering_key.reset(); });
  } else {
    alter_notifications(element, now);
  }
}

void cage::alter_notifications(caf::mailbox_element& element, core::timestamp now) {
  if (auto* submissions = as<m::record_submissions>(element)) {
    for (auto& each : submissions->ended) {
      auto& what = each.end.what;
      if (what.kind != core::submission_kind::ambiguous)
        continue;
      if (which_ == canary::tells_again) {
        what.kind = core::submission_kind::retryable;
        each.end.retry_at = now + std::chrono::seconds{20};
      } else if (which_ == canary::falls_back_in_doubt) {
        what.kind = core::submission_kind::rejected;
        what.cause = core::rejection_cause::provider;
      }
    }
  } else if (auto* told = as<m::record_reports>(element)) {
    for (auto& report : told->reports) {
      if (which_ == canary::counts_duplicates)
        report.body += ' ' + std::to_string(++seen_); // what has no id is known by its bytes
    }
    if (which_ == canary::loses_a_callback && !told->reports.empty() && ++seen_ % 20 == 0)
      told->reports.pop_back();
  }
}

void cage::alter_outcomes(m::record_outcomes& ask, core::timestamp now) {
  using namespace std::chrono_literals;
  if (which_ == canary::drops_a_row && !ask.rows.empty() && ++seen_ % 20 == 0)
    ask.rows.pop_back();
  for (auto& row : ask.rows) {
    if (which_ == canary::forgets_the_parent)
      row.anchor_source_id.clear();
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
