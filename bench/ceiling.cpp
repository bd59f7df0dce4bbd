// The ceiling: what libcurl and the database could do on this machine if nothing stood between them.
//
// One thread posts with a bare multi handle, a second one writes each outcome, durable as the product's own.
// Bodies are made before the clock starts, and there is neither intent nor cursor: nothing that delivers with
// a ledger can be faster.

#include "bench/caller.hpp"
#include "bench/outcome_writer.hpp"
#include "bench/records.hpp"

#include <CLI/CLI.hpp>
#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <sys/resource.h>

namespace sluice::bench {
namespace {

struct ceiling_options {
  std::string sink;
  std::string database = "none";
  std::uint64_t records = 200'000;
  std::size_t in_flight = 64;
  std::size_t group = 200;
};

double to_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double process_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
}

class no_outcomes final : public outcome_store {
public:
  std::expected<void, std::string> write(std::span<const outcome>) override { return {}; }
};

std::expected<std::unique_ptr<outcome_store>, std::string> open_store(const std::string& database) {
  constexpr std::string_view sqlite = "sqlite:";
  constexpr std::string_view postgresql = "postgresql:";
  if (database.starts_with(sqlite)) {
    return open_sqlite_outcomes(database.substr(sqlite.size()));
  }
  if (database.starts_with(postgresql)) {
    return open_postgresql_outcomes(database.substr(postgresql.size()));
  }
  if (database == "none") {
    return std::make_unique<no_outcomes>();
  }
  return std::unexpected("--database wants sqlite:PATH, postgresql:CONNINFO or none");
}

/// The value below which `share` of the sorted times lie.
std::uint32_t percentile(const call_times& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

struct measured {
  double seconds = 0;
  double cpu_seconds = 0;
  double writer_cpu_seconds = 0;
  call_times times;
};

std::expected<measured, std::string> measure(const ceiling_options& options,
                                             std::unique_ptr<outcome_store> store) {
  std::vector<std::string> bodies;
  bodies.reserve(options.records);
  for (std::uint64_t number = 0; number < options.records; ++number) {
    bodies.push_back(make_record(number).json);
  }
  const caller_options calls{"http://" + options.sink + std::string(customers_path), options.in_flight,
                             options.group};
  outcome_writer writer(std::move(store));

  const double cpu_before = process_cpu_seconds();
  const auto started = std::chrono::steady_clock::now();
  auto times = post_all(bodies, calls, [&](std::vector<outcome> group) { writer.add(std::move(group)); });
  const auto written = writer.finish();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
  const double cpu = process_cpu_seconds() - cpu_before;
  if (!times) {
    return std::unexpected(times.error());
  }
  if (!written.error.empty()) {
    return std::unexpected(written.error);
  }
  return measured{taken.count(), cpu, written.cpu_seconds, std::move(*times)};
}

void print(const ceiling_options& options, measured figures) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::ranges::sort(figures.times);
  std::printf(
      R"({"name":"ceiling","database":"%s","records":%llu,"in_flight":%zu,"group":%zu,"seconds":%.4f,)"
      R"("deliveries_per_second":%.1f,"cpu_seconds":%.4f,"writer_cpu_seconds":%.4f,"call_us":)"
      R"({"p50":%u,"p90":%u,"p99":%u,"max":%u},"peak_memory_bytes":%llu})"
      "\n",
      options.database.substr(0, options.database.find(':')).c_str(),
      static_cast<unsigned long long>(options.records), options.in_flight, options.group, figures.seconds,
      static_cast<double>(options.records) / figures.seconds, figures.cpu_seconds, figures.writer_cpu_seconds,
      percentile(figures.times, 0.5), percentile(figures.times, 0.9), percentile(figures.times, 0.99),
      figures.times.back(), static_cast<unsigned long long>(usage.ru_maxrss) * 1024ULL);
}

int run_ceiling(const ceiling_options& options) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  auto store = open_store(options.database);
  if (!store) {
    std::fprintf(stderr, "sluice_bench_ceiling: %s\n", store.error().c_str());
    return 1;
  }
  auto figures = measure(options, std::move(*store));
  if (!figures) {
    std::fprintf(stderr, "sluice_bench_ceiling: %s\n", figures.error().c_str());
    return 1;
  }
  print(options, std::move(*figures));
  return 0;
}

} // namespace
} // namespace sluice::bench

int main(int argc, char** argv) {
  CLI::App app{"The ceiling of the benchmark: libcurl and a database with nothing between them"};
  sluice::bench::ceiling_options options;
  app.add_option("--sink", options.sink, "HOST:PORT of the sink")->required();
  app.add_option("--database", options.database, "sqlite:PATH, postgresql:CONNINFO or none")
      ->capture_default_str();
  app.add_option("--records", options.records, "creates to send")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--in-flight", options.in_flight, "calls out at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  app.add_option("--group", options.group, "outcomes a transaction")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  CLI11_PARSE(app, argc, argv);
  return sluice::bench::run_ceiling(options);
}
