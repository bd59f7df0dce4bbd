#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::config {

using core::duration;
using namespace std::chrono_literals;

struct database_settings {
  std::string url = "sqlite:sluice.db"; ///< "sqlite:PATH" or "postgresql://…"
  duration busy_timeout = 5s;
  std::int32_t readers = 2;           ///< reader sessions beside the one writer; 1 to 16
  std::int32_t group_rows_max = 2000; ///< rows one grouped transaction takes at the most
};

struct node_settings {
  std::string name = "node-1"; ///< unique in a cluster
  duration lease_length = 15s;
  duration lease_renewal = 5s;
  duration lease_margin = 3s; ///< calls stop starting this long before the lease would run out
};

struct delivery_settings {
  duration dispatch_interval = 5s;
  duration sweep_interval = 10min;
  std::int32_t scan_batch_size = 200;
  std::int32_t drain_chunk_size = 200;
  std::int32_t scan_examine_limit = 20000; ///< mirror rows one read looks at
  duration scan_overlap = 5min;
  std::int32_t batches_in_hand = 6; ///< batches a rule holds at once: read, out or not yet recorded
  std::int32_t chains_max = 1000;   ///< chains that run at once on a node
  duration step_timeout = 5min;     ///< calls out and none answered for so long: the chain ends as faulted
  duration stale_after = 15min;
  duration heartbeat_stale_after = 60s;
  std::vector<duration> retry_schedule = {1min, 5min, 30min, 2h};
  duration backfill_batch_time =
      1s;                      ///< a backfill batch ends after so long of calls, so that delta has its turn
  duration settle_after = 60s; ///< a lookup that finds nothing counts only this long after the call
  duration run_retention = 24h * 30;
};

struct call_settings {
  duration connect_timeout = 5s;
  duration call_timeout = 30s;
  std::int32_t max_in_flight = 8;             ///< a rule
  std::int32_t max_in_flight_connection = 32; ///< a connection
  std::int32_t max_in_flight_node = 512;
  std::size_t answer_bytes_max = 1 << 20;
  std::vector<std::string> allowed_networks; ///< CIDR; public addresses need none
  std::string proxy;
  std::string ca_file;
};

struct throttle_settings {
  duration max_wait = 2min;     ///< a longer wait ends the run as throttled
  duration max_block = 24h;     ///< a 429 that asks for more is cut to this
  duration default_block = 60s; ///< a 429 that names no wait
};

struct circuit_settings {
  std::int32_t failures = 10; ///< in a row, on one connection
  duration cooldown = 60s;
  duration cooldown_max = 15min;
};

struct volume_settings {
  std::int64_t floor = 25; ///< withdrawals that always pass
  double share = 0.10;     ///< of what the target holds under the rule
  duration window = 1h;    ///< withdrawals of so long ago still count
};

struct lifecycle_settings {
  duration grace_period = 24h * 30; ///< from a disconnect to the purge
};

struct subscription_settings {
  duration fan_out_interval = 5s;                ///< a change wakes it at once
  std::int32_t fan_out_events_max = 200;         ///< read at once
  std::int32_t fan_out_bytes_max = 8 << 20;      ///< of them; one event may be larger
  std::int32_t fan_out_deliveries_max = 2000;    ///< written at once
  std::int32_t fan_out_lone_deliveries_max = 64; ///< of an event alone
  std::int32_t max_in_flight = 16;               ///< a subscription
  std::int32_t claims_max = 64; ///< deliveries a subscription has claimed at once; at least max_in_flight
  std::int32_t claimed_bytes_max = 512 << 10; ///< of their events; one event may be larger
  std::int32_t active_max = 256;              ///< subscriptions that push at once on a node
  std::int32_t failing_max = 32;              ///< subscriptions more, whose last push failed, one call each
  duration turn_time = 1s; ///< after so long a subscription that pushes makes room for one that waits
  duration lease = 5min;   ///< a claim without an outcome counts as interrupted after so long
  std::vector<duration> retry_schedule = {1min, 5min, 30min, 2h, 6h};
  duration asked_beyond_max = 2h;   ///< how far a Retry-After may reach past the own wait
  std::int32_t dead_threshold = 20; ///< dead deliveries in a row that disable a subscription
  duration secret_overlap = 24h;    ///< a rotated secret goes on signing for so long
  duration retention = 24h * 30;    ///< of events, deliveries and attempts
  duration audit_retention = 24h * 400;
  std::int32_t answer_bytes_kept = 16 << 10;    ///< of each attempt's answer
  std::int32_t replay_deliveries_max = 100'000; ///< of one window replay
  duration replay_window_max = 24h * 30;        ///< of one window replay, from its first event to its last
};

struct callback_settings {
  std::string public_url; ///< how providers reach the API, "https://HOST"; empty: they do not
  std::int32_t body_bytes_max = 256 << 10;
  duration body_timeout = 10s;
  duration answer_timeout = 5s;   ///< from a whole callback to its answer; what is not recorded then is a 503
  std::int32_t in_hand_max = 512; ///< callbacks at once on a node
  std::int32_t in_hand_bytes_max = 32 << 20; ///< of their bodies
  std::int32_t batch_max = 200;              ///< callbacks recorded in one transaction
  duration profile_age_max = 1s;      ///< a profile that was changed is worked with no longer than so long
  std::int32_t certificates_max = 32; ///< kept at once
  duration certificate_time = 24h;    ///< one is kept for so long
  duration certificate_retry = 10s;   ///< from a fetch that came to nothing to the next
  std::int32_t refusals_in_hand_max = 256; ///< on their way into the audit; what is beyond is counted alone
  std::int64_t refusals_per_profile = 1'000;
  std::int64_t refusals_total = 10'000;
  duration project_interval = 5s;   ///< what is appended is projected at once
  std::int32_t project_batch = 500; ///< events one transaction projects
  duration retention = 24h * 90;    ///< of what providers told; what it came to stays with the attempts
};

struct notification_settings {
  std::int32_t max_in_flight = 32;          ///< a provider profile
  std::int32_t claims_max = 128;            ///< notifications a profile has claimed at once
  std::int32_t claimed_bytes_max = 4 << 20; ///< of their contents; one may be larger
  std::int32_t active_max = 256;            ///< profiles that send at once on a node
  std::int32_t failing_max = 32;            ///< profiles more, that are in trouble, one call each
  duration turn_time = 1s;                  ///< after so long a profile makes room for one that waits
  duration lease = 5min;                    ///< an attempt without an outcome is ambiguous after so long
  std::vector<duration> retry_schedule = {1min, 5min, 30min, 2h}; ///< at one profile
  duration asked_beyond_max = 2h; ///< how far a provider's wait may reach past the own one; its pause, too
  /// Of notifications and their attempts, once they are final; of contact points, once they are removed.
  duration retention = 24h * 90;
  std::vector<duration> reconcile_schedule = {1min, 5min, 30min, 2h, 6h, 24h, 48h, 72h}; ///< since the doubt
  std::int32_t reconcile_batch = 50; ///< targets looked at together
  /// A message that was accepted and nobody told of is asked for after so long; the channels are those with
  /// providers that can be asked.
  duration sms_callback_patience = 24h;
  duration webhook_callback_patience = 24h;
};

struct key_settings {
  std::vector<std::string> keys;             ///< "NAME:BASE64 of 32 bytes"; the first seals, all open
  std::string keys_file;                     ///< one such line a key
  std::vector<std::string> fingerprint_keys; ///< as `keys`, and none of those: they find addresses
  std::string fingerprint_keys_file;         ///< one such line a key
};

struct log_settings {
  std::string level = "info";  ///< error, warn, info, debug
  std::string format = "text"; ///< text or json
};

struct api_settings {
  std::string listen;          ///< "ADDRESS:PORT", or PORT for 127.0.0.1; empty: not over the network
  std::string socket = "auto"; ///< PATH, "none", or "auto": beside an SQLite database; config/api_socket.hpp
  std::string token;           ///< whoever shows it may do everything; empty: there is none
  std::string scheme = "http"; ///< how browsers reach it; https: cookies are marked Secure
  std::string tls_certificate_file; ///< PEM, the chain behind it; empty: in clear
  std::string tls_key_file;         ///< PEM, its private key
  duration session_lifetime = 12h;
  std::int32_t connections_max = 256;
  std::int32_t header_bytes_max = 16 << 10;
  std::int32_t body_bytes_max = 1 << 20;
  duration header_timeout = 10s;                 ///< a request's head, from its first byte to its last
  duration body_timeout = 30s;                   ///< a body in full, and an answer's way out
  duration idle_timeout = 60s;                   ///< a connection without a request
  duration stream_idle_timeout = 60s;            ///< a body that is a stream, between two of its bytes
  std::int32_t stream_queue_bytes_max = 1 << 20; ///< of an answer that is a stream, for a client that lags
};

struct intake_settings {
  std::int32_t streams_max = 16; ///< posts of records at once
  std::int32_t batch_records_max = 10'000;
  std::int32_t batch_bytes_max = 8 << 20;
  std::int32_t line_bytes_max = 2 << 20;
  std::int32_t refused_listed_max = 20;
};

struct live_settings {
  std::int32_t streams_max = 128; ///< pages that are told at once
  duration interval = 500ms;      ///< from look to look
  duration stream_time_max = 10min;
};

struct metrics_settings {
  std::string access = "viewer";      ///< viewer or anyone
  std::int32_t connections_max = 100; ///< target connections with figures of their own
};

struct actor_settings {
  duration request_timeout = 30s; ///< between actors of one node, the database's work included
  duration shutdown_timeout = 8s; ///< what is left is recorded within this, then the process ends
};

struct settings {
  database_settings database;
  node_settings node;
  delivery_settings delivery;
  call_settings calls;
  throttle_settings throttle;
  circuit_settings circuit;
  volume_settings volume;
  lifecycle_settings lifecycle;
  subscription_settings subscriptions;
  callback_settings callbacks;
  notification_settings notifications;
  key_settings keys;
  log_settings log;
  actor_settings actors;
  api_settings api;
  metrics_settings metrics;
  intake_settings intake;
  live_settings live;

  /// Every fault, each a sentence that names the key, what it has and what is allowed. Empty: all is well.
  [[nodiscard]] std::vector<std::string> validate() const;
};

} // namespace sluice::config
