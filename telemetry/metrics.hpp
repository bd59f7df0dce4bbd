#pragma once

#include "core/callback_outcome.hpp"
#include "core/circuit.hpp"
#include "core/decide.hpp"
#include "core/delivery_state.hpp"
#include "core/http.hpp"
#include "core/outcome.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation.hpp"
#include "core/rule_state.hpp"
#include "core/rule_survey.hpp"
#include "core/run.hpp"
#include "core/submission.hpp"
#include "telemetry/connection_labels.hpp"
#include "telemetry/metric_family.hpp"
#include "telemetry/route_counters.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::telemetry {

/// The actors a node has one of and everything goes through.
enum class central_actor : std::uint8_t { dispatcher, courier, breaker, recorder };

[[nodiscard]] std::string_view to_string(central_actor actor) noexcept;

template <>
struct label_of<central_actor> {
  static constexpr std::string_view name = "actor";
  static constexpr std::size_t count = 4;
};
template <>
struct label_of<core::operation> {
  static constexpr std::string_view name = "operation";
  static constexpr std::size_t count = 6;
};
template <>
struct label_of<core::outcome_kind> {
  static constexpr std::string_view name = "outcome";
  static constexpr std::size_t count = 10;
};
template <>
struct label_of<core::action> {
  static constexpr std::string_view name = "decision";
  static constexpr std::size_t count = 10;
};
template <>
struct label_of<core::call_error> {
  static constexpr std::string_view name = "error";
  static constexpr std::size_t count = 7;
};
template <>
struct label_of<core::circuit_state> {
  static constexpr std::string_view name = "state";
  static constexpr std::size_t count = 3;
};
template <>
struct label_of<core::run_ending> {
  static constexpr std::string_view name = "ending";
  static constexpr std::size_t count = 7;
};
template <>
struct label_of<core::rule_state> {
  static constexpr std::string_view name = "state";
  static constexpr std::size_t count = core::rule_state_count;
};

template <>
struct label_of<core::attempt_ending> {
  static constexpr std::string_view name = "ending";
  static constexpr std::size_t count = 5;
};
template <>
struct label_of<core::delivery_state> {
  static constexpr std::string_view name = "state";
  static constexpr std::size_t count = core::delivery_states;
};

template <>
struct label_of<core::callback_outcome> {
  static constexpr std::string_view name = "outcome";
  static constexpr std::size_t count = core::callback_outcomes;
};
template <>
struct label_of<core::callback_refusal_kind> {
  static constexpr std::string_view name = "refusal";
  static constexpr std::size_t count = 6;
};
template <>
struct label_of<core::event_progress> {
  static constexpr std::string_view name = "progress";
  static constexpr std::size_t count = 4;
};
template <>
struct label_of<core::submission_kind> {
  static constexpr std::string_view name = "submission";
  static constexpr std::size_t count = 4;
};
template <>
struct label_of<core::reconciliation_verdict> {
  static constexpr std::string_view name = "verdict";
  static constexpr std::size_t count = core::reconciliation_verdicts;
};

/// Everything a node counts; metrics.cpp has what each is called and means. One a node; whoever counts holds
/// the whole of it. Labels are few by construction: enums, routes, and connections up to a limit. Never a
/// rule, a record or a tenant.
class metrics {
public:
  explicit metrics(std::size_t connections_max = 100);

  [[nodiscard]] const metric_family::list& catalogue() const noexcept { return all_; }

  /// The lease was asked for then and granted, by the steady clock.
  void lease_granted(core::duration asked_at) noexcept { leased_at_.store(asked_at.count()); }

  /// Takes in what is only known when somebody asks. `found` is null where the database did not answer.
  void refresh(const core::rule_survey* found, core::timestamp wall, core::duration steady);

private:
  metric_family::list all_; ///< before what puts itself into it

public:
  connection_labels connections;

  labelled<counter, core::operation, core::outcome_kind> deliveries;
  labelled<counter, core::action> decisions;
  single<gauge> records_in_hand;

  labelled<counter, core::call_error> calls;
  single<histogram> call_duration;
  single<gauge> calls_in_flight;
  single<gauge> calls_waiting;

  by_connection<counter> throttle_waits;
  by_connection<counter> throttle_blocks;
  by_connection<gauge, core::circuit_state> circuits;

  single<gauge> chains_running;
  labelled<counter, core::run_ending> chains_ended;
  labelled<gauge, core::rule_state> rules;
  single<gauge> oldest_due_age;

  labelled<counter, core::attempt_ending> pushes;
  labelled<counter, core::delivery_state> event_deliveries;
  single<gauge> fan_out_lag;
  single<gauge> subscriptions_active;

  labelled<counter, core::callback_outcome> callbacks;
  labelled<counter, core::callback_refusal_kind> callbacks_refused;
  single<gauge> callbacks_in_hand;
  labelled<counter, core::event_progress> provider_events;
  labelled<counter, core::submission_kind> submissions;
  single<counter> notifications_unsent;
  single<gauge> notifiers_active;
  labelled<counter, core::reconciliation_verdict> reconciliation_looks;

  single<gauge> database_up;
  single<histogram> group_rows;
  single<histogram> commit_duration;
  single<counter> commit_failures;

  single<gauge> heartbeat_age;
  single<gauge> lease_age;
  labelled<gauge, central_actor> mailbox_depth;

  single<gauge> api_connections;
  route_counters api_requests;

private:
  void forget_database();

  /// Zero where the lease is a lock of the operating system, which needs no renewal.
  std::atomic<core::duration::rep> leased_at_ = 0;
};

} // namespace sluice::telemetry
