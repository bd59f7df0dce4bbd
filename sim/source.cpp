#include "sim/source.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sluice::sim {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t records_max = 120; ///< of a domain; more of them only cost time
constexpr double makes_new = 0.3;        ///< until there are so many
constexpr double deletes = 0.15;
constexpr double leaves_out = 0.03; ///< what every mapping asks for
constexpr double moves = 0.15;      ///< to another parent
constexpr std::size_t to_come = 3;  ///< parents a record may name before they are there

std::string id_of(const std::string& domain, std::size_t number) {
  return domain.substr(0, 1) + "-" + std::to_string(number);
}

} // namespace

source::source(dice& from, faults& faults, harness::world& world, checker& checker,
               const std::vector<plan::domain>& domains)
    : dice_(from), faults_(faults), world_(world), checker_(checker), late_(world.database()),
      connection_(world.connection_id("shop")) {
  for (const auto& [name, parent] : domains) {
    auto found = std::ranges::find(domains_, parent, &domain::name);
    std::optional<std::size_t> place;
    if (found != domains_.end())
      place = static_cast<std::size_t>(found - domains_.begin());
    domains_.push_back({name, place, {}});
  }
}

source::record& source::pick(domain& of) {
  auto& records = of.records;
  if (records.size() < records_max && (records.empty() || dice_.chance(makes_new)))
    return records.emplace_back(record{id_of(of.name, records.size() + 1), 0, false, {}});
  return dice_.pick(records);
}

/// A parent may be long gone, or come later, or never.
void source::name_parent(const domain& of, record& one) {
  if (!of.parent || (!one.parent.empty() && !dice_.chance(moves)))
    return;
  const auto& parents = domains_[*of.parent];
  one.parent = id_of(parents.name, dice_.below(parents.records.size() + to_come) + 1);
}

storage::incoming_record source::next_version(const domain& of, record& one) {
  name_parent(of, one);
  source_version version{++one.version, true, !dice_.chance(leaves_out), dice_.chance(0.8), one.parent};
  one.live = true;
  wrote(of, one, version, "writes");
  auto payload = R"({"id":")" + one.id + R"(","v":)" + std::to_string(version.number) + R"(,"tier":")"
                 + (version.passes ? "a" : "b") + '"';
  auto lacks_parent = !version.complete && of.parent && dice_.chance(0.5);
  if (version.complete || lacks_parent)
    payload += R"(,"email":")" + one.id + R"(@example.com")";
  if (of.parent && !lacks_parent)
    payload += R"(,"parent":")" + one.parent + '"';
  payload += '}';
  if (told_)
    told_({of.name, one.id, version, payload, false});
  return {one.id, payload};
}

void source::delete_it(const domain& of, record& one) {
  one.live = false;
  source_version version{++one.version, false, true, true, one.parent};
  wrote(of, one, version, "deletes");
  if (told_)
    told_({of.name, one.id, version, {}, false});
}

void source::wrote(const domain& of, const record& one, const source_version& version, const char* how) {
  ++changes_;
  checker_.source_wrote(one.id, version);
  if (log_)
    log_(of.name + ": the source " + how + " \"" + one.id + "\", version " + std::to_string(version.number));
}

void source::change(std::size_t count) {
  auto& of = dice_.pick(domains_);
  std::set<std::string> touched; // a batch counts a record's last word alone
  std::vector<storage::incoming_record> upserts;
  std::vector<std::string> deletions;
  for (std::size_t i = 0; i < count; ++i) {
    auto& one = pick(of);
    if (!touched.insert(one.id).second)
      continue;
    if (!one.live || !dice_.chance(deletes)) {
      upserts.push_back(next_version(of, one));
      continue;
    }
    delete_it(of, one);
    deletions.push_back(one.id);
  }
  if (!upserts.empty())
    world_.put_payloads(std::move(upserts), {"shop", of.name});
  if (!deletions.empty())
    world_.delete_records(deletions, {"shop", of.name});
  if (faults_.strikes(fault::committed_late))
    change_late(of);
}

void source::change_late(domain& of) {
  auto& one = dice_.pick(of.records);
  if (!one.live)
    return;
  auto before = one;
  auto changed_at = world_.now() - dice_.between(1s, 4min);
  auto written = next_version(of, one);
  if (!late_.change(connection_, of.name, one.id, written.payload, changed_at)) {
    checker_.source_took_back(one.id);
    if (told_)
      told_({of.name, one.id, {}, {}, true});
    one = std::move(before);
    --changes_;
    return;
  }
  checker_.committed_late(one.id);
  if (log_)
    log_("which is of " + core::to_rfc3339(changed_at) + " and is committed late");
  world_.hint();
}

} // namespace sluice::sim
