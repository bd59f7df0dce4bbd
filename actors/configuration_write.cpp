#include "actors/configuration_write.hpp"

#include "actors/webhook_keys.hpp"
#include "actors/writer_check.hpp"
#include "providers/writer.hpp"
#include "storage/rules.hpp"
#include "storage/subscriptions.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::actors {

using storage::result;

namespace {

/// What every connection's address is refused for.
void judge_addresses(const core::configuration& wanted, const core::outside_addresses& outside,
                     std::vector<std::string>& faults) {
  for (const auto& target : wanted.connections)
    for (const auto& fault : providers::faults_of_addresses(target, outside))
      faults.push_back("connection " + target.name + ": " + fault);
}

/// Every rule's target, tried.
result<void> try_targets(storage::session& db, const core::configuration& wanted,
                         const crypto::key_ring& keys, std::vector<std::string>& faults) {
  std::vector<writer_fault> all;
  for (const auto& entry : wanted.rules) {
    const auto rule = storage::find_rule(db, entry.rule.name);
    if (!rule)
      return std::unexpected{rule.error()};
    auto found = writer_faults(db, **rule, keys); // it was written a moment ago
    if (!found)
      return std::unexpected{found.error()};
    std::ranges::move(*found, std::back_inserter(all));
  }
  std::ranges::move(sentences_of(all), std::back_inserter(faults));
  return {};
}

/// With a new secret for each that pushes; one that is there already keeps its own.
core::configuration with_secrets(core::configuration wanted) {
  for (auto& wish : wanted.subscriptions)
    if (wish.written.mode == core::subscription_mode::push)
      wish.secret = make_secret(wish.signed_by.value_or(core::signing::hmac_sha256));
  return wanted;
}

/// Why what signs is not what was asked for; nothing where it is, or was not said.
std::optional<std::string> signing_fault(const core::subscription_wish& wish,
                                         const core::served_subscription& there) {
  if (!wish.signed_by || there.secrets.empty())
    return std::nullopt;
  const auto signs = signing_of(there.secrets.front().text);
  if (!signs || *signs == *wish.signed_by)
    return std::nullopt;
  return "subscription \"" + there.settings.name + "\" signs by " + std::string{core::to_string(*signs)}
         + ": a rotation changes that, `sluice subscriptions rotate --signing "
         + std::string{core::to_string(*wish.signed_by)} + "`";
}

/// How the wishes' subscriptions are now, and what is at fault with their secrets. `changes` has one of each,
/// in their order, last.
result<void> note_subscriptions(storage::session& db, const core::configuration& wanted,
                                const crypto::key_ring& keys, configuration_outcome& outcome) {
  auto change = outcome.changes.end() - std::ssize(wanted.subscriptions);
  for (const auto& wish : wanted.subscriptions) {
    const auto found = storage::load_subscription(db, wish.written.tenant, wish.written.name, keys);
    if (!found)
      return std::unexpected{found.error()};
    const auto& there = **found; // it was written a moment ago
    if (auto fault = signing_fault(wish, there))
      outcome.faults.push_back(std::move(*fault));
    const bool made = change->what == "create";
    if (change->changes())
      outcome.subscriptions.push_back({there.settings.id, there.settings.public_id, there.settings.tenant,
                                       there.settings.name, made ? verification_key_of(wish.secret) : ""});
    ++change;
  }
  return {};
}

/// In a transaction that is rolled back where there are faults or nothing is to be kept.
result<configuration_outcome> write_configuration(storage::session& db, const core::configuration& asked,
                                                  const crypto::key_ring& keys,
                                                  const core::outside_addresses& outside,
                                                  core::timestamp now) {
  const auto wanted = with_secrets(asked);
  auto changes = storage::apply_configuration(db, wanted, keys, now, true);
  if (!changes)
    return std::unexpected{changes.error()};
  configuration_outcome outcome{std::move(*changes), {}};
  judge_addresses(wanted, outside, outcome.faults);
  if (auto tried = try_targets(db, wanted, keys, outcome.faults); !tried)
    return std::unexpected{tried.error()};
  if (auto noted = note_subscriptions(db, wanted, keys, outcome); !noted)
    return std::unexpected{noted.error()};
  return outcome;
}

result<std::optional<core::timestamp>> version_of(storage::session& db, const core::seen_version& what) {
  if (what.of == core::seen_version::subject::rule)
    return storage::rule_changed_at(db, what.name);
  return storage::connection_changed_at(db, what.name);
}

/// Nobody changes it between this and the end of the transaction: the configuration is locked.
result<void> still_stands(storage::session& db, const core::seen_version& seen) {
  if (auto locked = storage::lock_configuration(db); !locked)
    return locked;
  const auto now = version_of(db, seen);
  if (!now)
    return std::unexpected{now.error()};
  if (*now == seen.changed_at)
    return {};
  return std::unexpected{
      storage::failure{storage::error::refused,
                       "somebody else has changed " + seen.name + " since it was read; read it again"}};
}

result<configuration_outcome> write_agreed(storage::session& db, const core::configuration& wanted,
                                           const crypto::key_ring& keys,
                                           const core::outside_addresses& outside, core::timestamp now,
                                           const agreement& seen) {
  if (seen.version)
    if (auto stands = still_stands(db, *seen.version); !stands)
      return std::unexpected{stands.error()};
  auto outcome = write_configuration(db, wanted, keys, outside, now);
  if (!outcome)
    return outcome;
  if (!outcome->faults.empty())
    return std::unexpected{refusal_of(outcome->faults)};
  if (seen.changes && outcome->changes != *seen.changes)
    return std::unexpected{storage::failure{
        storage::error::refused, "the configuration was changed by somebody else meanwhile; apply again"}};
  return outcome;
}

} // namespace

storage::failure refusal_of(const std::vector<std::string>& faults) {
  storage::failure refusal{storage::error::refused, {}};
  for (const auto& fault : faults)
    refusal.detail += (refusal.detail.empty() ? "" : "; ") + fault;
  return refusal;
}

result<configuration_outcome> rehearse_configuration(storage::session& db, const core::configuration& wanted,
                                                     const crypto::key_ring& keys,
                                                     const core::outside_addresses& outside,
                                                     core::timestamp now) {
  if (auto begun = db.begin(); !begun)
    return std::unexpected{begun.error()};
  auto outcome = write_configuration(db, wanted, keys, outside, now);
  db.rollback();
  if (outcome)
    outcome->subscriptions.clear();
  return outcome;
}

result<configuration_outcome> keep_configuration(storage::session& db, const core::configuration& wanted,
                                                 const crypto::key_ring& keys,
                                                 const core::outside_addresses& outside, core::timestamp now,
                                                 const agreement& seen) {
  return storage::transact(
      db, [&](storage::session& within) { return write_agreed(within, wanted, keys, outside, now, seen); });
}

} // namespace sluice::actors
