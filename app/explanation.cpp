#include "app/explanation.hpp"

#include "core/filter.hpp"
#include "core/mapping.hpp"

namespace sluice::app {
namespace {

using core::to_rfc3339;

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

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
         + (facts.record->reason == core::deletion_reason::source_event
                ? " was deleted at the source at "
                : " left the mirror when its connection was disconnected at ")
         + to_rfc3339(*facts.record->deleted_at) + ".";
}

std::string error_of(const core::ledger_row& row) {
  return row.error_class.empty() ? row.error : row.error_class + ": " + row.error;
}

std::string retry_sentence(const core::ledger_row& row) {
  return row.next_attempt_at ? " It is tried again at " + to_rfc3339(*row.next_attempt_at) + "."
                             : " It has no time for another try: the next pass looks at it again.";
}

/// Why the row is where it is.
std::string status_sentence(const core::ledger_row& row) {
  using enum core::delivery_status;
  switch (row.status) {
  case delivered:
    return "It is delivered: the target acknowledged the write.";
  case suppressed:
    return "It is suppressed: there was nothing to send, because the target has this version or the rule "
           "only creates.";
  case withdrawn:
    return "It is withdrawn: its removal reached the target.";
  case failed:
    return "It failed after " + std::to_string(row.attempts)
           + (row.attempts == 1 ? " attempt (" : " attempts (") + error_of(row) + ")." + retry_sentence(row);
  case undeliverable:
    return "It is undeliverable: it was refused before the target was contacted (" + error_of(row)
           + "). It is looked at again when it changes or the rule does.";
  case held:
    return "It is held: its withdrawal waits behind the volume breaker.";
  case awaiting_anchor:
    return "It waits for its parent, which has no reference in the target yet.";
  case filtered:
    return "It is filtered: the rule's filter leaves it out. It is looked at again when it changes or the "
           "rule does.";
  case ambiguous:
    return "It is ambiguous: a create went out and nobody knows what became of it (" + error_of(row)
           + "). It is not sent again until that is settled.";
  case remote_gone:
    return "It is gone: the target said that the record does not exist there any more. It stays so until a "
           "person "
           "reopens it.";
  case exhausted:
    return "It is exhausted: the last of " + std::to_string(row.attempts) + " allowed attempts failed ("
           + error_of(row) + "). It stays so until a person reopens it.";
  }
  return "Its state is unknown.";
}

std::string target_sentence(const core::ledger_row& row) {
  if (row.target == core::target_state::absent) {
    return "As far as is known the target does not hold it.";
  }
  std::string out = "The target holds it as " + in_quotes(row.remote_id);
  out += row.target == core::target_state::inactive ? ", deactivated" : "";
  if (row.delivered_content_changed_at) {
    out += ", in the version of " + to_rfc3339(*row.delivered_content_changed_at);
  }
  return out + ".";
}

std::string intent_sentence(const core::intent& intent) {
  const std::string out =
      "A create of it was begun at " + to_rfc3339(intent.made_at) + " and its outcome is not recorded";
  return intent.settle_at
             ? out + "; it is settled at " + to_rfc3339(*intent.settle_at) + "."
             : out + ": the call is out, or a crash took its answer and the next run settles it.";
}

/// What keeps every record of the rule from moving, if anything does.
std::vector<std::string> closed_sentences(const explanation_facts& facts) {
  std::vector<std::string> out;
  if (facts.rule.direction == core::rule_direction::pull_in) {
    out.push_back("Rule " + facts.rule.name + " has the direction pull_in: it delivers nothing.");
  }
  if (!facts.rule.active) {
    out.push_back("Rule " + facts.rule.name + " is switched off: nothing moves until it is switched on.");
  }
  for (const auto* connection : {&facts.source, &facts.target}) {
    if (connection->status != core::connection_status::active) {
      out.push_back("Connection " + connection->name + " is "
                    + std::string{core::to_string(connection->status)}
                    + (connection->status_reason.empty() ? "" : " (" + connection->status_reason + ")")
                    + ": nothing moves until it is active.");
    }
  }
  return out;
}

std::string action_sentence(const verdict& next) {
  using enum core::action;
  switch (next.what) {
  case skip:
    return "Nothing is sent for it now.";
  case create:
    return "The next pass creates it in the target.";
  case update:
    return "The next pass updates it in the target.";
  case suppress:
    return "There is nothing to send: the target has what the rule would send.";
  case filter:
    return "The next pass leaves it out: the rule's filter does not let it through.";
  case refuse:
    return "The next pass refuses it" + (next.why.empty() ? std::string{"."} : ": " + next.why + ".");
  case await:
    return "The next pass leaves it waiting for its parent.";
  case withdraw:
    return "The next pass withdraws it from the target.";
  case reactivate:
    return "The next pass reactivates it in the target.";
  case hold:
    return "The next pass holds its withdrawal back.";
  }
  return "What happens next is unknown.";
}

void add_next(const explanation_facts& facts, std::vector<std::string>& out) {
  auto closed = closed_sentences(facts);
  if (!closed.empty()) {
    out.insert(out.end(), closed.begin(), closed.end());
    return;
  }
  if (facts.blocked_until) {
    out.push_back("Connection " + facts.target.name + " is throttled until "
                  + to_rfc3339(*facts.blocked_until) + ": the target asked to wait.");
  }
  if (!facts.cursor) {
    out.push_back("Rule " + facts.rule.name + " has not run yet.");
  }
  if (facts.intent) {
    out.emplace_back("What happened to the create is settled before anything else is sent for it.");
  } else if (const auto next = judge(facts)) {
    out.push_back(action_sentence(*next));
  }
}

void add_run(const explanation_facts& facts, std::vector<std::string>& out) {
  if (!facts.latest_run) {
    return;
  }
  const auto& run = *facts.latest_run;
  if (!run.ending) {
    out.push_back("A run of the rule has been working since " + to_rfc3339(run.started_at) + ".");
  } else if (*run.ending != core::run_ending::completed) {
    out.push_back("The rule's latest run ended " + std::string{core::to_string(*run.ending)}
                  + (run.ended_at ? " at " + to_rfc3339(*run.ended_at) : "")
                  + (run.reason.empty() ? "." : " (" + run.reason + ")."));
  }
}

} // namespace

std::optional<verdict> judge(const explanation_facts& facts) {
  if (!facts.record) {
    return std::nullopt;
  }
  verdict out;
  auto filter =
      facts.rule.filter.empty() ? std::nullopt : std::optional{core::filter::compile(facts.rule.filter)};
  auto mapping = core::mapping::compile(facts.rule.mapping);
  const bool due = facts.row && facts.row->next_attempt_at && *facts.row->next_attempt_at <= facts.now;
  core::decide_facts rule{.step = due ? core::step_kind::drain : core::step_kind::delta,
                          .updates = facts.rule.updates,
                          .deletes = facts.rule.deletes,
                          .revision = facts.rule.revision,
                          .filter_passes = {},
                          .projects = {}};
  if (filter && *filter) {
    rule.filter_passes = [&] { return (*filter)->passes(facts.record->payload).value_or(true); };
  }
  rule.projects = [&] {
    if (!mapping) {
      out.why = "the mapping cannot be read";
      return false;
    }
    std::string projection;
    const auto projected = mapping->project(*facts.record, projection);
    if (!projected) {
      out.why = projected.error().field + " " + projected.error().what;
    }
    return projected.has_value();
  };
  out.what = core::decide({*facts.record, facts.row}, rule, facts.now);
  return out;
}

std::vector<std::string> explain_record(const explanation_facts& facts) {
  std::vector<std::string> out{record_sentence(facts)};
  if (facts.row) {
    out.push_back(status_sentence(*facts.row));
    out.push_back(target_sentence(*facts.row));
  } else {
    out.push_back("Rule " + facts.rule.name + " has not recorded anything about it yet.");
  }
  if (facts.intent) {
    out.push_back(intent_sentence(*facts.intent));
  }
  add_next(facts, out);
  add_run(facts, out);
  return out;
}

} // namespace sluice::app
