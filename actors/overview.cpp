#include "actors/overview.hpp"

#include "storage/anchors.hpp"
#include "storage/backfills.hpp"
#include "storage/explanations.hpp"
#include "storage/ledger.hpp"
#include "storage/lifecycle.hpp"
#include "storage/rule_jobs.hpp"
#include "storage/rules.hpp"
#include "storage/runs.hpp"
#include "storage/stored_rule.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

storage::failure missing(std::string_view kind, std::string_view name) {
  return {storage::error::not_found, "there is no " + std::string{kind} + " \"" + std::string{name} + "\""};
}

m::rule_found found(storage::stored_rule stored) {
  return {std::move(stored.rule),
          std::move(stored.source_name),
          std::move(stored.target_name),
          std::move(stored.source_tenant),
          std::move(stored.target_tenant),
          stored.updated_at,
          stored.deleted_at};
}

result<m::rule_found> rule_named(session& db, const std::string& name) {
  auto rule = storage::read_rule(db, name);
  if (!rule)
    return std::unexpected{rule.error()};
  if (!*rule || (*rule)->deleted())
    return std::unexpected{missing("rule", name)};
  return found(std::move(**rule));
}

result<m::rules_listed> every_rule(session& db) {
  auto rules = storage::read_rules(db);
  if (!rules)
    return std::unexpected{rules.error()};
  m::rules_listed listed;
  for (auto& rule : *rules)
    listed.rules.push_back(found(std::move(rule)));
  return listed;
}

result<core::connection> connection_named(session& db, const std::string& name) {
  auto found = storage::find_connection(db, name);
  if (!found)
    return std::unexpected{found.error()};
  if (!*found)
    return std::unexpected{missing("connection", name)};
  return std::move(**found);
}

result<m::names_listed> names(session& db) {
  auto rules = storage::list_rules(db);
  if (!rules)
    return std::unexpected{rules.error()};
  auto connections = storage::list_connections(db);
  if (!connections)
    return std::unexpected{connections.error()};
  m::names_listed listed{{}, std::move(*connections)};
  for (auto& rule : *rules)
    listed.rules.push_back({rule.id, std::move(rule.name), rule.source, rule.target});
  return listed;
}

result<m::ledger_counted> counted(session& db, core::rule_id rule, core::timestamp now) {
  auto counts = storage::count_ledger(db, rule);
  if (!counts)
    return std::unexpected{counts.error()};
  return m::ledger_counted{{counts->begin(), counts->end()}, now};
}

result<core::rule_job> job_named(session& db, const m::find_job& ask) {
  auto found = storage::find_job(db, ask.rule, ask.public_id);
  if (!found)
    return std::unexpected{found.error()};
  if (!*found)
    return std::unexpected{missing("job", ask.public_id)};
  return std::move(**found);
}

result<m::rule_loaded> context_of(session& db, core::rule_id rule, const crypto::key_ring& keys,
                                  core::timestamp now) {
  auto found = storage::read_rule_context(db, rule, keys, now);
  if (!found)
    return std::unexpected{found.error()};
  m::rule_loaded loaded;
  loaded.rule = std::move(found->rule);
  loaded.source = std::move(found->source);
  loaded.target = std::move(found->target);
  loaded.cursor = found->cursor;
  loaded.parent = found->parent;
  return loaded;
}

} // namespace

m::overview::behavior_type overview_state::behavior(reader_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::find_rule& ask) { return on_find_rule(ask); },
      [this](const m::find_connection& ask) { return on_find_connection(ask); },
      [this](m::list_names) { return on_list_names(); },
      [this](m::list_tenants) { return on_list_tenants(); },
      [this](m::list_connections) { return on_list_connections(); },
      [this](m::list_rules) { return on_list_rules(); },
      [this](const m::count_backfills& ask) { return on_count_backfills(ask); },
      [this](const m::list_runs& ask) { return on_list_runs(ask); },
      [this](const m::list_ledger& ask) { return on_list_ledger(ask); },
      [this](const m::step_through_ledger& ask) { return on_step_through_ledger(ask); },
      [this](const m::count_ledger& ask) { return on_count_ledger(ask); },
      [this](const m::count_rows& ask) { return on_count_rows(ask); },
      [this](const m::list_jobs& ask) { return on_list_jobs(ask); },
      [this](const m::find_job& ask) { return on_find_job(ask); },
      [this](const m::explain_record& ask) { return on_explain_record(ask); },
      [this](const m::read_rule_context& ask) { return on_read_rule_context(ask); },
  };
}

caf::result<m::rule_found> overview_state::on_find_rule(const m::find_rule& ask) {
  return with_session(*resources_.db, [&](session& db) { return rule_named(db, ask.name); });
}

caf::result<core::connection> overview_state::on_find_connection(const m::find_connection& ask) {
  return with_session(*resources_.db, [&](session& db) { return connection_named(db, ask.name); });
}

caf::result<m::names_listed> overview_state::on_list_names() {
  return with_session(*resources_.db, [](session& db) { return names(db); });
}

caf::result<m::tenants_listed> overview_state::on_list_tenants() {
  return with_session(*resources_.db,
                      [](session& db) { return carried<m::tenants_listed>(storage::list_tenants(db)); });
}

caf::result<m::connections_listed> overview_state::on_list_connections() {
  return with_session(*resources_.db, [](session& db) {
    return carried<m::connections_listed>(storage::list_connection_lives(db));
  });
}

caf::result<m::rules_listed> overview_state::on_list_rules() {
  return with_session(*resources_.db, [](session& db) { return every_rule(db); });
}

caf::result<m::backfills_counted> overview_state::on_count_backfills(const m::count_backfills& ask) {
  return with_session(*resources_.db, [&](session& db) {
    const auto count = [&](core::rule_id rule) { return storage::read_progress(db, rule); };
    return carried<m::backfills_counted>(backfills_.answer(ask.backfills, *resources_.time, count));
  });
}

caf::result<m::runs_listed> overview_state::on_list_runs(const m::list_runs& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::runs_listed>(storage::list_runs(db, ask.rule, ask.limit, ask.tenants));
  });
}

caf::result<m::ledger_listed> overview_state::on_list_ledger(const m::list_ledger& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::ledger_listed>(storage::list_ledger(db, ask.filter));
  });
}

caf::result<m::ledger_stepped> overview_state::on_step_through_ledger(const m::step_through_ledger& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::ledger_stepped>(
        storage::step_through_ledger(db, ask.rule, ask.after_source_id, ask.steps));
  });
}

caf::result<m::ledger_counted> overview_state::on_count_ledger(const m::count_ledger& ask) {
  return with_session(*resources_.db,
                      [&](session& db) { return counted(db, ask.rule, resources_.time->wall()); });
}

caf::result<m::rows_counted> overview_state::on_count_rows(const m::count_rows& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::rows_counted>(
        storage::count_rows(db, ask.rule, ask.act, ask.which, resources_.time->wall()));
  });
}

caf::result<m::jobs_listed> overview_state::on_list_jobs(const m::list_jobs& ask) {
  return with_session(*resources_.db,
                      [&](session& db) { return carried<m::jobs_listed>(storage::list_jobs(db, ask.page)); });
}

caf::result<core::rule_job> overview_state::on_find_job(const m::find_job& ask) {
  return with_session(*resources_.db, [&](session& db) { return job_named(db, ask); });
}

caf::result<core::explanation_facts> overview_state::on_explain_record(const m::explain_record& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return storage::transact(db, [&](session& snapshot) {
      return storage::read_explanation(snapshot, ask.rule, ask.source_id, *resources_.keys,
                                       resources_.time->wall());
    });
  });
}

caf::result<m::rule_loaded> overview_state::on_read_rule_context(const m::read_rule_context& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return context_of(db, ask.rule, *resources_.keys, resources_.time->wall());
  });
}

m::overview::behavior_type overview(m::overview::stateful_pointer<overview_state> self,
                                    reader_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
