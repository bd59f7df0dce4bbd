#pragma once

#include "api/router.hpp"

/// What the API does: docs/api.md has every route.
namespace sluice::api {

/// All of them. `metrics`: what GET /metrics asks of its caller. `callbacks`: what a callback may have.
void add_operations(router& to, access metrics = access::viewer, const raw_limits& callbacks = {});

void add_status_operations(router& to);         ///< status, runs
void add_stop_operations(router& to);           ///< stops and holds
void add_rule_operations(router& to);           ///< on, off, plan, verify
void add_backfill_operations(router& to);       ///< preview, start, abort
void add_record_operations(router& to);         ///< ledger, explain, ambiguous
void add_job_operations(router& to);            ///< retry, reopen, and their jobs
void add_link_operations(router& to);           ///< remote ids a target has already
void add_configuration_operations(router& to);  ///< tenants, connections, rules, and all of them at once
void add_connection_operations(router& to);     ///< disconnect, reconnect, uninstall, clear an error
void add_token_operations(router& to);          ///< tokens
void add_subscription_operations(router& to);   ///< subscriptions: made, changed, paused, rotated, …
void add_event_operations(router& to);          ///< events that are published, and the audit
void add_delivery_operations(router& to);       ///< deliveries of events and their attempts
void add_replay_operations(router& to);         ///< deliveries of a window that begin anew
void add_pull_operations(router& to);           ///< what owners of pull subscriptions read
void add_profile_operations(router& to);        ///< accounts at providers of notifications
void add_route_operations(router& to);          ///< the profiles notifications are tried with
void add_contact_operations(router& to);        ///< addresses of people
void add_notification_operations(router& to);   ///< what is to be told to them
void add_provider_operations(router& to);       ///< what providers told of it
void add_reconciliation_operations(router& to); ///< what nobody knows yet
void add_key_operations(router& to);            ///< which keys are in use, and how one goes
void add_session_operations(router& to);        ///< the page's sign-in
void add_page_operations(router& to);           ///< what the operator page shows
void add_intake_operations(router& to);         ///< records that sources post
void add_live_operations(router& to);           ///< what open pages are told
void add_callback_operations(router& to, const raw_limits& limits); ///< what providers post
void add_health_operations(router& to, access metrics);             ///< live, ready, metrics

} // namespace sluice::api
