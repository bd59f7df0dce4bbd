#include "api/operations.hpp"

#include "api/openapi.hpp"

namespace sluice::api {

namespace {

void describe(desk&, const request&, const responder& answer) {
  response made;
  made.body = openapi_document();
  answer(std::move(made));
}

} // namespace

void add_operations(router& to, access metrics, const raw_limits& callbacks) {
  add_status_operations(to);
  add_stop_operations(to);
  add_rule_operations(to);
  add_backfill_operations(to);
  add_record_operations(to);
  add_job_operations(to);
  add_link_operations(to);
  add_intake_operations(to);
  add_live_operations(to);
  add_callback_operations(to, callbacks);
  add_configuration_operations(to);
  add_connection_operations(to);
  add_token_operations(to);
  add_subscription_operations(to);
  add_event_operations(to);
  add_delivery_operations(to);
  add_replay_operations(to);
  add_pull_operations(to);
  add_profile_operations(to);
  add_route_operations(to);
  add_contact_operations(to);
  add_notification_operations(to);
  add_provider_operations(to);
  add_reconciliation_operations(to);
  add_key_operations(to);
  add_session_operations(to);
  add_page_operations(to);
  add_health_operations(to, metrics);
  to.add("GET", "/v1/openapi.json", access::anyone, describe);
}

} // namespace sluice::api
