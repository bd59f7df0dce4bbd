#include "core/explanation.hpp"

#include "core/explanation_status.hpp"
#include "core/filter.hpp"
#include "core/mapping.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

std::string action_sentence(const foreseen& next) {
  using enum action;
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

std::string stop_sentence(const explanation_facts& facts, const delivery_stop& stop) {
  std::string what = "All delivery";
  if (stop.target.scope == stop_scope::connection) {
    what = "Delivery into " + facts.target.name;
  } else if (stop.target.scope == stop_scope::rule) {
    what = "Rule " + facts.rule.name;
  }
  return what + " has been stopped since " + to_rfc3339(stop.set_at)
         + (stop.set_by.empty() ? "" : " by " + stop.set_by)
         + (stop.reason.empty() ? "" : " (" + stop.reason + ")") + ": nothing moves until it is resumed.";
}

std::string connection_sentence(const connection& of) {
  return "Connection " + of.name + " is "
         + (of.status == connection_status::error ? std::string{"in error"}
                                                  : std::string{to_string(of.status)})
         + (of.status_reason.empty() ? "" : " (" + of.status_reason + ")")
         + ": nothing moves until it is active.";
}

void add_next(const explanation_facts& facts, std::vector<std::string>& out) {
  auto closed = closed_sentences(facts);
  if (!closed.empty()) {
    std::ranges::move(closed, std::back_inserter(out));
    return;
  }
  if (facts.blocked_until) {
    out.push_back("Connection " + facts.target.name + " is throttled until "
                  + to_rfc3339(*facts.blocked_until) + ": the target asked to wait.");
  }
  if (!facts.cursor) {
    out.push_back("Rule " + facts.rule.name + " has not run yet.");
  }
  if (facts.made) {
    out.emplace_back("What happened to the create is settled before anything else is sent for it.");
  } else if (const auto next = foresee(facts)) {
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
  } else if (*run.ending == run_ending::breaker_open) {
    out.push_back("The circuit of connection " + facts.target.name + " was open"
                  + (run.ended_at ? " at " + to_rfc3339(*run.ended_at) : "")
                  + ", after too many failures in a row: one trial call decides when delivery goes on.");
  } else if (*run.ending != run_ending::completed) {
    out.push_back("The rule's latest run ended " + std::string{to_string(*run.ending)}
                  + (run.ended_at ? " at " + to_rfc3339(*run.ended_at) : "")
                  + (run.reason.empty() ? "." : " (" + run.reason + ")."));
  }
}

/// The parent matters while the record waits for it or would wait next.
bool waits_for_parent(const explanation_facts& facts) {
  const bool waits = facts.row && facts.row->status == delivery_status::awaiting_anchor;
  const auto next = foresee(facts);
  return facts.parent && (waits || (next && next->what == action::await));
}

} // namespace

const delivery_stop* explanation_facts::hold() const noexcept {
  const auto found = std::ranges::find(stops, stop_cause::volume_breaker, &delivery_stop::cause);
  return found == stops.end() ? nullptr : &*found;
}

std::vector<std::string> closed_sentences(const explanation_facts& facts) {
  std::vector<std::string> out;
  for (const auto& stop : facts.stops) {
    if (stop.cause == stop_cause::manual) {
      out.push_back(stop_sentence(facts, stop));
    }
  }
  if (facts.rule.direction == rule_direction::pull_in) {
    out.push_back("Rule " + facts.rule.name + " has the direction pull_in: it delivers nothing.");
  }
  if (!facts.rule.active) {
    out.push_back("Rule " + facts.rule.name + " is switched off: nothing moves until it is switched on.");
  }
  for (const auto* connection : {&facts.source, &facts.target}) {
    if (connection->status != connection_status::active) {
      out.push_back(connection_sentence(*connection));
    }
  }
  return out;
}

std::optional<foreseen> foresee(const explanation_facts& facts) {
  if (!facts.record) {
    return std::nullopt;
  }
  foreseen out;
  auto filter =
      facts.rule.filter.empty() ? std::nullopt : std::optional{core::filter::compile(facts.rule.filter)};
  auto mapping = core::mapping::compile(facts.rule.mapping);
  const bool due = facts.row && facts.row->next_attempt_at && *facts.row->next_attempt_at <= facts.now;
  decide_facts rule;
  rule.step = due ? step_kind::drain : step_kind::delta;
  rule.updates = facts.rule.updates;
  rule.deletes = facts.rule.deletes;
  rule.revision = facts.rule.revision;
  rule.dependent = facts.rule.dependent();
  const bool known = facts.parent && facts.parent->row && facts.parent->row->target != target_state::absent;
  const auto anchor = known ? facts.parent->row->remote_id : std::string{};
  rule.anchor_known = known;
  rule.anchor_needed = mapping && !mapping->anchors().empty();
  rule.hold_live = facts.hold() != nullptr;
  if (filter && *filter) {
    rule.filter_passes = [&] { return (*filter)->passes(facts.record->payload).value_or(true); };
  }
  rule.projects = [&] {
    if (!mapping) {
      out.why = "the mapping cannot be read";
      return false;
    }
    std::string projection;
    const auto projected = mapping->project(*facts.record, projection, anchor);
    if (!projected) {
      out.why = projected.error().field + " " + projected.error().what;
    }
    return projected.has_value();
  };
  out.what = decide({*facts.record, facts.row}, rule, facts.now);
  return out;
}

std::vector<std::string> explain_record(const explanation_facts& facts) {
  std::vector<std::string> out{record_sentence(facts)};
  if (facts.row) {
    out.push_back(status_sentence(facts));
    out.push_back(target_sentence(*facts.row));
  } else {
    out.push_back(unseen_sentence(facts));
  }
  if (waits_for_parent(facts)) {
    out.push_back(parent_sentence(facts));
  }
  if (facts.made) {
    out.push_back(intent_sentence(*facts.made));
  }
  add_next(facts, out);
  add_run(facts, out);
  return out;
}

} // namespace sluice::core
