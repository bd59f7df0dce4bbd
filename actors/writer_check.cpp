#include "actors/writer_check.hpp"

#include "providers/writer.hpp"
#include "storage/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

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

constexpr std::size_t rules_named_max = 3;

struct fault_of_rules {
  const writer_fault* first;
  std::vector<std::string_view> rules;
};

/// "rule a", "rules a and b", "rules a, b, c and 7 more"
std::string rules_text(const std::vector<std::string_view>& rules) {
  std::string text = rules.size() == 1 ? "rule " : "rules ";
  const auto named = std::min(rules.size(), rules_named_max);
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == rules.size();
    text.append(i == 0 ? "" : last ? " and " : ", ").append(rules[i]);
  }
  return named == rules.size() ? text : text + " and " + std::to_string(rules.size() - named) + " more";
}

} // namespace

storage::result<std::vector<writer_fault>> writer_faults(storage::session& db, const core::sync_rule& rule,
                                                         const crypto::key_ring& keys) {
  if (rule.direction != core::rule_direction::push_out) {
    return std::vector<writer_fault>{};
  }
  const auto target = storage::load_connection(db, rule.target, keys);
  if (!target) {
    return std::unexpected{target.error()};
  }
  std::vector<writer_fault> faults;
  for (auto& what : faults_of(*target, rule, keys)) {
    faults.push_back({target->name, rule.name, std::move(what)});
  }
  return faults;
}

std::vector<std::string> sentences_of(const std::vector<writer_fault>& faults) {
  std::vector<fault_of_rules> all;
  using text_pair = std::pair<std::string_view, std::string_view>;
  std::map<text_pair, std::size_t> places;
  for (const auto& one : faults) {
    const auto [place, added] = places.emplace(text_pair{one.connection, one.what}, all.size());
    if (added) {
      all.push_back({&one, {}});
    }
    all[place->second].rules.push_back(one.rule);
  }
  std::vector<std::string> sentences;
  for (const auto& [first, rules] : all) {
    sentences.push_back("connection " + first->connection + " for " + rules_text(rules) + ": " + first->what);
  }
  return sentences;
}

} // namespace sluice::actors
