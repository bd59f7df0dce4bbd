#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sluice::telemetry {

enum class level : std::uint8_t { error, warn, info, debug };

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
  connection_refused,
  backfill_write_dropped,
  backfill_started,
  backfill_aborted,
  cursor_opened,
  cursor_missing,
  withdrawals_held,
  record_settled_by_hand,
  lost_race,
  api_listening,
  api_socket_failed,
  settings_reloaded,
  settings_refused,
  settings_need_restart,
};

struct field {
  std::string_view name;
  std::string value;
};

/// `level` is error, warn, info or debug, `format` text or json; anything else leaves the default (validated
/// settings do not have it). Until it is called nothing is written; called again, it holds from the next line
/// on.
void open_log(std::string_view level, std::string_view format);

/// One line on stderr: time, level, event id, actor, sentence, fields. Thread-safe. Never pass a payload, a
/// credential or a contact in a field.
void log(event what, std::string_view actor, std::initializer_list<field> fields = {});

/// The event's stable id, "chain.faulted".
[[nodiscard]] std::string_view id_of(event what) noexcept;

} // namespace sluice::telemetry
