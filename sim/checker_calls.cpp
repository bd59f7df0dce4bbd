#include "sim/checker.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

/// The half of the checker that follows calls: what may be sent when, and what each answer means.
namespace sluice::sim {

using core::call_error;
using core::operation;

namespace {

bool writes_content(operation op) {
  return op == operation::create || op == operation::update;
}

std::string named(const record_call& call) {
  return std::string{to_string(call.op)} + " of " + call.source_id;
}

} // namespace

void checker::called(const record_call& call, moment at) {
  answers_until(at);
  auto& record = facts_of(call.rule, call.source_id);
  if (call.late) {
    if (call.done)
      check_effect(call, record);
    return;
  }
  auto settles = call.op == operation::create && record.unknown.has_value();
  check_begin(call, record, at);
  if (call.done)
    check_effect(call, record);
  auto due = at.steady + std::min(call.takes, settings_.call_timeout);
  coming_.emplace(due, coming_answer{call, at.wall, settles});
}

void checker::check_begin(const record_call& call, record_facts& record, moment at) {
  if (call.op == operation::lookup)
    return;
  auto* last = newest(call.source_id);
  if (last == nullptr || call.version > last->number)
    violated(1, named(call) + " carries what its source never wrote");
  if (call.op == operation::remove || call.op == operation::deactivate)
    check_withdrawal(call, record);
  if (call.op == operation::remove)
    record.removed = true;
  if (call.op == operation::create)
    check_create(call, record);
  check_parent(call);
  check_again(call, record, at);
}

/// P14. Under the same key it is the same creation, where the target keeps to that.
void checker::check_create(const record_call& call, record_facts& record) {
  if (!record.unknown)
    return;
  const auto& target = targets_[rules_.at(call.rule).target];
  auto same = target.honours_key && !call.key.empty() && call.key == record.unknown->key;
  if (!same)
    violated(14, named(call) + " is sent again while nobody knows what became of the one before");
}

/// P6. A dependent record goes after its parent, and under it.
void checker::check_parent(const record_call& call) {
  const auto& rule = rules_.at(call.rule);
  const auto& versions = versions_[call.source_id];
  auto version = std::ranges::find(versions, call.version, &source_version::number);
  if (!rule.parent || version == versions.end())
    return;
  if (call.op == operation::create && !facts_of(*rule.parent, version->parent).acknowledged)
    violated(6, named(call) + " is sent before the create of its parent " + version->parent
                    + " was acknowledged");
  if (!call.parent.empty() && call.parent != version->parent)
    violated(6, named(call) + " goes under " + call.parent + ", its parent is " + version->parent);
}

void checker::check_again(const record_call& call, record_facts& record, moment at) {
  if (record.uncertain)
    return;
  if (record.not_before && at.wall < record.not_before->wall && at.steady < record.not_before->steady)
    violated(10, named(call) + " is sent before its next attempt's time");
  if (record.failures > settings_.retry_waits.size())
    violated(10, named(call) + " is sent after its last attempt");
  auto repeats = record.repeats || resending_.contains(call.rule);
  if (writes_content(call.op) && call.version > 0 && call.version == record.told && !repeats)
    violated(5, named(call) + " sends version " + std::to_string(call.version)
                    + " again, which the target had acknowledged");
}

/// P7. The source said so after what the target holds was written.
void checker::check_withdrawal(const record_call& call, const record_facts& record) {
  auto floor = std::max(record.written, record.withdrawn);
  const auto& versions = versions_[call.source_id];
  auto tombstone = std::ranges::any_of(
      versions, [floor](const source_version& version) { return !version.live && version.number > floor; });
  if (!tombstone)
    violated(7, named(call) + " without its source having deleted it");
}

/// P7. Successes the rule was told within the breaker's window, against its limit and what people let go.
void checker::check_volume(const record_call& call, moment at) {
  auto& window = withdrawals_[call.rule];
  auto begin = at.steady - settings_.volume.window;
  window.told.emplace_back(at.steady, call.source_id);
  while (window.told.front().first <= begin)
    window.told.pop_front();
  while (window.releases.size() > 1 && window.releases.front().first <= begin) // the newest may not be spent
    window.releases.pop_front();
  auto allowed = withdrawals_allowed(window);
  if (std::ssize(window.told) > allowed)
    violated(7, named(call) + " is the withdrawal number " + std::to_string(window.told.size())
                    + " within the window, at most " + std::to_string(allowed) + " may be");
}

/// No rule's target ever held more records than there were.
std::int64_t checker::withdrawals_allowed(const withdrawal_window& window) const {
  auto share = std::ceil(settings_.volume.share * static_cast<double>(versions_.size()));
  auto allowed = std::max(settings_.volume.floor, static_cast<std::int64_t>(share));
  for (const auto& [when, released] : window.releases)
    allowed += released;
  return allowed;
}

void checker::check_effect(const record_call& call, record_facts& record) {
  auto& held = objects_[{rules_.at(call.rule).target, call.source_id}];
  switch (call.op) {
  case operation::create:
    if (held.contains(call.object) || forgotten_.contains({rules_.at(call.rule).target, call.object}))
      return;                               // the same creation again, which makes nothing
    if (!held.empty() && !record.said_gone) // a target that denies what it holds gets what it asks for
      violated(2, "a second object of " + call.source_id + ": " + call.object + " beside "
                      + held.begin()->first);
    held[call.object] = true;
    break;
  case operation::remove:
    held.erase(call.object);
    return;
  case operation::deactivate:
    held[call.object] = false;
    return;
  case operation::reactivate:
    held[call.object] = true;
    for (const auto& version : versions_[call.source_id]) {
      if (version.live)
        record.withdrawn = version.number;
    }
    return;
  default:
    break;
  }
  if (!writes_content(call.op))
    return;
  if (call.version < record.written)
    violated(6, named(call) + " writes version " + std::to_string(call.version) + " over version "
                    + std::to_string(record.written));
  record.written = call.version;
}

checker::result checker::result_of(const record_call& call) const {
  const auto& told = call.told;
  auto creates = call.op == operation::create;
  if (told.error != call_error::none) {
    if (call.op == operation::lookup)
      return result::waits;
    return creates && told.error != call_error::not_connected ? result::unknown : result::failed;
  }
  if (told.status == 401 || told.status == 429)
    return result::waits;
  if (call.op == operation::lookup) {
    if (told.status != 200 || call.names_more) // several are for a person
      return result::waits;
    return call.names_object ? result::found : result::not_found;
  }
  if (told.status >= 200 && told.status < 300)
    return creates && !call.names_object ? result::unknown : result::accepted;
  if (told.status == 404 && !creates)
    return call.op == operation::remove ? result::accepted : result::gone;
  auto unknown = told.status == 500 || told.status == 502 || told.status == 504;
  return creates && unknown ? result::unknown : result::failed;
}

void checker::answered(const coming_answer& answer, moment at) {
  const auto& call = answer.call;
  auto& record = facts_of(call.rule, call.source_id);
  record.answered_at = at.steady;
  auto came_to = result_of(call);
  auto reactivated = call.op == operation::reactivate && came_to == result::accepted;
  auto concluded_before = record.concluded_at;
  if (came_to != result::waits) {
    if (call.op == operation::reactivate && record.failures == 0) // asked again: its answer was lost
      record.failures = record.failures_before;
    record.failures_before = reactivated ? record.failures : 0;
    record.concluded_at = at.steady;
  }
  if (call.op == operation::lookup) {
    looked_up(record, came_to, answer.sent_at, at);
    return;
  }
  switch (came_to) {
  case result::accepted:
    if (call.op == operation::remove || call.op == operation::deactivate)
      check_volume(call, at);
    record.failures = 0;
    record.not_before.reset();
    record.unknown.reset();
    if (!reactivated) // which says nothing of the content that goes after it
      record.uncertain = record.repeats = false;
    if (writes_content(call.op)) {
      record.told = call.version;
      record.acknowledged = true;
      record.removed = false;
    }
    break;
  case result::failed: {
    auto refused = call.told.error == call_error::none && call.told.status < 500;
    if (answer.settles && !refused)
      break; // settling goes on, and costs no attempt
    if (!refused && may_settle(call, concluded_before, at)) {
      record.uncertain = true;
      break;
    }
    record.unknown.reset();
    failed(record, at);
    break;
  }
  case result::unknown:
    if (!record.unknown)
      record.unknown = unknown_create{at, call.key};
    record.not_before.reset();
    break;
  case result::gone:
    record.said_gone = true;
    // Its removal may have arrived, and its row begins anew; or it was refused, and it does not.
    if (record.removed)
      record.failures_before = std::exchange(record.failures, 0);
    break;
  default:
    break;
  }
}

/// An intent that was made before its rule lost what it knew is settled, though its create never left: the
/// first create after that may cost an attempt or none.
bool checker::may_settle(const record_call& call, core::duration concluded_before, moment at) const {
  constexpr core::duration first_chain_within = std::chrono::minutes{15};
  auto lost = lost_at_.find(call.rule);
  return call.op == operation::create && lost != lost_at_.end() && concluded_before <= lost->second
         && at.steady - lost->second <= first_chain_within;
}

/// A wait that has passed by either clock has passed: the wall clock may be set back after it.
void checker::failed(record_facts& record, moment at) {
  ++record.failures;
  record.not_before.reset();
  if (record.failures > settings_.retry_waits.size())
    return;
  auto wait = settings_.retry_waits[record.failures - 1];
  record.not_before = moment{at.steady + wait, at.wall + wait};
}

/// That nothing was found counts once what was sent can no longer arrive.
void checker::looked_up(record_facts& record, result came_to, core::timestamp sent_at, moment at) {
  if (came_to == result::found) {
    record.acknowledged = true;
    record.removed = false; // by a create whose own answer could not be read
  }
  if (!record.unknown)
    return;
  auto since = record.unknown->since;
  auto waited = std::max(at.steady - since.steady, sent_at - since.wall);
  if (came_to == result::found)
    record.failures = 0;
  if (came_to == result::found || (came_to == result::not_found && waited >= settings_.settle_after))
    record.unknown.reset();
}

} // namespace sluice::sim
