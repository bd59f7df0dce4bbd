// Times, over a ledger that is there already, what the volume breaker counts for one rule and what the health
// of all rules is read from, by the statements the product makes.

#include "core/time.hpp"
#include "storage/health.hpp"
#include "storage/rules.hpp"
#include "storage/session.hpp"
#include "storage/volume.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace sluice::bench {
namespace {

struct read_options {
  std::string database;
  std::int64_t rule = 0;
  std::int64_t source = 0;
  std::string domain;
  std::int64_t after_us = 0; ///< where the delta pass begins
  int samples = 0;
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "sluice_bench_reads: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T must(storage::result<T> outcome) {
  if (!outcome)
    give_up(outcome.error().detail);
  return std::move(*outcome);
}

/// Milliseconds each of so many readings takes; the first, which prepares statements and warms caches, is
/// left out.
template <class Read>
std::vector<double> time_reads(int samples, Read read) {
  std::vector<double> times;
  for (int number = 0; number <= samples; ++number) {
    const auto began = std::chrono::steady_clock::now();
    read();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    if (number > 0)
      times.push_back(took.count());
  }
  std::ranges::sort(times);
  return times;
}

void print(const char* name, const std::vector<double>& times, std::int64_t found) {
  std::printf(R"({"name":"%s","least_ms":%.3f,"median_ms":%.3f,"most_ms":%.3f,"found":%lld})"
              "\n",
              name, times.front(), times[times.size() / 2], times.back(), static_cast<long long>(found));
}

void measure(const read_options& options) {
  const auto where = storage::parse_database(options.database);
  if (!where)
    give_up(where.error());
  auto db = must(storage::session::open(*where, storage::access::read));
  core::scan_query delta;
  delta.rule = {options.rule};
  delta.source = {options.source};
  delta.domain = options.domain;
  delta.after.changed_at = core::timestamp{core::duration{options.after_us}};
  delta.volume_window = std::chrono::hours{1};
  delta.now = std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now());
  std::int64_t found = 0;
  // In a snapshot, as a step counts.
  auto counted = time_reads(options.samples, [&] {
    const auto count = must(storage::transact(db, [&](storage::session& in) {
      return storage::count_scan_volume(in, delta, storage::scan_range::delta);
    }));
    found = count.pending + count.held;
  });
  print("volume_count", counted, found);
  auto health =
      time_reads(options.samples, [&] { found = std::ssize(must(storage::read_rule_facts(db, {}))); });
  print("health", health, found);
}

} // namespace
} // namespace sluice::bench

int main(int argc, char** argv) {
  CLI::App app{"Times the volume breaker's count of one rule and the health of all"};
  sluice::bench::read_options options;
  app.add_option("--database", options.database, "as in sluice.toml")->required();
  app.add_option("--rule", options.rule, "id of the rule that is counted for")->required();
  app.add_option("--source", options.source, "id of its source connection")->required();
  app.add_option("--domain", options.domain, "its domain")->required();
  app.add_option("--after", options.after_us, "where its delta pass begins, in UTC microseconds")->required();
  app.add_option("--samples", options.samples, "readings of each kind")
      ->required()
      ->check(CLI::Range(1, 100'000));
  CLI11_PARSE(app, argc, argv);
  sluice::bench::measure(options);
  return 0;
}
