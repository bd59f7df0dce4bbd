#include "actors/writer_check.hpp"

#include "providers/writer.hpp"
#include "storage/rules.hpp"

namespace sluice::actors {
namespace {

std::vector<std::string> faults_of(const core::connection& target, const core::sync_rule& rule,
                                   const crypto::key_ring& keys) {
  const auto writer = providers::make_writer(target, rule.domain);
  if (!writer) {
    return writer.error();
  }
  auto faults = providers::faults_for_rule(**writer, rule);
  if ((*writer)->traits().honours_key && keys.empty()) {
    faults.emplace_back(
        "settings.idempotency: request bodies are kept sealed until their outcome is known, and "
        "keys.keys has no key to seal with");
  }
  return faults;
}

} // namespace

storage::result<std::vector<std::string>> writer_faults(storage::session& db, const core::sync_rule& rule,
                                                        const crypto::key_ring& keys) {
  if (rule.direction != core::rule_direction::push_out) {
    return std::vector<std::string>{};
  }
  const auto target = storage::load_connection(db, rule.target, keys);
  if (!target) {
    return std::unexpected{target.error()};
  }
  auto faults = faults_of(*target, rule, keys);
  for (auto& fault : faults) {
    fault.insert(0, "connection " + target->name + " for rule " + rule.name + ": ");
  }
  return faults;
}

} // namespace sluice::actors
