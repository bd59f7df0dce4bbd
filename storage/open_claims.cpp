#include "storage/open_claims.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace sluice::storage {
namespace {

/// [claimed at, lease until, position, number, position, number, …]: what was claimed at once.
bool is_batch(const nlohmann::json& batch) {
  return batch.is_array() && batch.size() >= 2 && batch.size() % 2 == 0
         && std::ranges::all_of(batch, [](const auto& each) { return each.is_number_integer(); })
         && batch[0].template get<std::int64_t>() < batch[1].template get<std::int64_t>();
}

} // namespace

open_claims::open_claims(session& db, core::subscription_id subscription) : subscription_(subscription) {
  std::string text;
  query(db, "SELECT claims, left_due_at FROM delivery_claims WHERE subscription_id = :subscription")
      .use("subscription", subscription)
      .into(text)
      .into(left_due_)
      .run();
  read(text);
}

open_claims::open_claims(core::subscription_id subscription, const std::string& text)
    : subscription_(subscription) {
  read(text);
}

void open_claims::read(const std::string& text) {
  if (text.empty())
    return;
  const auto batches = nlohmann::json::parse(text, nullptr, false);
  if (!batches.is_array() || !std::ranges::all_of(batches, is_batch))
    throw abandoned{{error::corrupt, "What is stored of a subscription's open claims cannot be read."}};
  for (const auto& batch : batches)
    for (std::size_t at = 2; at < batch.size(); at += 2) {
      const core::event_position position{batch[at].get<std::int64_t>()};
      claims_[position] = {position, batch[at + 1].get<std::int64_t>(),
                           core::from_us(batch[0].get<std::int64_t>()),
                           core::from_us(batch[1].get<std::int64_t>())};
    }
}

void open_claims::leave_due(std::optional<core::timestamp> at) {
  changed_ = changed_ || left_due_ != at;
  left_due_ = at;
}

std::optional<open_claim> open_claims::find(core::event_position position) const {
  const auto found = claims_.find(position);
  return found == claims_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::int64_t> open_claims::positions() const {
  std::vector<std::int64_t> all;
  all.reserve(claims_.size());
  for (const auto& [position, claim] : claims_)
    all.push_back(position.value);
  return all;
}

std::optional<core::timestamp> open_claims::lapse_at() const {
  std::optional<core::timestamp> first;
  for (const auto& [position, claim] : claims_)
    first = first ? std::min(*first, claim.lease_until) : claim.lease_until;
  return first;
}

std::vector<open_claim> open_claims::lapsed(core::timestamp now, std::int64_t limit) const {
  std::vector<open_claim> found;
  for (const auto& [position, claim] : claims_)
    if (claim.lease_until <= now && std::ssize(found) < limit)
      found.push_back(claim);
  return found;
}

void open_claims::lay_on(core::delivery_progress& progress, core::event_position position) const {
  const auto claim = find(position);
  if (!claim)
    return;
  auto taken = core::claim_attempt(progress, claim->claimed_at, claim->lease_until - claim->claimed_at);
  if (taken && taken->attempts == claim->number)
    progress = std::move(*taken);
}

void open_claims::add(core::event_position position, const core::attempt_claim& claim,
                      core::timestamp claimed_at) {
  claims_[position] = {position, claim.number, claimed_at, claim.lease_until};
  changed_ = true;
}

std::optional<open_claim> open_claims::take_out(core::event_position position, std::int64_t number) {
  const auto found = claims_.find(position);
  if (found == claims_.end() || found->second.number != number)
    return std::nullopt;
  return take_out(position);
}

std::optional<open_claim> open_claims::take_out(core::event_position position) {
  auto taken = claims_.extract(position);
  if (taken.empty())
    return std::nullopt;
  changed_ = true;
  return taken.mapped();
}

std::string open_claims::text() const {
  std::map<std::pair<core::timestamp, core::timestamp>, std::string> batches;
  for (const auto& [position, claim] : claims_) {
    auto& batch = batches[{claim.claimed_at, claim.lease_until}];
    batch.append(",").append(std::to_string(position.value));
    batch.append(",").append(std::to_string(claim.number));
  }
  std::string all;
  for (const auto& [moments, batch] : batches) {
    all.append(all.empty() ? "[[" : ",[").append(std::to_string(core::to_us(moments.first)));
    all.append(",").append(std::to_string(core::to_us(moments.second))).append(batch).append("]");
  }
  return all.empty() ? all : all + "]";
}

void open_claims::write(session& db) {
  if (!std::exchange(changed_, false))
    return;
  query(db, "INSERT INTO delivery_claims (subscription_id, claims, left_due_at) "
            "VALUES (:subscription, :claims, :left_due) ON CONFLICT (subscription_id) DO UPDATE SET "
            "claims = excluded.claims, left_due_at = excluded.left_due_at")
      .use("subscription", subscription_)
      .use("claims", text())
      .use("left_due", left_due_)
      .run();
}

} // namespace sluice::storage
