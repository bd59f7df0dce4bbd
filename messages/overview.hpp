#pragma once

#include "core/api_token.hpp"
#include "core/backfill.hpp"
#include "core/connection_life.hpp"
#include "core/explanation.hpp"
#include "core/ids.hpp"
#include "core/ledger_page.hpp"
#include "core/rule.hpp"
#include "core/run.hpp"
#include "messages/inspection.hpp"
#include "messages/job_reads.hpp"
#include "messages/recorder.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The conversation with the overview, which looks up for people what rules have no business with. A failure
/// carries messages::fault; `not_found` names what does not exist.
namespace sluice::messages {

/// operator API: a rule by its name.
struct find_rule {
  std::string name;
};

struct rule_found {
  core::sync_rule rule;
  std::string source_name;
  std::string target_name;
  std::string source_tenant;
  std::string target_tenant;
  core::timestamp updated_at{};
  std::optional<core::timestamp> deleted_at;
};

/// operator API: every rule, deleted ones too.
struct list_rules {};

struct rules_listed {
  std::vector<rule_found> rules;
};

/// operator API: every connection, disconnected ones too.
struct list_connections {};

struct connections_listed {
  std::vector<core::connection_life> connections;
};

/// operator API.
struct list_tenants {};

struct tenants_listed {
  std::vector<std::string> names;
};

/// operator API: a connection by its name.
struct find_connection {
  std::string name;
};

/// operator API: what the ids of stops and states are called.
struct list_names {};

struct named_rule {
  core::rule_id id{};
  std::string name;
  core::connection_id source{};
  core::connection_id target{};
};

struct names_listed {
  std::vector<named_rule> rules;
  std::vector<core::connection> connections; ///< without credentials
};

/// operator API: how far backfills have come. A count may be a minute old; what would take too long to count
/// is left out and counted when it is asked for again.
struct count_backfills {
  std::vector<std::pair<core::rule_id, core::timestamp>> backfills; ///< with their bounds
};

struct backfills_counted {
  std::vector<std::pair<core::rule_id, core::backfill_progress>> counts;
};

/// operator API: the newest runs, of one rule or of all that lie within the tenants.
struct list_runs {
  std::optional<core::rule_id> rule;
  core::tenant_scope tenants;
  std::int64_t limit = 100;
};

struct runs_listed {
  std::vector<core::listed_run> runs;
};

/// operator API, verifier: a page of a rule's ledger.
struct list_ledger {
  core::ledger_filter filter;
};

struct ledger_listed {
  std::vector<core::listed_ledger_row> rows;
};

/// verifier: rows of a rule's ledger further on, as storage/ledger.hpp's step_through_ledger has it.
struct step_through_ledger {
  core::rule_id rule{};
  std::string after_source_id;
  std::vector<std::int64_t> steps;
};

struct ledger_stepped {
  std::vector<core::ledger_row> rows;
};

/// operator API, verifier: how many rows of a rule have which status.
struct count_ledger {
  core::rule_id rule{};
};

struct ledger_counted {
  std::vector<std::pair<core::delivery_status, std::int64_t>> counts;
  core::timestamp counted_at{}; ///< when it was read
};

/// operator API: everything known of one record.
struct explain_record {
  std::string rule;
  std::string source_id;
};

/// planner, verifier: what a chain of the rule would begin with. Writes nothing: of a rule that was never
/// active, the cursor is the one it would get now.
struct read_rule_context {
  core::rule_id rule{};
};

// clang-format off
using overview = caf::typed_actor<
  caf::replies_to<find_rule>::with<rule_found>,
  caf::replies_to<find_connection>::with<core::connection>,
  caf::replies_to<list_names>::with<names_listed>,
  caf::replies_to<list_tenants>::with<tenants_listed>,
  caf::replies_to<list_connections>::with<connections_listed>,
  caf::replies_to<list_rules>::with<rules_listed>,
  caf::replies_to<count_backfills>::with<backfills_counted>,
  caf::replies_to<list_runs>::with<runs_listed>,
  caf::replies_to<list_ledger>::with<ledger_listed>,
  caf::replies_to<step_through_ledger>::with<ledger_stepped>,
  caf::replies_to<count_ledger>::with<ledger_counted>,
  caf::replies_to<count_rows>::with<rows_counted>,
  caf::replies_to<list_jobs>::with<jobs_listed>,
  caf::replies_to<find_job>::with<core::rule_job>,
  caf::replies_to<explain_record>::with<core::explanation_facts>,
  caf::replies_to<read_rule_context>::with<rule_loaded>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, find_rule& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, rule_found& x) {
  return f(x.rule, x.source_name, x.target_name, x.source_tenant, x.target_tenant, x.updated_at,
           x.deleted_at);
}

template <class Inspector>
auto inspect(Inspector& f, list_rules&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, rules_listed& x) {
  return f(x.rules);
}

template <class Inspector>
auto inspect(Inspector& f, list_connections&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, connections_listed& x) {
  return f(x.connections);
}

template <class Inspector>
auto inspect(Inspector& f, list_tenants&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, tenants_listed& x) {
  return f(x.names);
}

template <class Inspector>
auto inspect(Inspector& f, find_connection& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, list_names&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, named_rule& x) {
  return f(x.id, x.name, x.source, x.target);
}

template <class Inspector>
auto inspect(Inspector& f, names_listed& x) {
  return f(x.rules, x.connections);
}

template <class Inspector>
auto inspect(Inspector& f, count_backfills& x) {
  return f(x.backfills);
}

template <class Inspector>
auto inspect(Inspector& f, backfills_counted& x) {
  return f(x.counts);
}

template <class Inspector>
auto inspect(Inspector& f, list_runs& x) {
  return f(x.rule, x.tenants, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, runs_listed& x) {
  return f(x.runs);
}

template <class Inspector>
auto inspect(Inspector& f, list_ledger& x) {
  return f(x.filter);
}

template <class Inspector>
auto inspect(Inspector& f, ledger_listed& x) {
  return f(x.rows);
}

template <class Inspector>
auto inspect(Inspector& f, step_through_ledger& x) {
  return f(x.rule, x.after_source_id, x.steps);
}

template <class Inspector>
auto inspect(Inspector& f, ledger_stepped& x) {
  return f(x.rows);
}

template <class Inspector>
auto inspect(Inspector& f, count_ledger& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, ledger_counted& x) {
  return f(x.counts, x.counted_at);
}

template <class Inspector>
auto inspect(Inspector& f, explain_record& x) {
  return f(x.rule, x.source_id);
}

template <class Inspector>
auto inspect(Inspector& f, read_rule_context& x) {
  return f(x.rule);
}

} // namespace sluice::messages
