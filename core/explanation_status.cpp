#include "core/explanation_status.hpp"

namespace sluice::core {
namespace {

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

std::string error_of(const ledger_row& row) {
  return row.error_class.empty() ? row.error : row.error_class + ": " + row.error;
}

std::string attempts_of(const ledger_row& row) {
  return std::to_string(row.attempts) + (row.attempts == 1 ? " attempt" : " attempts");
}

std::string retry_sentence(const explanation_facts& facts) {
  const auto& at = facts.row->next_attempt_at;
  if (!at) {
    return " It has no time for another try: the next pass looks at it again.";
  }
  return *at <= facts.now ? " Another try has been due since " + to_rfc3339(*at) + "."
                          : " It is tried again at " + to_rfc3339(*at) + ".";
}

std::string suppressed_sentence(const explanation_facts& facts) {
  if (facts.rule.updates == update_mode::create_only && facts.row->target == target_state::active) {
    return "It is suppressed: the target has it, and the rule only creates.";
  }
  return "It is suppressed: there was nothing to send, because the target has this version.";
}

std::string held_sentence(const explanation_facts& facts) {
  const auto* hold = facts.hold();
  if (!hold) {
    return "It is held: its withdrawal waited behind the volume breaker. The hold has ended, so the next "
           "pass "
           "looks at it again.";
  }
  std::string out =
      "It is held: its withdrawal waits behind the volume breaker's hold of " + to_rfc3339(hold->set_at);
  if (const auto& found = hold->finding) {
    out += ", which found " + std::to_string(found->pending) + " withdrawals where "
           + std::to_string(found->threshold) + " may go (the target holds " + std::to_string(found->known)
           + " records)";
  }
  return out + ". A person releases or discards it.";
}

} // namespace

std::string record_sentence(const explanation_facts& facts) {
  const std::string name = "Record " + in_quotes(facts.source_id) + " of " + facts.rule.domain;
  if (!facts.record) {
    return name + " is not in the mirror of " + facts.source.name + ".";
  }
  if (!facts.record->is_tombstone()) {
    return name + " is in the mirror of " + facts.source.name + ", last changed at "
           + to_rfc3339(facts.record->content_changed_at) + ".";
  }
  return name
         + (facts.record->reason == deletion_reason::source_event
                ? " was deleted at the source at "
                : " left the mirror when its connection was disconnected at ")
         + to_rfc3339(*facts.record->deleted_at) + ".";
}

std::string status_sentence(const explanation_facts& facts) {
  using enum delivery_status;
  const auto& row = *facts.row;
  const auto since = " since " + to_rfc3339(facts.row_written_at);
  switch (row.status) {
  case delivered:
    return "It is delivered" + since + ": the target acknowledged the write.";
  case suppressed:
    return suppressed_sentence(facts);
  case withdrawn:
    return "It is withdrawn" + since + ": its removal reached the target.";
  case failed:
    return "It failed after " + attempts_of(row) + " (" + error_of(row) + ")." + retry_sentence(facts);
  case undeliverable:
    return "It is undeliverable: it was refused before the target was contacted (" + error_of(row)
           + "). It is looked at again when it changes or the rule does.";
  case held:
    return held_sentence(facts);
  case awaiting_anchor:
    return "It waits for its parent, which has no reference in the target yet.";
  case filtered:
    return "It is filtered: the rule's filter leaves it out. It is looked at again when it changes or the "
           "rule does.";
  case ambiguous:
    return "It is ambiguous" + since + ": a create went out and nobody knows what became of it ("
           + error_of(row) + "). It is not sent again until that is settled.";
  case remote_gone:
    return "It is gone" + since + ": the target said that the record does not exist there any more. "
           + (facts.rule.dependent() ? "It stays so until it changes or a person reopens it."
                                     : "It stays so until a person reopens it.");
  case exhausted:
    return "It is exhausted" + since + ": the last of " + attempts_of(row) + " failed (" + error_of(row)
           + "). It stays so until a person reopens it.";
  }
  return "Its state is unknown.";
}

std::string target_sentence(const ledger_row& row) {
  if (row.target == target_state::absent) {
    return "As far as is known the target does not hold it.";
  }
  std::string out = "The target holds it as " + in_quotes(row.remote_id);
  out += row.target == target_state::inactive ? ", deactivated" : "";
  if (row.delivered_content_changed_at) {
    out += ", in the version of " + to_rfc3339(*row.delivered_content_changed_at);
  }
  return out + ".";
}

std::string unseen_sentence(const explanation_facts& facts) {
  const std::string unseen = "Rule " + facts.rule.name + " has not recorded anything about it yet";
  if (!facts.record || !facts.cursor) {
    return unseen + ".";
  }
  const auto& cursor = *facts.cursor;
  const position here{facts.record->content_changed_at, facts.record->id};
  if (cursor.backfill_until && here.changed_at < *cursor.backfill_until && cursor.backfill < here) {
    return unseen + ": the backfill up to " + to_rfc3339(*cursor.backfill_until) + " has come to "
           + (cursor.backfill == position{} ? std::string{"nothing yet"}
                                            : to_rfc3339(cursor.backfill.changed_at))
           + " and reaches it later.";
  }
  if (here.changed_at < cursor.activated_at && !cursor.backfill_until) {
    return unseen + ": it was there before the rule was activated at " + to_rfc3339(cursor.activated_at)
           + ", and no backfill is in progress. It goes out once it changes, or with a backfill.";
  }
  return unseen + ".";
}

std::string intent_sentence(const intent& made) {
  const std::string out =
      "A create of it was begun at " + to_rfc3339(made.made_at) + " and its outcome is not recorded";
  return made.settle_at ? out + "; it is settled at " + to_rfc3339(*made.settle_at) + "."
                        : out + ": the call is out, or a crash took its answer and the next run settles it.";
}

std::string parent_sentence(const explanation_facts& facts) {
  const auto& parent = *facts.parent;
  if (parent.rule_name.empty()) {
    return "No rule delivers " + facts.rule.anchor_domain + " from " + facts.source.name + " to "
           + facts.target.name + ", so no parent of it can get there.";
  }
  if (parent.source_id.empty()) {
    return "It names no parent: its payload has nothing at " + facts.rule.anchor_pointer + ".";
  }
  const auto name = "Its parent " + in_quotes(parent.source_id) + " of " + facts.rule.anchor_domain;
  const auto by = " (rule " + parent.rule_name + ")";
  if (!parent.row) {
    return name
           + (!parent.in_mirror ? " is not in the mirror of " + facts.source.name
              : parent.deleted  ? " was deleted at the source"
                                : " has not been delivered")
           + by + (parent.rule_active ? "." : ", and that rule is switched off.");
  }
  if (parent.row->target != target_state::absent) {
    return name + " is in the target as " + in_quotes(parent.row->remote_id) + by + ".";
  }
  const auto error = error_of(*parent.row);
  return name + " is " + std::string{to_string(parent.row->status)} + by
         + (error.empty() ? "" : " (" + error + ")")
         + (is_terminal(parent.row->status) ? ": a person must reopen it first." : ".");
}

} // namespace sluice::core
