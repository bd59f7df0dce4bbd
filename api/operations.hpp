#pragma once

#include "api/router.hpp"

/// What the API does: docs/api.md has every route.
namespace sluice::api {

/// All of them.
void add_operations(router& to);

void add_status_operations(router& to);        ///< status, runs
void add_stop_operations(router& to);          ///< stops and holds
void add_rule_operations(router& to);          ///< on, off, plan
void add_backfill_operations(router& to);      ///< preview, start, abort
void add_record_operations(router& to);        ///< ledger, explain, retry, ambiguous
void add_configuration_operations(router& to); ///< tenants, connections, rules, and all of them at once
void add_connection_operations(router& to);    ///< disconnect, reconnect, uninstall, clear an error
void add_token_operations(router& to);         ///< tokens
void add_session_operations(router& to);       ///< the page's sign-in

} // namespace sluice::api
