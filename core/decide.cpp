#include "core/decide.hpp"

#include <array>
#include <cstddef>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 4> step_words{"settle", "drain", "delta", "backfill"};
constexpr std::array<std::string_view, 10> action_words{
    "skip", "create", "update", "suppress", "filter", "refuse", "await", "withdraw", "reactivate", "hold"};
static_assert(step_words[static_cast<std::size_t>(step_kind::backfill)] == "backfill");
static_assert(action_words[static_cast<std::size_t>(action::hold)] == "hold");

[[nodiscard]] target_state target_of(const candidate& candidate) noexcept {
  return candidate.row ? candidate.row->target : target_state::absent;
}

/// The row stands in the way of its record, whatever the record looks like.
[[nodiscard]] bool row_blocks(const candidate& candidate, const decide_facts& facts, timestamp now) noexcept {
  const ledger_row& row = *candidate.row;
  if (row.trashed)
    return true;
  switch (row.status) {
  case delivery_status::ambiguous:
  case delivery_status::exhausted:
    return true;
  case delivery_status::remote_gone:
    // A dependent record went with its parent, and its next change may find the parent there again.
    return !facts.dependent || candidate.record.content_changed_at <= row.seen_content_changed_at;
  case delivery_status::held:
    return facts.hold_live;
  case delivery_status::failed:
    return row.next_attempt_at && *row.next_attempt_at > now;
  case delivery_status::delivered:
  case delivery_status::suppressed:
  case delivery_status::withdrawn:
  case delivery_status::undeliverable:
  case delivery_status::awaiting_anchor:
  case delivery_status::filtered:
    return false;
  }
  return true;
}

[[nodiscard]] action decide_tombstone(const candidate& candidate, const decide_facts& facts) noexcept {
  if (facts.deletes == delete_policy::ignore || candidate.record.reason != deletion_reason::source_event)
    return action::skip;
  if (target_of(candidate) == target_state::absent || candidate.row->status == delivery_status::withdrawn)
    return action::skip;
  return facts.hold_live || !facts.withdrawal_allowed ? action::hold : action::withdraw;
}

/// The same content under the same filter has been left out before: asking again could only repeat that.
[[nodiscard]] bool filtered_before(const candidate& candidate, const decide_facts& facts) noexcept {
  return candidate.row && candidate.row->status == delivery_status::filtered
         && candidate.record.content_changed_at <= candidate.row->seen_content_changed_at
         && facts.revision <= candidate.row->seen_revision;
}

[[nodiscard]] bool projects(const decide_facts& facts) {
  return !facts.projects || facts.projects();
}

/// Asked before the projection, which may need the anchor.
[[nodiscard]] bool lacks_anchor(const decide_facts& facts) noexcept {
  return facts.dependent && !facts.anchor_known;
}

[[nodiscard]] action decide_absent(const decide_facts& facts) {
  if (lacks_anchor(facts))
    return action::await;
  return projects(facts) ? action::create : action::refuse;
}

[[nodiscard]] action decide_active(const candidate& candidate, const decide_facts& facts) {
  if (facts.updates == update_mode::create_only)
    return action::suppress;
  // A reference without a version was linked: what the target holds under it is unknown.
  const auto& held_version = candidate.row->delivered_content_changed_at;
  const bool newer = !held_version || candidate.record.content_changed_at > *held_version;
  const bool resend = facts.resend && facts.step == step_kind::backfill;
  if (!newer && !resend)
    return action::suppress;
  return decide_update(facts);
}

/// What comes back after a deletion nobody heard of again is there or is not: its update tells.
[[nodiscard]] bool may_be_deleted(const candidate& candidate, const decide_facts& facts) noexcept {
  return facts.deletes == delete_policy::delete_record && candidate.row->status != delivery_status::withdrawn;
}

} // namespace

std::string_view to_string(step_kind kind) noexcept {
  const auto index = static_cast<std::size_t>(kind);
  return index < step_words.size() ? step_words[index] : std::string_view{"unknown"};
}

std::string_view to_string(action what) noexcept {
  const auto index = static_cast<std::size_t>(what);
  return index < action_words.size() ? action_words[index] : std::string_view{"unknown"};
}

action decide_update(const decide_facts& facts) {
  if (facts.anchor_needed && lacks_anchor(facts))
    return action::await;
  return projects(facts) ? action::update : action::refuse;
}

action decide(const candidate& candidate, const decide_facts& facts, timestamp now) {
  if (!candidate.record.id)
    return action::skip; // a ledger row outlives its record
  if (candidate.row && row_blocks(candidate, facts, now))
    return action::skip;
  if (candidate.record.is_tombstone())
    return decide_tombstone(candidate, facts);
  if (filtered_before(candidate, facts))
    return action::skip;
  if (facts.filter_passes && !facts.filter_passes())
    return action::filter;
  switch (target_of(candidate)) {
  case target_state::absent:
    return decide_absent(facts);
  case target_state::inactive:
    return may_be_deleted(candidate, facts) ? decide_update(facts) : action::reactivate;
  case target_state::active:
    return decide_active(candidate, facts);
  }
  return action::skip;
}

} // namespace sluice::core
