#pragma once

#include "app/http_server.hpp"
#include "app/seeded_draw.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::app {

/// What signatures are verified with.
struct named_key {
  std::string name; ///< what people are told: "secret 2", or its file
  std::string key;  ///< "whsec_…" or "whpk_…"; never shown
};

/// A share of the webhooks that is met otherwise than the rest.
struct planned_failure {
  reaction_kind kind = reaction_kind::answer;
  int status = 503;
  double share = 0;
};

/// Reads "503:0.2", "cut:0.1" or "hang:0.1". The error says what is allowed.
[[nodiscard]] std::expected<planned_failure, std::string> parse_planned_failure(std::string_view text);

inline constexpr int answer_status_min = 200;
inline constexpr int answer_status_max = 599;

/// How webhooks are met: first by the failures that are drawn, the rest by `kind` and `status`.
struct listener_plan {
  reaction_kind kind = reaction_kind::answer;
  int status = 204;
  std::vector<planned_failure> failures{}; ///< their shares are 1 together at most
  std::uint64_t seed = 1;
  std::optional<std::int64_t> retry_after_seconds{}; ///< with every answer that is not 2xx
  core::duration latency{};
  std::optional<std::int64_t> limit{}; ///< the last of so many webhooks ends the server
};

enum class signature_state : std::uint8_t {
  unchecked, ///< there is no key to check it with
  good,
  bad,
};

[[nodiscard]] std::string_view to_string(signature_state state) noexcept;

/// A webhook, as it is shown.
struct arrived_webhook {
  core::timestamp at{};
  std::string path;
  std::string id;   ///< empty: it has none
  std::string type; ///< the body's member "type"; empty: none
  std::int64_t times_seen = 1;
  signature_state signature = signature_state::unchecked;
  std::string signature_detail;      ///< the name of the key it is by, or why it is bad
  std::optional<core::duration> age; ///< by its timestamp; negative: from the future
  std::string body;
  http_reaction reaction;
};

struct listener_counts {
  std::int64_t received = 0;
  std::int64_t distinct_ids = 0;
  std::int64_t repeats = 0;
  std::int64_t without_id = 0;
  std::int64_t bad_signatures = 0;
};

/// What `sluice listen` makes of each webhook. Not for two threads at once.
class webhook_listener {
public:
  /// So many ids are remembered; beyond it the oldest is taken for a new one.
  static constexpr std::size_t ids_remembered_max = 1'000'000;

  webhook_listener(listener_plan plan, std::vector<named_key> keys)
      : plan_{std::move(plan)}, keys_{std::move(keys)}, draw_{plan_.seed} {}

  [[nodiscard]] arrived_webhook receive(const served_request& request, core::timestamp now);
  [[nodiscard]] const listener_counts& counts() const noexcept { return counts_; }

private:
  void judge_signature(arrived_webhook& webhook, const served_request& request) const;
  std::int64_t remember(const std::string& id);
  http_reaction react();

  listener_plan plan_;
  std::vector<named_key> keys_;
  seeded_draw draw_;
  listener_counts counts_;
  std::unordered_map<std::string, std::int64_t> seen_;
  std::deque<std::string> order_; ///< of `seen_`, the oldest first
};

} // namespace sluice::app
