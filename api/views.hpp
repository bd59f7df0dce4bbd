#pragma once

#include "core/api_token.hpp"
#include "core/backfill.hpp"
#include "core/configuration.hpp"
#include "core/connection_life.hpp"
#include "core/cursor.hpp"
#include "core/explanation.hpp"
#include "core/ledger_page.hpp"
#include "core/plan.hpp"
#include "core/rule_job.hpp"
#include "core/rule_state.hpp"
#include "core/run.hpp"
#include "core/stop.hpp"
#include "core/verification.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// How values look in JSON: in the API's answers and in the commands' --json alike.
namespace sluice::api {

using json = nlohmann::ordered_json;

/// RFC 3339, or null.
[[nodiscard]] json time_view(const std::optional<core::timestamp>& time);

[[nodiscard]] json ledger_view(const core::ledger_row& row);
[[nodiscard]] json ledger_view(const core::listed_ledger_row& row);
[[nodiscard]] json run_view(const core::listed_run& run);
[[nodiscard]] json explanation_view(const core::explanation_facts& facts);
[[nodiscard]] json ambiguous_view(const core::ambiguous_row& row);
[[nodiscard]] json job_view(const core::rule_job& job);
[[nodiscard]] json plan_view(const core::delivery_plan& plan);
[[nodiscard]] json verification_view(const core::verification& found);
[[nodiscard]] json preview_view(const core::backfill_preview& preview);
[[nodiscard]] json progress_view(const core::backfill_progress& progress);
[[nodiscard]] json confirmation_view(const core::backfill_confirmation& confirmation);
[[nodiscard]] std::string state_text(const core::connection_life& one); ///< of the connection, for people
[[nodiscard]] json connection_view(const core::connection_life& one, core::duration grace_period);
/// With the secrets of the subscriptions that were made, which are shown this once.
[[nodiscard]] json changes_view(const std::vector<core::configuration_change>& changes, bool applied,
                                const std::vector<core::applied_subscription>& subscriptions = {});
[[nodiscard]] json tenants_view(const core::tenant_scope& tenants); ///< null: every tenant
[[nodiscard]] json token_view(const core::api_token& token);
[[nodiscard]] json cursor_view(const core::delivery_cursor& cursor);

/// What ids are called.
struct names {
  std::function<std::string(core::rule_id)> rule;
  std::function<std::string(core::connection_id)> connection;
};
[[nodiscard]] json stop_view(const core::delivery_stop& stop, const names& called);
[[nodiscard]] json rule_state_view(const core::rule_facts& rule, core::rule_state state, const names& called);

} // namespace sluice::api
