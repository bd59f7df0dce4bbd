#include "sim/checker.hpp"

#include <algorithm>
#include <ranges>

/// The half of the checker that looks at the ledger and the cursor.
namespace sluice::sim {

using core::delivery_status;
using core::target_state;

namespace {

/// Changes that share the time of a clock that was set back are told apart by microseconds.
constexpr core::duration ties_within = std::chrono::milliseconds{1};

std::string named(const core::candidate& record) {
  auto status = record.row ? std::string{to_string(record.row->status)} : std::string{"without a row"};
  return record.record.source_id + " (" + status + ")";
}

bool propagates(const rule_facts& rule) {
  return rule.deletes != core::delete_policy::ignore;
}

/// Nobody has decided about the record as it is, and nothing says that somebody will.
bool undecided(const core::candidate& about, const rule_facts& rule) {
  const auto& row = about.row;
  if (about.record.is_tombstone()) {
    if (!propagates(rule) || !row || row->target == target_state::absent
        || row->status == delivery_status::withdrawn)
      return false;
  } else if (!row) {
    return true;
  }
  switch (row->status) {
  case delivery_status::ambiguous:
  case delivery_status::held:
  case delivery_status::exhausted:
  case delivery_status::remote_gone:
    return false;
  case delivery_status::failed:
    return !row->next_attempt_at;
  default:
    return row->seen_content_changed_at < about.record.content_changed_at;
  }
}

} // namespace

void checker::observed(const observation& seen, moment at) {
  constexpr core::duration answered_within = std::chrono::minutes{1};
  answers_until(at);
  check_cursor(seen);
  auto resends = resending_.find(seen.rule);
  if (resends != resending_.end() && !seen.cursor.backfill_until
      && at.steady > resends->second + answered_within)
    resending_.erase(resends);
  for (const auto& record : seen.records)
    check_attempts(record, seen.rule);
}

void checker::check_cursor(const observation& seen) {
  const auto& rule = rules_.at(seen.rule);
  const auto& cursor = seen.cursor;
  if (auto found = cursors_.find(seen.rule); found != cursors_.end()) {
    const auto& before = found->second;
    if (cursor.delta < before.delta)
      violated(4, "the cursor of " + rule.name + " moved back");
    if (cursor.backfill_generation == before.backfill_generation && cursor.backfill < before.backfill
        && cursor.backfill_until)
      violated(4, "the backfill of " + rule.name + " moved back");
    check_backfill(seen, before);
  }
  cursors_[seen.rule] = cursor;
  for (const auto& about : seen.records) {
    // Where a clock was set back, changes share the time of the cursor; a pass begins with that time again.
    auto at = about.record.content_changed_at;
    auto passed = at >= cursor.activated_at && at < cursor.delta.changed_at;
    // What was written while a pass was under way may share its time but for a few µs, and lie behind it: the
    // next one begins where its marker says.
    auto comes_again =
        cursor.rescan_from && at >= *cursor.rescan_from && cursor.delta.changed_at - at < ties_within;
    if (passed && !comes_again && undecided(about, rule) && !late_.contains(about.record.source_id))
      violated(4,
               "the cursor of " + rule.name + " passed " + named(about) + ", about which nothing is decided");
  }
}

/// P5. The backfill that ended has been at every record that stayed inside its bound.
void checker::check_backfill(const observation& seen, const core::delivery_cursor& before) {
  auto same = seen.cursor.backfill_generation == before.backfill_generation;
  auto ended = before.backfill_until && same && !seen.cursor.backfill_until;
  if (!ended || aborted_.erase(seen.rule) > 0)
    return;
  for (const auto& about : seen.records) {
    auto inside = about.record.content_changed_at < *before.backfill_until;
    if (inside && !about.record.is_tombstone() && !about.row && !late_.contains(about.record.source_id))
      violated(5, "the backfill of " + rules_.at(seen.rule).name + " ended without " + named(about));
  }
}

/// P10. Only what the target was asked counts, and every answer at most once.
void checker::check_attempts(const core::candidate& record, core::rule_id rule) {
  if (!record.row)
    return;
  auto found = records_.find({rule, record.record.source_id});
  auto failures =
      found == records_.end() ? 0 : std::max(found->second.failures, found->second.failures_before);
  if (found != records_.end() && found->second.uncertain)
    return;
  if (static_cast<std::size_t>(record.row->attempts) > failures)
    violated(10, named(record) + " has " + std::to_string(record.row->attempts) + " attempts on its row, "
                     + std::to_string(failures) + " failed");
}

void checker::ended(const observation& seen, const std::vector<seen_object>& held) {
  const auto& rule = rules_.at(seen.rule);
  held_objects held_of;
  for (const auto& object : held)
    held_of[object.source_id].push_back(&object);
  for (const auto& record : seen.records) {
    held_of.try_emplace(record.record.source_id);
    if (rule.parent && record.record.content_changed_at < seen.cursor.activated_at)
      check_unasked(record, rule);
    else if (record.record.is_tombstone())
      check_tombstone(record, rule, held_of.at(record.record.source_id));
    else
      check_record(record, rule, held_of);
  }
}

/// P5. What a dependent rule found at its activation waits for its next change: nothing backfills it.
void checker::check_unasked(const core::candidate& record, const rule_facts& rule) {
  if (record.row)
    violated(5, rule.name + " looked at " + named(record) + ", which has not changed since its activation");
}

/// P1 and P3 of a live record: where it came to rest, and whether that is true.
void checker::check_record(const core::candidate& record, const rule_facts& rule,
                           const held_objects& held_of) {
  if (!record.row) {
    violated(1, rule.name + " has nothing about " + named(record));
    return;
  }
  const auto& facts = facts_of(rule.rule, record.record.source_id);
  const auto* last = newest(record.record.source_id);
  const auto& target = targets_[rule.target];
  const auto& held = held_of.at(record.record.source_id);
  auto left_out = [&](bool holds, const char* why) {
    if (!holds)
      violated(1, rule.name + " left out " + named(record) + ": " + why);
  };
  switch (record.row->status) {
  case delivery_status::delivered:
    check_held(record, facts, held, true);
    return;
  case delivery_status::suppressed:
    if (rule.updates == core::update_mode::overwrite)
      check_held(record, facts, held, true);
    return;
  case delivery_status::undeliverable:
    left_out(!last->complete, "its payload is complete");
    return;
  case delivery_status::filtered:
    left_out(rule.filtered && !last->passes, "it passes the filter");
    return;
  case delivery_status::awaiting_anchor:
    check_waits(record, rule, held_of);
    return;
  case delivery_status::ambiguous:
    left_out((!target.honours_key && !target.has_lookup) || held.size() > 1, "its create can be settled");
    return;
  case delivery_status::remote_gone:
    left_out(facts.said_gone, "the target never said it is gone");
    return;
  case delivery_status::exhausted:
    left_out(facts.uncertain || facts.failures > settings_.retry_waits.size(), "it has attempts left");
    return;
  default:
    violated(1, rule.name + " never came to rest about " + named(record));
  }
}

/// P1 of a dependent record: its parent is not there, as far as its rule can know.
void checker::check_waits(const core::candidate& record, const rule_facts& rule,
                          const held_objects& held_of) {
  const auto& parent = newest(record.record.source_id)->parent;
  auto found = held_of.find(parent);
  auto there = found != held_of.end() && !found->second.empty();
  if (!rule.parent) {
    violated(1, rule.name + " lets " + named(record) + " wait for a parent it has not");
    return;
  }
  const auto& facts = facts_of(*rule.parent, parent);
  if (there && !facts.said_gone && !facts.uncertain && !facts.unknown)
    violated(1, rule.name + " lets " + named(record) + " wait for " + parent + ", which the target holds");
}

void checker::check_held(const core::candidate& record, const record_facts& facts,
                         const std::vector<const seen_object*>& held, bool active) {
  if (facts.forgotten)
    return;
  const auto& row = *record.row;
  auto found = std::ranges::find(held, row.remote_id, &seen_object::id);
  if (found == held.end()) {
    violated(3, "the ledger says that the target holds " + named(record) + ", and it does not");
    return;
  }
  const auto* last = newest(record.record.source_id);
  if ((*found)->version != last->number || (*found)->active != active)
    violated(3, "the target holds version " + std::to_string((*found)->version) + " of " + named(record)
                    + ", the source has version " + std::to_string(last->number));
}

/// A record its source deleted: the target holds it no more, or somebody can see why it does.
void checker::check_tombstone(const core::candidate& record, const rule_facts& rule,
                              const std::vector<const seen_object*>& held) {
  const auto& facts = facts_of(rule.rule, record.record.source_id);
  if (!record.row || record.row->target == target_state::absent) {
    auto excused =
        facts.forgotten || facts.said_gone || facts.uncertain
        || (record.row
            && (record.row->status == delivery_status::ambiguous || core::is_terminal(record.row->status)));
    if (!held.empty() && !excused)
      violated(3, "the target holds " + named(record) + ", of which the ledger says that it does not");
    return;
  }
  if (!propagates(rule))
    return;
  switch (record.row->status) {
  case delivery_status::remote_gone:
  case delivery_status::exhausted:
  case delivery_status::ambiguous:
  case delivery_status::held:
    return;
  default:
    break;
  }
  // What the target denied once may be there beside what was made for it again.
  auto still_active = !facts.said_gone && std::ranges::any_of(held, &seen_object::active);
  if (record.row->target != target_state::inactive || still_active)
    violated(1, rule.name + " never withdrew " + named(record));
}

} // namespace sluice::sim
