#include "telemetry/log.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace sluice::telemetry {

namespace {

constexpr std::array<event_description, 62> catalogue{{
    {"node.started", level::info, "The node has started.", "name"},
    {"node.stopping", level::info, "The node stops: calls in flight finish and are recorded.", ""},
    {"node.stopped", level::info, "The node has stopped.", "in_order"},
    {"node.unfit", level::error, "The node may not go on: it no longer owns what it works on.", "reason"},
    {"node.lease_awaited", level::info, "An earlier life of this node holds the lease: it is waited for.",
     "for"},
    {"node.lease_kept", level::warn, "The lease could not be released: it runs out by itself.", "reason"},
    {"node.watch_failed", level::warn, "Commits of others cannot be watched; the tick finds them.", "reason"},
    {"node.configured", level::info, "The rules to run were listed.", "rules"},
    {"node.heartbeat_failed", level::warn, "The heartbeat could not be written.", "reason"},
    {"node.look_failed", level::warn,
     "The database could not be asked for changes; the next tick asks again.", "reason"},
    {"node.clean_up_failed", level::warn,
     "What is too old could not be removed; it is tried again in an hour.", "reason"},
    {"chain.ended", level::debug, "A chain has ended.", "rule, run, ending, reason"},
    {"chain.faulted", level::warn, "A chain ended with a fault; it is started again.",
     "rule, run, ending, reason"},
    {"rule.restarted", level::error, "A rule's actor died and was started again.", "rule"},
    {"fan_out.failed", level::warn,
     "Events could not be turned into deliveries; the next tick goes on where they are.", "reason"},
    {"fan_out.restarted", level::error, "What turns events into deliveries died and was started again.", ""},
    {"push.failed", level::warn,
     "A subscription's deliveries could not be read or recorded; it is tried again.", "subscription, reason"},
    {"subscription.restarted", level::error, "A subscription's actor died; its work goes on.",
     "subscription"},
    {"subscription.disabled", level::warn,
     "A subscription was disabled: its deliveries wait until a person enables it.", "subscription, cause"},
    {"deliveries.expired", level::warn,
     "Deliveries that were still waiting were removed: they are older than what is retained.", "deliveries"},
    {"replay.started", level::info, "A window replay has begun.", "subscription, replay, deliveries, by"},
    {"replayer.restarted", level::error, "What carries window replays out died and was started again.", ""},
    {"replay.ended", level::info, "A window replay has ended.", "subscription, replay, deliveries, by"},
    {"replay.waits", level::warn, "A replay's next batch could not be written; it is tried again.", "reason"},
    {"callback.profile_unfit", level::error,
     "A provider profile cannot be worked with: its callbacks are answered 503 until it is changed.",
     "profile, fault"},
    {"callback.not_recorded", level::warn, "Callbacks could not be recorded: they were answered 503.",
     "callbacks, reason"},
    {"callback.refusals_lost", level::warn, "Refused callbacks could not be written into the security audit.",
     "callbacks, reason"},
    {"callback.certificate_failed", level::warn,
     "The certificate that callbacks are signed with could not be fetched.", "reason"},
    {"callback.confirmed", level::info, "A provider's subscription to send callbacks was confirmed.",
     "profile"},
    {"callback.confirmation_failed", level::warn,
     "A provider's subscription could not be confirmed: have the provider ask again.", "profile, reason"},
    {"callback_intake.restarted", level::error, "What takes callbacks died and was started again.", ""},
    {"projector.failed", level::warn, "Provider events could not be projected; the next look tries again.",
     "reason"},
    {"projector.restarted", level::error, "What projects provider events died and was started again.", ""},
    {"projections.rebuilt", level::info, "Projections were made anew from the ledger.",
     "attempts, events, upto, by"},
    {"sending.failed", level::warn,
     "A profile's notifications could not be read or recorded; it is tried again.", "profile, reason"},
    {"notifier.restarted", level::error,
     "A profile's notifier died; what it had out becomes ambiguous, the rest goes on.", "profile"},
    {"profile.unusable", level::error,
     "A provider profile cannot send as it is: its notifications go to the next of their routes.",
     "profile, reason"},
    {"notifications.unreadable", level::error, "Notifications could not be opened by any key; they wait.",
     "profile, notifications"},
    {"clock.corrected", level::warn,
     "A provider refused calls because this node's clock is wrong; they went out by its time.",
     "profile, by, clock_is"},
    {"reconciler.restarted", level::error,
     "What finds out about unknown outcomes died and was started again.", ""},
    {"reconciliation.failed", level::warn,
     "What is not known of attempts could not be read or recorded; it is tried again.", "reason"},
    {"attempt.needs_person", level::warn,
     "Whether a message was sent cannot be found out any more: a person has to settle it.",
     "notification, attempt, verdict"},
    {"connection.refused", level::error,
     "A target refused the connection's credentials; its routes are closed.", "rule, connection, reason"},
    {"backfill.write_dropped", level::info,
     "Backfill write dropped: the backfill ended or began anew meanwhile.", "rule, generation"},
    {"backfill.started", level::info, "Backfill started by hand.", "rule, by"},
    {"backfill.aborted", level::info, "Backfill aborted by hand.", "rule, until, by"},
    {"cursor.opened", level::info, "A rule's first activation opened its cursor.", "rule"},
    {"cursor.missing", level::warn, "A rule that has delivered before had no cursor: one was opened anew.",
     "rule"},
    {"withdrawals.held", level::warn,
     "More withdrawals than the limit: they are held until a person decides.",
     "rule, pending, known, threshold"},
    {"record.settled_by_hand", level::info, "A person said what became of a record.", "rule, as, by"},
    {"record.offered", level::info, "A person has a record tried again.", "rule, act, by"},
    {"records.linked", level::info, "A person told which remote ids the target has already.",
     "rule, rows, by"},
    {"job.started", level::info, "An act on many records has begun.", "rule, job, act, rows, by"},
    {"job.ended", level::info, "An act on many records has ended.", "rule, job, act, rows, by"},
    {"job.waits", level::warn, "A job's next batch could not be written; it is tried again.", "rule, reason"},
    {"ledger.lost_race", level::warn, "Ledger rows had changed since they were read and were left alone.",
     "rule, rows"},
    {"api.listening", level::info, "The API is served.", "address"},
    {"api.socket_failed", level::warn, "The API has no socket for this machine's commands.", "reason"},
    {"api.identity_refused", level::error, "The certificate or its key cannot be used: the old ones stay.",
     "reason"},
    {"settings.reloaded", level::info, "The settings were read again.", "changed"},
    {"settings.refused", level::error, "The new settings have faults: those in force stay.", "fault"},
    {"settings.need_restart", level::warn, "A changed setting takes effect with the next start.", "setting"},
}};
static_assert(catalogue[static_cast<std::size_t>(event::settings_need_restart)].id
              == "settings.need_restart");

const event_description& entry_of(event what) {
  return catalogue[static_cast<std::size_t>(what)];
}

spdlog::level::level_enum spdlog_level(level severity) {
  switch (severity) {
  case level::error:
    return spdlog::level::err;
  case level::warn:
    return spdlog::level::warn;
  case level::info:
    return spdlog::level::info;
  case level::debug:
    return spdlog::level::debug;
  }
  return spdlog::level::info;
}

struct open_sink {
  std::shared_ptr<spdlog::logger> logger;
  bool json = false;
};

/// Read by every line; opened before the first actor starts, and anew when its settings change.
class log_sink {
public:
  static log_sink& instance() {
    static log_sink the_one;
    return the_one;
  }
  void open(open_sink made) {
    const std::unique_lock alone{mutex_};
    sink_ = std::move(made);
  }
  [[nodiscard]] open_sink get() const {
    const std::shared_lock together{mutex_};
    return sink_;
  }

private:
  mutable std::shared_mutex mutex_;
  open_sink sink_;
};

std::string as_json(const event_description& entry, std::string_view actor,
                    std::initializer_list<field> fields) {
  nlohmann::ordered_json line{{"event", entry.id}, {"actor", actor}, {"message", entry.sentence}};
  for (const auto& each : fields)
    line[std::string{each.name}] = each.value;
  auto text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.substr(1); // the pattern opens the object with time and level
}

bool is_plain(unsigned char byte) {
  return byte > ' ' && byte < 0x7f && byte != '"' && byte != '=' && byte != '\\';
}

/// As it stands where nothing in it could be taken for something else, or between quotes, escaped: a value
/// from outside must not be able to write lines of its own, nor to a terminal.
std::string text_value(const std::string& value) {
  if (!value.empty() && std::ranges::all_of(value, is_plain))
    return value;
  return nlohmann::json(value).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string as_text(const event_description& entry, std::string_view actor,
                    std::initializer_list<field> fields) {
  std::string line;
  line.append(entry.id).append(" ").append(actor).append(": ").append(entry.sentence);
  for (const auto& each : fields)
    line.append(" ").append(each.name).append("=").append(text_value(each.value));
  return line;
}

} // namespace

void open_log(std::string_view level, std::string_view format) {
  auto logger = std::make_shared<spdlog::logger>("sluice", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  auto json = format == "json";
  logger->set_pattern(json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v)"
                           : "%Y-%m-%dT%H:%M:%S.%fZ %l %v",
                      spdlog::pattern_time_type::utc);
  logger->set_level(level == "error"
                        ? spdlog::level::err
                        : spdlog::level::from_str(std::string{level == "warn" ? "warning" : level}));
  logger->flush_on(spdlog::level::trace);
  log_sink::instance().open({std::move(logger), json});
}

void log(event what, std::string_view actor, std::initializer_list<field> fields) {
  const auto [logger, json] = log_sink::instance().get();
  const auto& entry = entry_of(what);
  auto severity = spdlog_level(entry.severity);
  if (!logger || !logger->should_log(severity))
    return;
  logger->log(severity, "{}", json ? as_json(entry, actor, fields) : as_text(entry, actor, fields));
}

std::span<const event_description> event_catalogue() noexcept {
  return catalogue;
}

std::string_view to_string(level severity) noexcept {
  switch (severity) {
  case level::error:
    return "error";
  case level::warn:
    return "warn";
  case level::info:
    return "info";
  case level::debug:
    return "debug";
  }
  return "unknown";
}

} // namespace sluice::telemetry
