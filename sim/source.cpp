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

} // namespace

source::source(dice& from, faults& faults, harness::world& world, checker& checker,
               std::vector<std::string> domains)
    : dice_(from), faults_(faults), world_(world), checker_(checker), late_(world.database()),
      connection_(world.connection_id("shop")) {
  for (auto& name : domains)
    domains_.push_back({std::move(name), {}});
}

source::record& source::pick(domain& of) {
  auto& records = of.records;
  if (records.size() < records_max && (records.empty() || dice_.chance(makes_new)))
    return records.emplace_back(
        record{of.name.substr(0, 1) + "-" + std::to_string(records.size() + 1), 0, false});
  return dice_.pick(records);
}

storage::incoming_record source::next_version(record& of) {
  source_version version{++of.version, true, !dice_.chance(leaves_out), dice_.chance(0.8)};
  of.live = true;
  ++changes_;
  checker_.source_wrote(of.id, version);
  auto payload = R"({"id":")" + of.id + R"(","v":)" + std::to_string(version.number) + R"(,"tier":")"
                 + (version.passes ? "a" : "b") + '"';
  if (version.complete)
    payload += R"(,"email":")" + of.id + R"(@example.com")";
  return {of.id, payload + "}"};
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
      upserts.push_back(next_version(one));
      continue;
    }
    one.live = false;
    ++changes_;
    checker_.source_wrote(one.id, {++one.version, false, true, true});
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
  auto written = next_version(one);
  if (!late_.change(connection_, of.name, one.id, written.payload, changed_at)) {
    checker_.source_took_back(one.id);
    one = std::move(before);
    --changes_;
    return;
  }
  checker_.committed_late(one.id);
  world_.hint();
}

} // namespace sluice::sim
