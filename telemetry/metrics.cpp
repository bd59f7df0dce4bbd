#include "telemetry/metrics.hpp"

#include <algorithm>
#include <array>

namespace sluice::telemetry {

namespace {

constexpr std::array call_bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                 0.5,   1.0,    2.5,   5.0,  10.0,  30.0, 60.0};
constexpr std::array commit_bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                   0.1,    0.25,  0.5,    1.0,   2.5,  5.0,   10.0};
constexpr std::array row_bounds{1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0};

constexpr std::array<std::string_view, 4> actor_words{"dispatcher", "courier", "breaker", "recorder"};
static_assert(actor_words[static_cast<std::size_t>(central_actor::recorder)] == "recorder");

void set_age(gauge& of, std::optional<core::timestamp> since, core::timestamp now) {
  of.set(since ? std::max(0.0, seconds(now - *since)) : 0);
}

} // namespace

std::string_view to_string(central_actor actor) noexcept {
  const auto index = static_cast<std::size_t>(actor);
  return index < actor_words.size() ? actor_words[index] : std::string_view{"unknown"};
}

// docs/watching.md prints this catalogue, and a test compares the two.
metrics::metrics(std::size_t connections_max)
    : connections(connections_max),
      deliveries{all_,
                 {"sluice_deliveries_total", "",
                  "Calls that came back, by what they asked of the target and what its answer meant."}},
      decisions{all_, {"sluice_decisions_total", "", "Records looked at, by what was decided about them."}},
      records_in_hand{all_,
                      {"sluice_records_in_hand", "records",
                       "Records that were taken up and whose outcome is not durable yet."}},

      calls{all_, {"sluice_calls_total", "", "Calls that left the node, by how they ended below HTTP."}},
      call_duration{
          all_, {"sluice_call_duration_seconds", "seconds", "How long a call took in all."}, call_bounds},
      calls_in_flight{all_, {"sluice_calls_in_flight", "calls", "Calls that are out."}},
      calls_waiting{all_,
                    {"sluice_calls_waiting", "calls",
                     "Calls that may go and wait for others of their rule, connection "
                     "or node to come back."}},

      throttle_waits{all_,
                     {"sluice_throttle_waits_total", "",
                      "Times a rule was told to wait for a target's request budget or block."},
                     connections},
      throttle_blocks{
          all_, {"sluice_throttle_blocks_total", "", "Times a target asked for a pause (429)."}, connections},
      circuits{all_,
               {"sluice_circuits", "circuits", "Circuits by state: 1 for that of the connection."},
               connections},

      chains_running{all_, {"sluice_chains_running", "chains", "Rules that are being worked on."}},
      chains_ended{all_, {"sluice_chains_ended_total", "", "Chains that ended, by how."}},
      rules{all_, {"sluice_rules", "rules", "Push-out rules by state."}},
      oldest_due_age{
          all_,
          {"sluice_oldest_due_age_seconds", "seconds",
           "For how long the oldest attempt is due that no stop, block or closed route holds back; "
           "0 where none is."}},

      pushes{all_, {"sluice_pushes_total", "", "Pushes that left, by how the attempt ended."}},
      event_deliveries{all_,
                       {"sluice_event_deliveries_total", "",
                        "Deliveries of events to subscriptions, by the state they came into."}},
      fan_out_lag{all_,
                  {"sluice_fan_out_lag_events", "events", "Events that are not yet turned into deliveries."}},
      subscriptions_active{
          all_, {"sluice_subscriptions_active", "subscriptions", "Subscriptions that are pushing."}},

      callbacks{all_,
                {"sluice_callbacks_total", "",
                 "Callbacks of providers that were answered, by what became of them."}},
      callbacks_refused{all_, {"sluice_callbacks_refused_total", "", "Callbacks that were refused, by why."}},
      callbacks_in_hand{
          all_, {"sluice_callbacks_in_hand", "callbacks", "Callbacks that are being looked at or recorded."}},
      provider_events{all_,
                      {"sluice_provider_events_total", "",
                       "Events that providers told: pending and duplicate when appended, matched and "
                       "unmatched when projected."}},
      submissions{all_,
                  {"sluice_submissions_total", "",
                   "Attempts at notifications that ended, by what the provider's answer meant; a lease that "
                   "lapsed is ambiguous."}},
      notifications_unsent{all_,
                           {"sluice_notifications_unsent_total", "",
                            "Notifications that ended without an attempt: expired, or their contact points "
                            "suppressed or removed."}},
      notifiers_active{all_, {"sluice_notifiers_active", "profiles", "Provider profiles that are sending."}},
      reconciliation_looks{all_,
                           {"sluice_reconciliation_looks_total", "",
                            "Looks at what is not known of attempts, by what they came to."}},

      database_up{all_, {"sluice_database_up", "", "1 where the database answered when this was asked."}},
      group_rows{
          all_, {"sluice_database_group_rows", "rows", "Rows of one grouped transaction."}, row_bounds},
      commit_duration{all_,
                      {"sluice_database_commit_duration_seconds", "seconds",
                       "How long a grouped transaction took, its statements and its commit."},
                      commit_bounds},
      commit_failures{all_,
                      {"sluice_database_commit_failures_total", "", "Grouped transactions that failed."}},

      heartbeat_age{all_,
                    {"sluice_heartbeat_age_seconds", "seconds",
                     "Since the dispatcher's latest sign of life in the database."}},
      lease_age{all_,
                {"sluice_lease_age_seconds", "seconds",
                 "Since the node's lease was renewed; 0 on SQLite, whose lock needs no renewal."}},
      mailbox_depth{all_,
                    {"sluice_mailbox_depth", "messages",
                     "Messages that waited for an actor when it last took one up."}},

      api_connections{all_, {"sluice_api_connections", "connections", "Connections to the API."}},
      api_requests{all_, {"sluice_api_requests_total", "", "Requests the API answered."}} {
  forget_database();
  database_up.forget();
}

void metrics::refresh(const core::rule_survey* found, core::timestamp wall, core::duration steady) {
  const core::duration leased_at{leased_at_.load()};
  lease_age.set(leased_at == core::duration{} ? 0 : seconds(steady - leased_at));
  database_up.set(found ? 1 : 0);
  if (!found) {
    forget_database();
    return;
  }
  for (std::size_t at = 0; at < core::rule_state_count; ++at)
    rules(static_cast<core::rule_state>(at)).set(static_cast<double>(found->in_state[at]));
  set_age(oldest_due_age, found->oldest_due, wall);
  if (found->heartbeat_at)
    set_age(heartbeat_age, found->heartbeat_at, wall);
  else
    heartbeat_age.forget();
}

void metrics::forget_database() {
  for (std::size_t at = 0; at < core::rule_state_count; ++at)
    rules(static_cast<core::rule_state>(at)).forget();
  oldest_due_age.forget();
  heartbeat_age.forget();
}

} // namespace sluice::telemetry
