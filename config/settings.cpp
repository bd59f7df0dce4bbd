#include "config/settings.hpp"

#include "config/api_socket.hpp"
#include "config/listen_address.hpp"
#include "config/setting_keys.hpp"
#include "core/ip_address.hpp"
#include "core/outside_address.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <tuple>

namespace sluice::config {
namespace {

/// Two settings that do not go together: the first one named is where the fault is shown.
void require(std::vector<std::string>& faults, bool holds, std::string_view key, const std::string& value,
             const std::string& rule) {
  if (!holds) {
    faults.push_back(std::string{key} + " = " + value + ": " + rule);
  }
}

std::string text(duration d) {
  return core::to_text(d);
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

/// 32 bytes: 43 characters of base64 and one '=', or 64 hex digits.
bool is_key_text(std::string_view key) {
  if (key.size() == 64) {
    return std::ranges::all_of(key, [](unsigned char c) { return std::isxdigit(c) != 0; });
  }
  return key.size() == 44 && key.back() == '=' && std::ranges::all_of(key.substr(0, 43), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '+' || c == '/';
         });
}

void check_keys(std::string_view setting, const std::vector<std::string>& keys,
                std::vector<std::string>& faults) {
  std::set<std::string_view> names;
  for (std::size_t index = 0; index < keys.size(); ++index) {
    const std::string_view key = keys[index];
    const auto colon = std::min(key.find(':'), key.size());
    const auto name = key.substr(0, colon);
    const std::string place = std::string{setting} + ": key " + std::to_string(index + 1);
    if (colon == key.size() || name.empty() || name.size() > 32
        || !std::ranges::all_of(name, is_name_character)) {
      faults.push_back(
          place + " has no name; allowed is NAME:KEY with a name of 1 to 32 letters, digits, '-' or '_'");
      continue;
    }
    if (!is_key_text(key.substr(colon + 1))) {
      faults.push_back(place + " (" + std::string{name}
                       + ") is not a key; allowed are 32 bytes as base64 (44 characters) or hex (64 digits)");
    }
    if (!names.insert(name).second) {
      faults.push_back(place + " has the name " + std::string{name}
                       + " a second time; each name is allowed once");
    }
  }
}

void check_delivery(const settings& all, std::vector<std::string>& faults) {
  const auto& [delivery, calls] = std::tie(all.delivery, all.calls);
  const auto least = delivery.dispatch_interval + delivery.step_timeout;
  require(faults, delivery.stale_after > least, "delivery.stale_after", text(delivery.stale_after),
          "must be more than delivery.dispatch_interval + delivery.step_timeout (" + text(least) + ")");
  require(faults, delivery.heartbeat_stale_after > delivery.dispatch_interval,
          "delivery.heartbeat_stale_after", text(delivery.heartbeat_stale_after),
          "must be more than delivery.dispatch_interval (" + text(delivery.dispatch_interval) + ")");
  require(faults, delivery.settle_after >= calls.call_timeout, "delivery.settle_after",
          text(delivery.settle_after),
          "must be at least calls.call_timeout (" + text(calls.call_timeout) + ")");
  require(faults, delivery.step_timeout > calls.call_timeout, "delivery.step_timeout",
          text(delivery.step_timeout),
          "must be more than calls.call_timeout (" + text(calls.call_timeout) + ")");
  require(faults, delivery.scan_examine_limit >= delivery.scan_batch_size, "delivery.scan_examine_limit",
          std::to_string(delivery.scan_examine_limit),
          "must be at least delivery.scan_batch_size (" + std::to_string(delivery.scan_batch_size) + ")");
  require(faults, !delivery.retry_schedule.empty() && delivery.retry_schedule.size() <= 100,
          "delivery.retry_schedule", std::to_string(delivery.retry_schedule.size()) + " waits",
          "1 to 100 waits are allowed");
}

void check_calls(const call_settings& calls, std::vector<std::string>& faults) {
  require(faults, calls.connect_timeout <= calls.call_timeout, "calls.connect_timeout",
          text(calls.connect_timeout),
          "must be at most calls.call_timeout (" + text(calls.call_timeout) + ")");
  require(faults, calls.max_in_flight <= calls.max_in_flight_connection, "calls.max_in_flight",
          std::to_string(calls.max_in_flight),
          "must be at most calls.max_in_flight_connection (" + std::to_string(calls.max_in_flight_connection)
              + ")");
  require(faults, calls.max_in_flight_connection <= calls.max_in_flight_node,
          "calls.max_in_flight_connection", std::to_string(calls.max_in_flight_connection),
          "must be at most calls.max_in_flight_node (" + std::to_string(calls.max_in_flight_node) + ")");
  for (const auto& network : calls.allowed_networks) {
    const bool whole = network.find('/') != std::string::npos && core::parse_network(network);
    require(faults, whole, "calls.allowed_networks", "\"" + network + "\"",
            "a network is ADDRESS/BITS without bits behind those, such as 10.0.0.0/8 or fd00::/8");
  }
}

void check_subscriptions(const settings& all, std::vector<std::string>& faults) {
  const auto& [subscriptions, calls] = std::tie(all.subscriptions, all.calls);
  require(faults, subscriptions.max_in_flight <= calls.max_in_flight_node, "subscriptions.max_in_flight",
          std::to_string(subscriptions.max_in_flight),
          "must be at most calls.max_in_flight_node (" + std::to_string(calls.max_in_flight_node) + ")");
  require(faults, subscriptions.claims_max >= subscriptions.max_in_flight, "subscriptions.claims_max",
          std::to_string(subscriptions.claims_max),
          "must be at least subscriptions.max_in_flight (" + std::to_string(subscriptions.max_in_flight)
              + ")");
  require(faults, subscriptions.lease >= 2 * calls.call_timeout, "subscriptions.lease",
          text(subscriptions.lease),
          "must be at least twice calls.call_timeout (" + text(2 * calls.call_timeout) + ")");
  require(faults, !subscriptions.retry_schedule.empty() && subscriptions.retry_schedule.size() <= 100,
          "subscriptions.retry_schedule", std::to_string(subscriptions.retry_schedule.size()) + " waits",
          "1 to 100 waits are allowed");
}

void check_callbacks(const callback_settings& callbacks, std::vector<std::string>& faults) {
  const auto url = core::parse_outside_url(callbacks.public_url);
  const auto usable = url && url->path.empty();
  if (!callbacks.public_url.empty() && !usable)
    faults.push_back("callbacks.public_url = \"" + callbacks.public_url
                     + "\": " + (url ? "it ends behind its host or port, without a path" : url.error()));
  require(faults, callbacks.in_hand_bytes_max >= callbacks.body_bytes_max, "callbacks.in_hand_bytes_max",
          std::to_string(callbacks.in_hand_bytes_max),
          "must be at least callbacks.body_bytes_max (" + std::to_string(callbacks.body_bytes_max) + ")");
  require(faults, callbacks.refusals_total >= callbacks.refusals_per_profile, "callbacks.refusals_total",
          std::to_string(callbacks.refusals_total),
          "must be at least callbacks.refusals_per_profile (" + std::to_string(callbacks.refusals_per_profile)
              + ")");
}

void check_notifications(const settings& all, std::vector<std::string>& faults) {
  const auto& [notifications, calls] = std::tie(all.notifications, all.calls);
  require(faults, notifications.max_in_flight <= calls.max_in_flight_node, "notifications.max_in_flight",
          std::to_string(notifications.max_in_flight),
          "must be at most calls.max_in_flight_node (" + std::to_string(calls.max_in_flight_node) + ")");
  require(faults, notifications.claims_max >= notifications.max_in_flight, "notifications.claims_max",
          std::to_string(notifications.claims_max),
          "must be at least notifications.max_in_flight (" + std::to_string(notifications.max_in_flight)
              + ")");
  require(faults, notifications.lease >= 3 * calls.call_timeout, "notifications.lease",
          text(notifications.lease),
          "must be at least three times calls.call_timeout (" + text(3 * calls.call_timeout) + ")");
  require(faults, !notifications.retry_schedule.empty() && notifications.retry_schedule.size() <= 100,
          "notifications.retry_schedule", std::to_string(notifications.retry_schedule.size()) + " waits",
          "1 to 100 waits are allowed");
  const auto& looks = notifications.reconcile_schedule;
  require(faults, !looks.empty() && looks.size() <= 100 && std::ranges::is_sorted(looks),
          "notifications.reconcile_schedule", std::to_string(looks.size()) + " looks",
          "1 to 100 looks are allowed, each no sooner than the one before");
}

/// RFC 6750's token68: what a header carries without quotes.
bool is_token_character(unsigned char c) {
  return std::isalnum(c) != 0
         || std::string_view{"-._~+/="}.find(static_cast<char>(c)) != std::string_view::npos;
}

void check_api(const api_settings& api, std::vector<std::string>& faults) {
  if (!api.listen.empty())
    if (const auto where = parse_listen_address(api.listen); !where)
      faults.push_back("api.listen = \"" + api.listen + "\": " + where.error());
  const bool usable = api.token.size() >= 16 && std::ranges::all_of(api.token, is_token_character);
  if (!api.token.empty() && !usable)
    faults.emplace_back("api.token = (hidden): it must be empty or have 16 or more characters, allowed are "
                        "letters, digits and -._~+/=");
  if (api.tls_certificate_file.empty() != api.tls_key_file.empty())
    faults.emplace_back("api.tls_certificate_file and api.tls_key_file: one is set, the other is not; TLS "
                        "needs both");
  if (api.socket.empty() || api.socket.size() > socket_path_bytes_max)
    faults.push_back("api.socket = \"" + api.socket + "\": allowed are auto, none, or a path of 1 to "
                     + std::to_string(socket_path_bytes_max) + " bytes");
}

void check_database(const database_settings& database, std::vector<std::string>& faults) {
  constexpr std::array<std::string_view, 4> forms{"sqlite:", "postgresql://", "postgres://", "postgresql:"};
  const std::string_view url = database.url;
  const bool known =
      std::ranges::any_of(forms, [&](auto form) { return url.starts_with(form) && url != form; });
  if (!known && !url.empty()) {
    faults.emplace_back(
        "database.url: allowed are sqlite:PATH, postgresql://USER@HOST/NAME and postgresql:CONNINFO");
  }
}

} // namespace

std::vector<std::string> settings::validate() const {
  std::vector<std::string> faults;
  for (const auto& key : setting_keys()) {
    std::ranges::move(range_faults(key, *this), std::back_inserter(faults));
  }
  check_database(database, faults);
  require(faults, node.lease_renewal + node.lease_margin < node.lease_length, "node.lease_length",
          text(node.lease_length),
          "must be more than node.lease_renewal + node.lease_margin ("
              + text(node.lease_renewal + node.lease_margin)
              + "), or the lease runs out before it is renewed");
  check_delivery(*this, faults);
  check_calls(calls, faults);
  check_subscriptions(*this, faults);
  check_callbacks(callbacks, faults);
  check_notifications(*this, faults);
  require(faults, throttle.default_block <= throttle.max_block, "throttle.default_block",
          text(throttle.default_block),
          "must be at most throttle.max_block (" + text(throttle.max_block) + ")");
  require(faults, circuit.cooldown <= circuit.cooldown_max, "circuit.cooldown", text(circuit.cooldown),
          "must be at most circuit.cooldown_max (" + text(circuit.cooldown_max) + ")");
  check_keys("keys.keys", keys.keys, faults);
  check_keys("keys.fingerprint_keys", keys.fingerprint_keys, faults);
  check_api(api, faults);
  return faults;
}

} // namespace sluice::config
