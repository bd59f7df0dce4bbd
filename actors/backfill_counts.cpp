#include "actors/backfill_counts.hpp"

#include <chrono>

namespace sluice::actors {

namespace {

constexpr core::duration fresh_for = std::chrono::seconds{60};
constexpr core::duration kept_for = std::chrono::minutes{10};
constexpr core::duration counting_time = std::chrono::milliseconds{30};

} // namespace

storage::result<backfill_counts::counts>
backfill_counts::answer(std::span<const std::pair<core::rule_id, core::timestamp>> asked,
                        const core::time_source& time, const counter& count) {
  const auto began = time.steady();
  forget_old(began);
  counts told;
  for (const auto& [rule, until] : asked) {
    auto known = kept_.find(rule);
    if (known != kept_.end() && known->second.progress.until != until)
      known = (kept_.erase(known), kept_.end());
    const auto fresh = known != kept_.end() && began - known->second.counted_at < fresh_for;
    if (!fresh && time.steady() - began < counting_time) {
      auto counted = count(rule);
      if (!counted)
        return std::unexpected{std::move(counted.error())};
      if (!*counted)
        continue;
      known = kept_.insert_or_assign(rule, kept{**counted, began}).first;
    }
    if (known != kept_.end())
      told.emplace_back(rule, known->second.progress);
  }
  return told;
}

void backfill_counts::forget_old(core::duration now) {
  std::erase_if(kept_, [now](const auto& each) { return now - each.second.counted_at > kept_for; });
}

} // namespace sluice::actors
