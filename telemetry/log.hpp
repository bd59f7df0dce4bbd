#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace sluice::telemetry {

enum class level : std::uint8_t { error, warn, info, debug };

[[nodiscard]] std::string_view to_string(level severity) noexcept;

/// Everything Sluice says in its log, by a name that never changes; the catalogue in log.cpp has the level
/// and the sentence of each. Values travel as fields, never inside the sentence.
enum class event : std::uint8_t {
  node_started,
  node_stopping,
  node_stopped,
  node_unfit,
  lease_awaited,
  lease_kept,
  watch_failed,
  configuration_listed,
  heartbeat_failed,
  look_failed,
  clean_up_failed,
  chain_ended,
  chain_faulted,
  rule_restarted,
  fan_out_failed,
  fan_out_restarted,
  push_failed,
  subscription_restarted,
  subscription_disabled,
  deliveries_expired,
  replay_started,
  replayer_restarted,
  replay_ended,
  replay_waits,
  callback_profile_unfit,
  callbacks_not_recorded,
  callback_refusals_lost,
  callback_certificate_failed,
  callback_confirmed,
  callback_confirmation_failed,
  callback_intake_restarted,
  projector_failed,
  projector_restarted,
  projections_rebuilt,
  sending_failed,
  notifier_restarted,
  profile_unusable,
  notifications_unreadable,
  clock_corrected,
  reconciler_restarted,
  reconciliation_failed,
  attempt_needs_person,
  connection_refused,
  backfill_write_dropped,
  backfill_started,
  backfill_aborted,
  cursor_opened,
  cursor_missing,
  withdrawals_held,
  record_settled_by_hand,
  record_offered,
  records_linked,
  job_started,
  job_ended,
  job_waits,
  lost_race,
  api_listening,
  api_socket_failed,
  api_identity_refused,
  settings_reloaded,
  settings_refused,
  settings_need_restart,
};

struct event_description {
  std::string_view id; ///< stable: "chain.faulted"
  level severity;
  std::string_view sentence;
  std::string_view fields; ///< what comes with it, "rule, rows"
};

/// By `event`; docs/watching.md prints it.
[[nodiscard]] std::span<const event_description> event_catalogue() noexcept;

struct field {
  std::string_view name;
  std::string value;
};

/// `level` is error, warn, info or debug, `format` text or json; anything else leaves the default (validated
/// settings do not have it). Until it is called nothing is written; called again, it holds from the next line
/// on.
void open_log(std::string_view level, std::string_view format);

/// One line on stderr: time, level, event id, actor, sentence, fields. Thread-safe. Whatever a field holds,
/// the line stays one line, and valid JSON where it is JSON. Never pass a payload, a credential or a contact.
void log(event what, std::string_view actor, std::initializer_list<field> fields = {});

} // namespace sluice::telemetry
