#include "core/api_token.hpp"
#include "core/http.hpp"
#include "core/ledger.hpp"
#include "core/outcome.hpp"
#include "core/record.hpp"
#include "core/rule.hpp"
#include "core/rule_job.hpp"
#include "core/stop.hpp"
#include "core/words.hpp"

// The stable words of the enums: columns, messages, commands and the operator's answers use them.
namespace sluice::core {

namespace {

constexpr words<3> deletion_reasons{"none", "source_event", "disconnect"};
constexpr words<11> delivery_statuses{"delivered",     "suppressed",  "withdrawn",       "failed",
                                      "undeliverable", "held",        "awaiting_anchor", "filtered",
                                      "ambiguous",     "remote_gone", "exhausted"};
constexpr words<3> target_states{"absent", "active", "inactive"};
constexpr words<2> rule_directions{"push_out", "pull_in"};
constexpr words<2> update_modes{"overwrite", "create_only"};
constexpr words<3> delete_policies{"ignore", "delete", "deactivate"};
constexpr words<3> connection_statuses{"active", "inactive", "error"};
constexpr words<4> token_roles{"intake", "viewer", "operator", "admin"};
constexpr words<5> stop_scopes{"global", "connection", "rule", "subscription", "profile"};
constexpr words<2> stop_causes{"manual", "volume_breaker"};
constexpr words<3> stop_resolutions{"resumed", "released", "self_healed"};
constexpr words<2> row_acts{"retry", "reopen"};
constexpr words<2> job_endings{"completed", "cancelled"};
constexpr words<6> operations{"create", "update", "delete", "deactivate", "reactivate", "lookup"};
constexpr words<10> outcome_kinds{"accepted",     "gone",         "exists",    "rejected", "transient",
                                  "rate_limited", "unauthorized", "ambiguous", "several",  "unattempted"};
constexpr words<7> call_errors{"none",      "not_connected", "address_refused", "unattempted",
                               "timed_out", "cut",           "answer_too_large"};

static_assert(word_of(deletion_reason::disconnect, deletion_reasons) == "disconnect");
static_assert(word_of(delivery_status::exhausted, delivery_statuses) == "exhausted");
static_assert(word_of(target_state::inactive, target_states) == "inactive");
static_assert(word_of(rule_direction::pull_in, rule_directions) == "pull_in");
static_assert(word_of(update_mode::create_only, update_modes) == "create_only");
static_assert(word_of(delete_policy::deactivate, delete_policies) == "deactivate");
static_assert(word_of(connection_status::error, connection_statuses) == "error");
static_assert(word_of(stop_scope::profile, stop_scopes) == "profile");
static_assert(word_of(stop_cause::volume_breaker, stop_causes) == "volume_breaker");
static_assert(word_of(stop_resolution::self_healed, stop_resolutions) == "self_healed");
static_assert(word_of(row_act::reopen, row_acts) == "reopen");
static_assert(word_of(job_ending::cancelled, job_endings) == "cancelled");
static_assert(word_of(operation::lookup, operations) == "lookup");
static_assert(word_of(outcome_kind::unattempted, outcome_kinds) == "unattempted");
static_assert(word_of(call_error::answer_too_large, call_errors) == "answer_too_large");

} // namespace

std::string_view to_string(deletion_reason reason) noexcept {
  return word_of(reason, deletion_reasons);
}

std::optional<deletion_reason> parse_deletion_reason(std::string_view text) noexcept {
  return value_of<deletion_reason>(text, deletion_reasons);
}

std::string_view to_string(delivery_status status) noexcept {
  return word_of(status, delivery_statuses);
}

std::optional<delivery_status> parse_delivery_status(std::string_view text) noexcept {
  return value_of<delivery_status>(text, delivery_statuses);
}

std::string_view to_string(target_state state) noexcept {
  return word_of(state, target_states);
}

std::optional<target_state> parse_target_state(std::string_view text) noexcept {
  return value_of<target_state>(text, target_states);
}

std::string_view to_string(rule_direction x) noexcept {
  return word_of(x, rule_directions);
}

std::string_view to_string(update_mode x) noexcept {
  return word_of(x, update_modes);
}

std::string_view to_string(delete_policy x) noexcept {
  return word_of(x, delete_policies);
}

std::string_view to_string(connection_status x) noexcept {
  return word_of(x, connection_statuses);
}

std::optional<rule_direction> parse_rule_direction(std::string_view text) noexcept {
  return value_of<rule_direction>(text, rule_directions);
}

std::optional<update_mode> parse_update_mode(std::string_view text) noexcept {
  return value_of<update_mode>(text, update_modes);
}

std::optional<delete_policy> parse_delete_policy(std::string_view text) noexcept {
  return value_of<delete_policy>(text, delete_policies);
}

std::optional<connection_status> parse_connection_status(std::string_view text) noexcept {
  return value_of<connection_status>(text, connection_statuses);
}

std::string_view to_string(token_role x) noexcept {
  return word_of(x, token_roles);
}

std::optional<token_role> parse_token_role(std::string_view text) noexcept {
  return value_of<token_role>(text, token_roles);
}

std::string_view to_string(stop_scope x) noexcept {
  return word_of(x, stop_scopes);
}

std::optional<stop_scope> parse_stop_scope(std::string_view text) noexcept {
  return value_of<stop_scope>(text, stop_scopes);
}

std::string_view to_string(stop_cause x) noexcept {
  return word_of(x, stop_causes);
}

std::optional<stop_cause> parse_stop_cause(std::string_view text) noexcept {
  return value_of<stop_cause>(text, stop_causes);
}

std::string_view to_string(stop_resolution x) noexcept {
  return word_of(x, stop_resolutions);
}

std::optional<stop_resolution> parse_stop_resolution(std::string_view text) noexcept {
  return value_of<stop_resolution>(text, stop_resolutions);
}

std::string_view to_string(row_act x) noexcept {
  return word_of(x, row_acts);
}

std::optional<row_act> parse_row_act(std::string_view text) noexcept {
  return value_of<row_act>(text, row_acts);
}

std::string_view to_string(job_ending x) noexcept {
  return word_of(x, job_endings);
}

std::optional<job_ending> parse_job_ending(std::string_view text) noexcept {
  return value_of<job_ending>(text, job_endings);
}

std::string_view to_string(operation op) noexcept {
  return word_of(op, operations);
}

std::optional<operation> parse_operation(std::string_view text) noexcept {
  return value_of<operation>(text, operations);
}

std::string_view to_string(outcome_kind kind) noexcept {
  return word_of(kind, outcome_kinds);
}

std::string_view to_string(call_error error) noexcept {
  return word_of(error, call_errors);
}

} // namespace sluice::core
