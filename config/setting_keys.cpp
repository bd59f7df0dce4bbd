#include "config/setting_keys.hpp"

#include "config/callback_keys.hpp"
#include "config/notification_keys.hpp"
#include "config/subscription_keys.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace sluice::config {
namespace {

using s = settings;

constexpr std::int64_t us(duration d) {
  return d.count();
}
constexpr std::int64_t any_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t year = us(24h * 366);

/// In the order of the settings file: a section's keys stand together.
constexpr auto first_keys = std::to_array<setting_key>({
    {"database",
     "url",
     [](s& x) -> setting_slot { return &x.database.url; },
     "text",
     R"(Where the data is: "sqlite:PATH", "postgresql://USER@HOST/NAME" or "postgresql:CONNINFO".)",
     1,
     any_most,
     {},
     true},
    {"database", "busy_timeout", [](s& x) -> setting_slot { return &x.database.busy_timeout; }, "duration",
     "How long a statement waits for a lock.", us(1ms), us(10min)},
    {"database", "readers", [](s& x) -> setting_slot { return &x.database.readers; }, "sessions",
     "Reader sessions beside the one writer.", 1, 16},
    {"database", "group_rows_max", [](s& x) -> setting_slot { return &x.database.group_rows_max; }, "rows",
     "Rows one grouped transaction takes at the most.", 1, 100'000},

    {"node", "name", [](s& x) -> setting_slot { return &x.node.name; }, "text",
     "This node's name; unique among the nodes of one database.", 1, 128},
    {"node", "lease_length", [](s& x) -> setting_slot { return &x.node.lease_length; }, "duration",
     "How long this node may write without renewing its lease.", us(1s), us(10min)},
    {"node", "lease_renewal", [](s& x) -> setting_slot { return &x.node.lease_renewal; }, "duration",
     "How often the lease is renewed.", us(100ms), us(10min)},
    {"node", "lease_margin", [](s& x) -> setting_slot { return &x.node.lease_margin; }, "duration",
     "Calls stop starting this long before the lease would run out.", us(100ms), us(10min)},

    {"delivery", "dispatch_interval", [](s& x) -> setting_slot { return &x.delivery.dispatch_interval; },
     "duration", "How often the dispatcher looks for work; a change wakes it at once.", us(10ms), us(1h)},
    {"delivery", "sweep_interval", [](s& x) -> setting_slot { return &x.delivery.sweep_interval; },
     "duration", "An idle rule is scanned at least so often.", us(1s), year},
    {"delivery", "scan_batch_size", [](s& x) -> setting_slot { return &x.delivery.scan_batch_size; },
     "records", "Records one scan or backfill batch takes.", 1, 10'000},
    {"delivery", "drain_chunk_size", [](s& x) -> setting_slot { return &x.delivery.drain_chunk_size; },
     "records", "Records one drain chunk takes.", 1, 10'000},
    {"delivery", "scan_examine_limit", [](s& x) -> setting_slot { return &x.delivery.scan_examine_limit; },
     "rows", "Mirror rows one read looks at.", 1, 10'000'000},
    {"delivery", "scan_overlap", [](s& x) -> setting_slot { return &x.delivery.scan_overlap; }, "duration",
     "How far behind its position a delta pass begins, for rows that were committed late.", 0, us(24h)},
    {"delivery", "batches_in_hand", [](s& x) -> setting_slot { return &x.delivery.batches_in_hand; },
     "batches", "Batches a rule holds at once: read, out or not yet recorded.", 1, 100},
    {"delivery", "backfill_batch_time", [](s& x) -> setting_slot { return &x.delivery.backfill_batch_time; },
     "duration", "A backfill batch ends after so long of calls, so that changes need not wait for it.",
     us(1ms), us(1h)},
    {"delivery", "step_timeout", [](s& x) -> setting_slot { return &x.delivery.step_timeout; }, "duration",
     "A chain whose calls are out and none of them answered for so long is ended, its run faulted.", us(1s),
     us(24h)},
    {"delivery", "stale_after", [](s& x) -> setting_slot { return &x.delivery.stale_after; }, "duration",
     "A rule that completed nothing for so long is shown as stale; more than dispatch_interval + "
     "step_timeout.",
     us(1s), year},
    {"delivery", "heartbeat_stale_after",
     [](s& x) -> setting_slot { return &x.delivery.heartbeat_stale_after; }, "duration",
     "A dispatcher without a sign of life for so long is shown as down.", us(1s), us(24h)},
    {"delivery", "retry_schedule", [](s& x) -> setting_slot { return &x.delivery.retry_schedule; },
     "list of durations",
     "Waits between attempts; one failure more than there are waits exhausts the record.", us(1ms), year},
    {"delivery", "settle_after", [](s& x) -> setting_slot { return &x.delivery.settle_after; }, "duration",
     "A lookup that finds nothing counts only this long after the call; at least calls.call_timeout.",
     us(1ms), us(24h)},
    {"delivery", "run_retention", [](s& x) -> setting_slot { return &x.delivery.run_retention; }, "duration",
     "How long the history of runs is kept.", us(1h), 20 * year},

    {"calls", "connect_timeout", [](s& x) -> setting_slot { return &x.calls.connect_timeout; }, "duration",
     "How long a target may take to accept a connection, handshake included.", us(1ms), us(10min)},
    {"calls", "call_timeout", [](s& x) -> setting_slot { return &x.calls.call_timeout; }, "duration",
     "How long one call may take in all.", us(10ms), us(1h)},
    {"calls", "max_in_flight", [](s& x) -> setting_slot { return &x.calls.max_in_flight; }, "calls",
     "Calls out at once for one rule.", 1, 10'000},
    {"calls", "max_in_flight_connection",
     [](s& x) -> setting_slot { return &x.calls.max_in_flight_connection; }, "calls",
     "Calls out at once to one target connection; at least max_in_flight.", 1, 10'000},
    {"calls", "max_in_flight_node", [](s& x) -> setting_slot { return &x.calls.max_in_flight_node; }, "calls",
     "Calls out at once for the node; at least max_in_flight_connection.", 1, 10'000},
    {"calls", "answer_bytes_max", [](s& x) -> setting_slot { return &x.calls.answer_bytes_max; }, "bytes",
     "Bytes of an answer that are read; what is longer is cut there.", 1024, std::int64_t{1} << 30},
    {"calls", "allowed_networks", [](s& x) -> setting_slot { return &x.calls.allowed_networks; },
     "list of networks",
     R"(Networks ("10.0.0.0/8", "::1/128") that may be called although they are not public.)", 1, 64},
    {"calls", "proxy", [](s& x) -> setting_slot { return &x.calls.proxy; }, "text",
     "Proxy for outside calls (\"http://HOST:PORT\"); empty: none, whatever the environment says."},
    {"calls", "ca_file", [](s& x) -> setting_slot { return &x.calls.ca_file; }, "text",
     "File of the certificate authorities to trust; empty: the system's."},

    {"throttle", "max_wait", [](s& x) -> setting_slot { return &x.throttle.max_wait; }, "duration",
     "A wait for budget that is longer than this ends the run as throttled.", us(1ms), us(24h)},
    {"throttle", "max_block", [](s& x) -> setting_slot { return &x.throttle.max_block; }, "duration",
     "A 429 that asks for a longer wait is cut to this.", us(1s), us(24h * 31)},
    {"throttle", "default_block", [](s& x) -> setting_slot { return &x.throttle.default_block; }, "duration",
     "The wait after a 429 that names none.", us(1ms), us(24h * 31)},

    {"circuit", "failures", [](s& x) -> setting_slot { return &x.circuit.failures; }, "failures",
     "Failures in a row on one connection that open its circuit.", 1, 100'000},
    {"circuit", "cooldown", [](s& x) -> setting_slot { return &x.circuit.cooldown; }, "duration",
     "How long an open circuit waits before one trial call; doubles with each that fails.", us(1ms), us(24h)},
    {"circuit", "cooldown_max", [](s& x) -> setting_slot { return &x.circuit.cooldown_max; }, "duration",
     "The longest such wait.", us(1ms), us(24h * 7)},

    {"volume", "floor", [](s& x) -> setting_slot { return &x.volume.floor; }, "withdrawals",
     "Withdrawals within the window that always pass; more than this and the share hold a rule's "
     "withdrawals.",
     0, any_most},
    {"volume", "share", [](s& x) -> setting_slot { return &x.volume.share; }, "share",
     "Share of what the target holds under a rule that may be withdrawn within the window.", 0, 1},
    {"volume", "window", [](s& x) -> setting_slot { return &x.volume.window; }, "duration",
     "Withdrawals of so long ago still count.", us(1min), us(24h * 31)},

    {"lifecycle", "grace_period", [](s& x) -> setting_slot { return &x.lifecycle.grace_period; }, "duration",
     "From a connection's disconnect to its purge; until then a reconnect brings everything back.", us(1s),
     20 * year},

    {"keys",
     "keys",
     [](s& x) -> setting_slot { return &x.keys.keys; },
     "list of keys",
     "Keys that seal credentials, each \"NAME:KEY\" with 32 bytes as base64 or hex; the first seals, all "
     "open.",
     1,
     512,
     {},
     true},
    {"keys", "keys_file", [](s& x) -> setting_slot { return &x.keys.keys_file; }, "text",
     "File with one such key a line; they come after those of keys. Empty: none."},
    {"keys",
     "fingerprint_keys",
     [](s& x) -> setting_slot { return &x.keys.fingerprint_keys; },
     "list of keys",
     "Keys by which addresses of contact points are found, written as keys are and none of those; the first "
     "makes new fingerprints, all find.",
     1,
     512,
     {},
     true},
    {"keys", "fingerprint_keys_file", [](s& x) -> setting_slot { return &x.keys.fingerprint_keys_file; },
     "text", "File with one such key a line; they come after those of fingerprint_keys. Empty: none."},

    {"log", "level", [](s& x) -> setting_slot { return &x.log.level; }, "text",
     "What is logged: this level and what is graver.", 0, any_most, "error|warn|info|debug", false, true},
    {"log", "format", [](s& x) -> setting_slot { return &x.log.format; }, "text",
     "How a log line is written.", 0, any_most, "text|json", false, true},

    {"actors", "request_timeout", [](s& x) -> setting_slot { return &x.actors.request_timeout; }, "duration",
     "How long one part of the node waits for another's answer, the database's work included.", us(100ms),
     us(1h)},
    {"actors", "shutdown_timeout", [](s& x) -> setting_slot { return &x.actors.shutdown_timeout; },
     "duration", "Within this what is left is recorded after SIGTERM, then the process ends.", us(100ms),
     us(9500ms)},

    {"api", "listen", [](s& x) -> setting_slot { return &x.api.listen; }, "text",
     "Where a node serves its HTTP API and commands find it: ADDRESS:PORT, or PORT for 127.0.0.1; empty: not "
     "over the network."},
    {"api", "socket", [](s& x) -> setting_slot { return &x.api.socket; }, "text",
     "A Unix socket for the node's own user and root, who need no token: a path, none, or auto (beside an "
     "SQLite database, its name and .sock; else none)."},
    {"api",
     "token",
     [](s& x) -> setting_slot { return &x.api.token; },
     "text",
     "Whoever shows this token may do everything over the API; 16 characters or more. Empty: there are only "
     "the tokens that `sluice tokens create` makes.",
     0,
     512,
     {},
     true},
    {"api", "scheme", [](s& x) -> setting_slot { return &x.api.scheme; }, "text",
     "How browsers reach the page: https where a proxy before it speaks TLS, so that the sign-in never "
     "travels "
     "in clear.",
     0, any_most, "http|https"},
    {"api", "tls_certificate_file", [](s& x) -> setting_slot { return &x.api.tls_certificate_file; }, "text",
     "A certificate and the chain behind it (PEM): the API is then served over TLS, except on its socket. "
     "Empty: in clear. Read again on SIGHUP."},
    {"api", "tls_key_file", [](s& x) -> setting_slot { return &x.api.tls_key_file; }, "text",
     "The private key of that certificate (PEM)."},
    {"api", "session_lifetime", [](s& x) -> setting_slot { return &x.api.session_lifetime; }, "duration",
     "How long a sign-in at the page lasts.", us(1min), us(24h * 30)},
    {"api", "connections_max", [](s& x) -> setting_slot { return &x.api.connections_max; }, "connections",
     "Connections to the API at once; for one more, the one that waits longest without a request is closed.",
     1, 100'000},
    {"api", "header_bytes_max", [](s& x) -> setting_slot { return &x.api.header_bytes_max; }, "bytes",
     "Bytes of a request's head.", 512, 1 << 20},
    {"api", "body_bytes_max", [](s& x) -> setting_slot { return &x.api.body_bytes_max; }, "bytes",
     "Bytes of a request's body.", 1024, 1 << 30},
    {"api", "header_timeout", [](s& x) -> setting_slot { return &x.api.header_timeout; }, "duration",
     "How long a request's head may take from its first byte to its last.", us(10ms), us(10min)},
    {"api", "body_timeout", [](s& x) -> setting_slot { return &x.api.body_timeout; }, "duration",
     "How long a body may take to arrive, and an answer to leave.", us(10ms), us(1h)},
    {"api", "idle_timeout", [](s& x) -> setting_slot { return &x.api.idle_timeout; }, "duration",
     "How long a connection may wait for its next request.", us(10ms), us(24h)},
    {"api", "stream_idle_timeout", [](s& x) -> setting_slot { return &x.api.stream_idle_timeout; },
     "duration", "How long a stream of records may pause; in all it may take as long as it likes.", us(10ms),
     us(1h)},
    {"api", "stream_queue_bytes_max", [](s& x) -> setting_slot { return &x.api.stream_queue_bytes_max; },
     "bytes", "What may wait for a client that reads a streamed answer too slowly; with more it is cut.",
     1024, 1 << 30},

    {"intake", "streams_max", [](s& x) -> setting_slot { return &x.intake.streams_max; }, "posts",
     "Posts of records at once.", 1, 10'000},
    {"intake", "batch_records_max", [](s& x) -> setting_slot { return &x.intake.batch_records_max; },
     "records", "Records of a post that are stored in one transaction.", 1, 100'000},
    {"intake", "batch_bytes_max", [](s& x) -> setting_slot { return &x.intake.batch_bytes_max; }, "bytes",
     "Bytes of them; each post holds so much at the most, and a line more.", 1024, 1 << 30},
    {"intake", "line_bytes_max", [](s& x) -> setting_slot { return &x.intake.line_bytes_max; }, "bytes",
     "Bytes of a posted line.", 64, 1 << 28},
    {"intake", "refused_listed_max", [](s& x) -> setting_slot { return &x.intake.refused_listed_max; },
     "lines", "Refused lines an answer names; all are counted.", 0, 10'000},

    {"live", "streams_max", [](s& x) -> setting_slot { return &x.live.streams_max; }, "pages",
     "Open pages that are told what changes.", 1, 100'000},
    {"live", "interval", [](s& x) -> setting_slot { return &x.live.interval; }, "duration",
     "How often the state is looked at for them; with no page open it is not.", us(10ms), us(1s)},
    {"live", "stream_time_max", [](s& x) -> setting_slot { return &x.live.stream_time_max; }, "duration",
     "After so long a page must connect, and show its token or sign-in, again.", us(1s), us(24h)},

    {"metrics", "access", [](s& x) -> setting_slot { return &x.metrics.access; }, "text",
     "Who may read GET /metrics: whoever has a viewer's token for all tenants, or anyone.", 0, any_most,
     "viewer|anyone"},
    {"metrics", "connections_max", [](s& x) -> setting_slot { return &x.metrics.connections_max; },
     "connections", "Target connections with figures of their own; those beyond it share the label other.", 0,
     10'000},
});

constexpr auto joined() {
  std::array<setting_key,
             first_keys.size() + subscription_keys.size() + callback_keys.size() + notification_keys.size()>
      all{};
  auto behind = std::ranges::copy(first_keys, all.begin()).out;
  behind = std::ranges::copy(subscription_keys, behind).out;
  behind = std::ranges::copy(callback_keys, behind).out;
  std::ranges::copy(notification_keys, behind);
  return all;
}

constexpr auto table = joined();

std::string upper(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

} // namespace

std::span<const setting_key> setting_keys() noexcept {
  return table;
}

const setting_key* find_setting(std::string_view section, std::string_view name) noexcept {
  const auto found = std::ranges::find_if(
      table, [&](const setting_key& key) { return key.section == section && key.name == name; });
  return found == table.end() ? nullptr : &*found;
}

bool is_section(std::string_view section) noexcept {
  return std::ranges::any_of(table, [&](const setting_key& key) { return key.section == section; });
}

std::string full_name(const setting_key& key) {
  return std::string{key.section} + "." + std::string{key.name};
}

std::string environment_name(const setting_key& key) {
  return "SLUICE_" + upper(key.section) + "_" + upper(key.name);
}

} // namespace sluice::config
