#include "core/verification.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): a draw for each number, without a state to carry.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) noexcept {
  auto z = seed + (number + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Below `limit`, which is at least 1.
std::int64_t drawn_below(std::int64_t limit, std::uint64_t seed, std::uint64_t number) noexcept {
  return static_cast<std::int64_t>(mixed(seed, number) % static_cast<std::uint64_t>(limit));
}

comparison not_told(const outcome& looked_up) {
  auto word = looked_up.error_class.empty() ? std::string{to_string(looked_up.kind)} : looked_up.error_class;
  return {drift::unknown, {}, std::move(word), looked_up.error};
}

comparison found_one(const ledger_row& row, const outcome& looked_up) {
  if (row.target == target_state::absent)
    return {drift::present_though_absent, looked_up.remote_id, {}, {}};
  const auto same = row.remote_id == looked_up.remote_id;
  return {same ? drift::agrees : drift::other_id, looked_up.remote_id, {}, {}};
}

} // namespace

std::string_view to_string(drift finding) noexcept {
  switch (finding) {
  case drift::agrees:
    return "agrees";
  case drift::missing:
    return "missing";
  case drift::other_id:
    return "other_id";
  case drift::several:
    return "several";
  case drift::present_though_absent:
    return "present_though_absent";
  case drift::unknown:
    return "unknown";
  }
  return "unknown";
}

std::string_view to_string(verify_phase phase) noexcept {
  switch (phase) {
  case verify_phase::looking:
    return "looking";
  case verify_phase::done:
    return "done";
  case verify_phase::failed:
    return "failed";
  case verify_phase::cancelled:
    return "cancelled";
  }
  return "unknown";
}

std::optional<comparison> judged_without_lookup(const ledger_row& row) {
  if (row.trashed)
    return comparison{drift::unknown, {}, "disconnected", "its source is disconnected"};
  if (row.status == delivery_status::ambiguous)
    return comparison{drift::unknown, {}, "unsettled", "whether its create arrived is not settled yet"};
  return std::nullopt;
}

comparison compare_with_target(const ledger_row& row, const outcome& looked_up) {
  switch (looked_up.kind) {
  case outcome_kind::accepted:
    return found_one(row, looked_up);
  case outcome_kind::gone:
    return {row.target == target_state::active ? drift::missing : drift::agrees, {}, {}, {}};
  case outcome_kind::several:
    return {drift::several, {}, {}, looked_up.error};
  case outcome_kind::exists:
  case outcome_kind::rejected:
  case outcome_kind::transient:
  case outcome_kind::rate_limited:
  case outcome_kind::unauthorized:
  case outcome_kind::ambiguous:
  case outcome_kind::unattempted:
    break;
  }
  return not_told(looked_up);
}

std::int64_t drift_counts::add(drift finding) noexcept {
  switch (finding) {
  case drift::agrees:
    return ++agrees;
  case drift::missing:
    return ++missing;
  case drift::other_id:
    return ++other_id;
  case drift::several:
    return ++several;
  case drift::present_though_absent:
    return ++present_though_absent;
  case drift::unknown:
    break;
  }
  return ++unknown;
}

std::int64_t drift_counts::drifted() const noexcept {
  return missing + other_id + several + present_though_absent;
}

/// The n-th of its kind takes the place of one that is kept with the chance of keeping any of the n: each is
/// kept with the same chance (reservoir sampling, Vitter 1985, algorithm R).
void verification::add(const ledger_row& row, comparison compared) {
  ++examined;
  const auto finding = compared.finding;
  const auto so_many = counts.add(finding);
  if (finding == drift::agrees)
    return;
  drift_example example{row.source_id, row.status, row.target, row.remote_id, std::move(compared)};
  if (so_many <= drift_examples_max) {
    examples.push_back(std::move(example));
    return;
  }
  auto place = drawn_below(so_many, seed, static_cast<std::uint64_t>(examined));
  if (place >= drift_examples_max)
    return;
  for (auto& kept : examples) {
    if (kept.compared.finding == finding && place-- == 0) {
      kept = std::move(example);
      return;
    }
  }
}

void verification::add_changed() {
  ++examined;
  ++counts.changed_meanwhile;
}

std::vector<std::int64_t> draw_places(std::int64_t total, std::int64_t wanted, std::uint64_t seed) {
  const auto count = std::clamp<std::int64_t>(wanted, 0, std::max<std::int64_t>(total, 0));
  std::vector<std::int64_t> places;
  places.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto first = i * total / count;
    const auto beyond = (i + 1) * total / count;
    places.push_back(first + drawn_below(beyond - first, seed, static_cast<std::uint64_t>(i)));
  }
  return places;
}

} // namespace sluice::core
