#pragma once

#include "core/candidate_batch.hpp"
#include "core/configuration.hpp"
#include "core/cursor.hpp"
#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

using core::configuration;
using core::configuration_change;

/// Compares, and writes when `write`. Refused (nothing written) when a rule's source, target or domain would
/// change while it has a cursor (its anchor too), when a connection's driver or address (settings /base_url)
/// would change while a rule of it has one, when a rule names a connection that does not exist, or when rules
/// would stand to each other as rule_set_faults says they may not. A changed mapping or filter raises the
/// revision. A rule that becomes active for the first time gets its cursor (T0 = now) in the same
/// transaction. A connection in error whose settings or credentials change is active again. Bumps the
/// configuration version, which running nodes watch.
///
/// Subscriptions are written as make_subscription, change_subscription and set_subscription_status do it,
/// each act with its row in the audit; refused when one would change its mode. The caller owns the
/// transaction.
[[nodiscard]] result<std::vector<configuration_change>> apply_configuration(session& db,
                                                                            const configuration& plan,
                                                                            const crypto::key_ring& keys,
                                                                            core::timestamp now, bool write);

/// Until the transaction ends nobody else changes the configuration: what is checked still holds when it is
/// written.
[[nodiscard]] result<void> lock_configuration(session& db);

/// Every tenant's name, in order.
[[nodiscard]] result<std::vector<std::string>> list_tenants(session& db);

/// When it was last changed; nothing where it does not exist, or is deleted or disconnected.
[[nodiscard]] result<std::optional<core::timestamp>> connection_changed_at(session& db,
                                                                           std::string_view name);
[[nodiscard]] result<std::optional<core::timestamp>> rule_changed_at(session& db, std::string_view name);

/// Raised by every apply and status change.
[[nodiscard]] result<std::int64_t> configuration_version(session& db);

/// Every active push-out rule, cheap for 100,000 of them.
using core::route;
[[nodiscard]] result<std::vector<route>> list_routes(session& db);

/// Everything one rule's chain needs. Opens the cursor, with T0 = now, when the rule has none (see
/// core::open_cursor).
struct rule_context {
  core::sync_rule rule;
  core::connection source;
  core::connection target; ///< credentials unsealed
  core::delivery_cursor cursor;
  bool cursor_opened = false;
  bool ledger_found = false;           ///< looked for where the cursor was opened
  std::optional<core::rule_id> parent; ///< of a dependent rule
};
[[nodiscard]] result<rule_context> load_rule(session& db, core::rule_id rule, const crypto::key_ring& keys,
                                             core::timestamp now);
/// The same without a write: of a rule that has no cursor, the one a first activation at `now` would open.
[[nodiscard]] result<rule_context> read_rule_context(session& db, core::rule_id rule,
                                                     const crypto::key_ring& keys, core::timestamp now);

[[nodiscard]] result<std::vector<core::sync_rule>> list_rules(session& db);
[[nodiscard]] result<std::optional<core::sync_rule>> find_rule(session& db, std::string_view name);
/// Without credentials.
[[nodiscard]] result<std::vector<core::connection>> list_connections(session& db);
[[nodiscard]] result<std::optional<core::connection>> find_connection(session& db, std::string_view name);

/// With its credentials unsealed; one that was disconnected is not found.
[[nodiscard]] result<core::connection> load_connection(session& db, core::connection_id id,
                                                       const crypto::key_ring& keys);

/// Compare-and-set on the status it leaves; false when it was not that.
[[nodiscard]] result<bool> set_connection_status(session& db, core::connection_id connection,
                                                 core::connection_status from, core::connection_status to,
                                                 std::string_view reason, core::timestamp now);

} // namespace sluice::storage
