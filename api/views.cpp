#include "api/views.hpp"

#include "api/job_course.hpp"

namespace sluice::api {

namespace {

json or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json(nullptr);
}

json finding_view(const core::hold_finding& finding) {
  return {{"pending", finding.pending}, {"known", finding.known}, {"threshold", finding.threshold}};
}

} // namespace

std::string state_text(const core::connection_life& one) {
  if (one.purging_since)
    return "being purged";
  return one.disconnected_at ? "disconnected" : std::string{core::to_string(one.connection.status)};
}

json time_view(const std::optional<core::timestamp>& time) {
  return time ? json(core::to_rfc3339(*time)) : json(nullptr);
}

json ledger_view(const core::ledger_row& row) {
  return {{"source_id", row.source_id},
          {"status", core::to_string(row.status)},
          {"target_state", core::to_string(row.target)},
          {"remote_id", row.remote_id},
          {"delivered_content_changed_at", time_view(row.delivered_content_changed_at)},
          {"seen_content_changed_at", time_view(row.seen_content_changed_at)},
          {"seen_revision", row.seen_revision},
          {"attempts", row.attempts},
          {"next_attempt_at", time_view(row.next_attempt_at)},
          {"error_class", row.error_class},
          {"error", row.error},
          {"anchor_source_id", or_null(row.anchor_source_id)}};
}

json ledger_view(const core::listed_ledger_row& row) {
  auto view = ledger_view(row.row);
  view["updated_at"] = time_view(row.updated_at);
  return view;
}

json run_view(const core::listed_run& run) {
  const auto& counts = run.counts;
  return {{"id", run.public_id},
          {"rule", run.rule_name},
          {"state", run.ending ? core::to_string(*run.ending) : "running"},
          {"reason", run.reason},
          {"started_at", time_view(run.started_at)},
          {"ended_at", time_view(run.ended_at)},
          {"counts",
           {{"examined", counts.examined},
            {"created", counts.created},
            {"updated", counts.updated},
            {"withdrawn", counts.withdrawn},
            {"reactivated", counts.reactivated},
            {"suppressed", counts.suppressed},
            {"filtered", counts.filtered},
            {"refused", counts.refused},
            {"failed", counts.failed},
            {"ambiguous", counts.ambiguous},
            {"skipped", counts.skipped}}}};
}

json explanation_view(const core::explanation_facts& facts) {
  const auto next = core::foresee(facts);
  json view{{"rule", facts.rule.name}, {"source_id", facts.source_id}, {"record", nullptr}};
  if (facts.record) {
    view["record"] = {{"content_changed_at", time_view(facts.record->content_changed_at)},
                      {"deleted", facts.record->is_tombstone()}};
  }
  view["ledger"] = facts.row ? ledger_view(*facts.row) : json(nullptr);
  view["create_unsettled"] = facts.made.has_value();
  view["next"] = next ? json(core::to_string(next->what)) : json(nullptr);
  view["sentences"] = core::explain_record(facts);
  return view;
}

json ambiguous_view(const core::ambiguous_row& row) {
  auto view = ledger_view(row.row);
  view["since"] = time_view(row.since);
  view["create_begun_at"] = row.made ? time_view(row.made->made_at) : json(nullptr);
  return view;
}

json job_view(const core::rule_job& job) {
  const auto& which = job.which;
  json view{{"id", job.public_id},
            {"act", core::to_string(job.act)},
            {"status", which.status ? json(core::to_string(*which.status)) : json(nullptr)},
            {"error_class", or_null(which.error_class)},
            {"from", time_view(which.from)},
            {"until", time_view(which.until)}};
  add_course(view, job);
  return view;
}

json plan_view(const core::delivery_plan& plan) {
  const auto& counts = plan.counts;
  return {{"phase", core::to_string(plan.phase)},
          {"reason", or_null(plan.reason)},
          {"began_at", time_view(plan.began_at)},
          {"ended_at", time_view(plan.ended_at)},
          {"examined", plan.examined},
          {"counts",
           {{"create", counts.creates},
            {"update", counts.updates},
            {"withdraw", counts.withdrawals},
            {"reactivate", counts.reactivations},
            {"suppress", counts.suppressed},
            {"filter", counts.filtered},
            {"refuse", counts.refused},
            {"hold", counts.held},
            {"await", counts.awaiting},
            {"skip", counts.skipped}}},
          {"trips_hold", plan.trips ? finding_view(*plan.trips) : json(nullptr)}};
}

json verification_view(const core::verification& found) {
  const auto& counts = found.counts;
  auto examples = json::array();
  for (const auto& one : found.examples)
    examples.push_back({{"finding", core::to_string(one.compared.finding)},
                        {"source_id", one.source_id},
                        {"status", core::to_string(one.status)},
                        {"target_state", core::to_string(one.target)},
                        {"ledger_id", or_null(one.ledger_id)},
                        {"target_id", or_null(one.compared.target_id)},
                        {"error_class", or_null(one.compared.error_class)},
                        {"error", or_null(one.compared.error)}});
  return {{"phase", core::to_string(found.phase)},
          {"reason", or_null(found.reason)},
          {"began_at", time_view(found.began_at)},
          {"ended_at", time_view(found.ended_at)},
          {"sample", found.sample ? json(*found.sample) : json(nullptr)},
          {"total", found.total},
          {"examined", found.examined},
          {"waits_until", time_view(found.waits_until)},
          {"rule_changed", found.rule_changed},
          {"rule_switched_off", found.rule_switched_off},
          {"drifted", counts.drifted()},
          {"counts",
           {{"agrees", counts.agrees},
            {"missing", counts.missing},
            {"other_id", counts.other_id},
            {"several", counts.several},
            {"present_though_absent", counts.present_though_absent},
            {"unknown", counts.unknown},
            {"changed_meanwhile", counts.changed_meanwhile}}},
          {"examples", std::move(examples)}};
}

json preview_view(const core::backfill_preview& preview) {
  return {{"until", time_view(preview.until)},
          {"records", preview.records},
          {"creates", preview.creates},
          {"updates", preview.updates}};
}

json progress_view(const core::backfill_progress& progress) {
  return {{"until", time_view(progress.until)}, {"passed", progress.passed}, {"total", progress.total}};
}

json confirmation_view(const core::backfill_confirmation& confirmation) {
  return {
      {"until", time_view(confirmation.until)},    {"records", confirmation.records},
      {"creates", confirmation.creates},           {"resend", confirmation.resend},
      {"confirmed_by", confirmation.confirmed_by}, {"confirmed_at", time_view(confirmation.confirmed_at)}};
}

json connection_view(const core::connection_life& one, core::duration grace_period) {
  const auto& connection = one.connection;
  const auto purged_from =
      one.disconnected_at ? std::optional{*one.disconnected_at + grace_period} : std::nullopt;
  return {{"name", connection.name},
          {"id", connection.public_id},
          {"tenant", connection.tenant},
          {"tenant_id", one.tenant_public_id},
          {"driver", connection.driver},
          {"host", core::host_of(connection.settings)},
          {"state", state_text(one)},
          {"reason", connection.status_reason},
          {"updated_at", time_view(one.updated_at)},
          {"disconnected_at", time_view(one.disconnected_at)},
          {"purged_from", time_view(purged_from)}};
}

json changes_view(const std::vector<core::configuration_change>& changes, bool applied,
                  const std::vector<core::applied_subscription>& subscriptions) {
  auto list = json::array();
  for (const auto& change : changes) {
    list.push_back(
        {{"kind", change.kind}, {"name", change.name}, {"change", change.what}, {"fields", change.fields}});
    if (!change.tenant.empty())
      list.back()["tenant"] = change.tenant;
  }
  json view{{"changes", std::move(list)}, {"applied", applied}};
  for (const auto& one : subscriptions)
    if (!one.verification_key.empty())
      view["secrets"].push_back({{"subscription", one.name},
                                 {"tenant", one.tenant},
                                 {"id", one.public_id},
                                 {"secret", one.verification_key}});
  return view;
}

json tenants_view(const core::tenant_scope& tenants) {
  return tenants.everything() ? json(nullptr) : json(*tenants.names);
}

json token_view(const core::api_token& token) {
  return {{"name", token.name},
          {"id", token.public_id},
          {"role", core::to_string(token.role)},
          {"tenants", tenants_view(token.tenants)},
          {"created_by", token.created_by},
          {"created_at", time_view(token.created_at)},
          {"expires_at", time_view(token.expires_at)},
          {"revoked_at", time_view(token.revoked_at)},
          {"revoked_by", or_null(token.revoked_by)}};
}

json cursor_view(const core::delivery_cursor& cursor) {
  return {{"activated_at", time_view(cursor.activated_at)},
          {"delta_at", time_view(cursor.delta.changed_at)},
          {"backfill_until", time_view(cursor.backfill_until)},
          {"backfill_resend", cursor.backfill_resend}};
}

void add_owner(json& view, const std::string& kind, const std::optional<core::stopped_owner>& owner) {
  view[kind] = owner ? json(owner->public_id) : json(nullptr);
  view[kind + "_name"] = owner ? json(owner->name) : json(nullptr);
}

json stop_view(const core::delivery_stop& stop, const names& called) {
  const auto scope = stop.target.scope;
  json view{
      {"id", stop.public_id}, {"cause", core::to_string(stop.cause)}, {"scope", core::to_string(scope)}};
  if (scope == core::stop_scope::connection)
    view["connection"] = called.connection(stop.target.connection);
  if (scope == core::stop_scope::rule)
    view["rule"] = called.rule(stop.target.rule);
  if (scope == core::stop_scope::subscription)
    add_owner(view, "subscription", stop.subscription);
  if (scope == core::stop_scope::profile)
    add_owner(view, "profile", stop.profile);
  view["reason"] = or_null(stop.reason);
  view["set_by"] = or_null(stop.set_by);
  view["set_at"] = time_view(stop.set_at);
  view["finding"] = stop.finding ? finding_view(*stop.finding) : json(nullptr);
  view["ended_at"] = time_view(stop.ended_at);
  view["ended_by"] = or_null(stop.ended_by);
  view["resolution"] = stop.resolution ? json(core::to_string(*stop.resolution)) : json(nullptr);
  view["allowed_withdrawals"] = or_null(stop.allowed_withdrawals);
  view["allowance_consumed_at"] = time_view(stop.allowance_consumed_at);
  return view;
}

json rule_state_view(const core::rule_facts& rule, core::rule_state state, const names& called) {
  const auto run_of = [](const std::optional<core::run_facts>& run) {
    return run ? json{{"state", run->ending ? core::to_string(*run->ending) : "running"},
                      {"reason", or_null(run->reason)},
                      {"started_at", time_view(run->started_at)},
                      {"ended_at", time_view(run->ended_at)}}
               : json(nullptr);
  };
  return {{"name", rule.name},
          {"id", rule.public_id},
          {"state", state == core::rule_state::none ? json(nullptr) : json(core::to_string(state))},
          {"source", called.connection(rule.source)},
          {"target", called.connection(rule.target)},
          {"active", rule.active},
          {"route_open", rule.route_open},
          {"running", run_of(rule.running)},
          {"ended", run_of(rule.ended)},
          {"completed_at", time_view(rule.completed_at)},
          {"blocked_until", time_view(rule.blocked_until)},
          {"backfill_until", time_view(rule.backfill_until)},
          {"known_records", rule.known_records},
          {"held", rule.stops.hold != 0}};
}

} // namespace sluice::api
