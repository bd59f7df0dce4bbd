#pragma once

#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/outcome.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the target's own lookup says of a rule's records, beside what the ledger says.
namespace sluice::core {

/// How a ledger row and the target compare.
enum class drift : std::uint8_t {
  agrees,                ///< nothing the lookup said contradicts the row
  missing,               ///< the row says active, the lookup finds nothing
  other_id,              ///< the lookup finds it under another id than the row has
  several,               ///< the lookup finds more than one
  present_though_absent, ///< the row says absent, the lookup finds one
  unknown,               ///< it could not be told; `error_class` says why
};

[[nodiscard]] std::string_view to_string(drift finding) noexcept;

/// Whether ledger and target contradict each other.
[[nodiscard]] constexpr bool is_drift(drift finding) noexcept {
  return finding != drift::agrees && finding != drift::unknown;
}

struct comparison {
  drift finding = drift::agrees;
  std::string target_id;   ///< what the lookup found, where it found one
  std::string error_class; ///< of an unknown one; a stable word as an outcome's
  std::string error;       ///< a sentence for people

  friend bool operator==(const comparison&, const comparison&) = default;
};

/// What a row comes to that no lookup can judge: one whose create is unsettled, or whose source is
/// disconnected.
[[nodiscard]] std::optional<comparison> judged_without_lookup(const ledger_row& row);

/// What a row and the answer to its lookup come to. Ids are compared, and nothing else. A deactivated record
/// that the lookup leaves out agrees: most searches show active records alone.
[[nodiscard]] comparison compare_with_target(const ledger_row& row, const outcome& looked_up);

struct drift_counts {
  std::int64_t agrees = 0;
  std::int64_t missing = 0;
  std::int64_t other_id = 0;
  std::int64_t several = 0;
  std::int64_t present_though_absent = 0;
  std::int64_t unknown = 0;
  std::int64_t changed_meanwhile =
      0; ///< its row was written, or a call for it was out, while it was looked up

  /// Returns how many of the kind there are now.
  std::int64_t add(drift finding) noexcept;
  /// Of records whose ledger row and target contradict each other.
  [[nodiscard]] std::int64_t drifted() const noexcept;

  friend bool operator==(const drift_counts&, const drift_counts&) = default;
};

struct drift_example {
  std::string source_id;
  delivery_status status = delivery_status::delivered;
  target_state target = target_state::absent;
  std::string ledger_id; ///< empty where the row says absent
  comparison compared;

  friend bool operator==(const drift_example&, const drift_example&) = default;
};

/// Of each finding but `agrees` so many are kept, drawn evenly from all of them.
inline constexpr std::int64_t drift_examples_max = 100;

/// How many records are looked up where nobody says otherwise, and at the most without all of them.
inline constexpr std::int64_t verify_sample_default = 200;
inline constexpr std::int64_t verify_sample_max = 100'000;

enum class verify_phase : std::uint8_t {
  looking,
  done,
  failed,    ///< `reason` says why
  cancelled, ///< by a person, or because nobody asked for it any more
};

[[nodiscard]] std::string_view to_string(verify_phase phase) noexcept;

/// How far looking has come, and what was found.
struct verification {
  rule_id rule{};
  verify_phase phase = verify_phase::looking;
  std::string reason;
  timestamp began_at{};
  std::optional<timestamp> ended_at;
  std::optional<std::int64_t> sample; ///< how many records were asked for; absent: all
  std::int64_t total = 0;             ///< how many it will be; 0 until that is counted
  std::int64_t examined = 0;
  std::optional<timestamp> waits_until; ///< the target's budget is spent until then
  bool rule_changed = false;            ///< the rule, or its target's settings, were changed meanwhile
  bool rule_switched_off = false;       ///< meanwhile, or before
  drift_counts counts;
  std::vector<drift_example> examples; ///< in no order
  std::uint64_t seed = 0;              ///< which sample, and which examples, were drawn

  void add(const ledger_row& row, comparison compared);
  void add_changed();
};

/// `wanted` places of `total`, growing, from 0: one out of each of as many equal stretches, so that a sample
/// is spread over the whole. All of them where there are no more. The same seed draws the same ones.
[[nodiscard]] std::vector<std::int64_t> draw_places(std::int64_t total, std::int64_t wanted,
                                                    std::uint64_t seed);

template <class Inspector>
auto inspect(Inspector& f, comparison& x) {
  return f(x.finding, x.target_id, x.error_class, x.error);
}

template <class Inspector>
auto inspect(Inspector& f, drift_counts& x) {
  return f(x.agrees, x.missing, x.other_id, x.several, x.present_though_absent, x.unknown,
           x.changed_meanwhile);
}

template <class Inspector>
auto inspect(Inspector& f, drift_example& x) {
  return f(x.source_id, x.status, x.target, x.ledger_id, x.compared);
}

template <class Inspector>
auto inspect(Inspector& f, verification& x) {
  return f(x.rule, x.phase, x.reason, x.began_at, x.ended_at, x.sample, x.total, x.examined, x.waits_until,
           x.rule_changed, x.rule_switched_off, x.counts, x.examples, x.seed);
}

} // namespace sluice::core
