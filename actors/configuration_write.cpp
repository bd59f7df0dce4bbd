#include "actors/configuration_write.hpp"

#include "actors/writer_check.hpp"
#include "providers/writer.hpp"
#include "storage/rules.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::actors {

using storage::result;

namespace {

/// In a transaction that is rolled back where there are faults or nothing is to be kept.
result<configuration_outcome> write_configuration(storage::session& db, const core::configuration& wanted,
                                                  const crypto::key_ring& keys,
                                                  const core::outside_addresses& outside,
                                                  core::timestamp now) {
  auto changes = storage::apply_configuration(db, wanted, keys, now, true);
  if (!changes)
    return std::unexpected{changes.error()};
  configuration_outcome outcome{std::move(*changes), {}};
  for (const auto& target : wanted.connections)
    for (const auto& fault : providers::faults_of_addresses(target, outside))
      outcome.writer_faults.push_back("connection " + target.name + ": " + fault);
  for (const auto& entry : wanted.rules) {
    const auto rule = storage::find_rule(db, entry.rule.name);
    if (!rule)
      return std::unexpected{rule.error()};
    auto faults = writer_faults(db, **rule, keys); // it was written a moment ago
    if (!faults)
      return std::unexpected{faults.error()};
    std::ranges::move(*faults, std::back_inserter(outcome.writer_faults));
  }
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
  if (!outcome->writer_faults.empty())
    return std::unexpected{refusal_of(outcome->writer_faults)};
  if (seen.changes && outcome->changes != *seen.changes)
    return std::unexpected{storage::failure{
        storage::error::refused, "the configuration was changed by somebody else meanwhile; apply again"}};
  return outcome;
}

} // namespace

storage::failure refusal_of(const std::vector<std::string>& writer_faults) {
  storage::failure refusal{storage::error::refused, {}};
  for (const auto& fault : writer_faults)
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
