// Writes the benchmark's records as NDJSON, for whoever is measured and cannot call records.hpp.

#include "bench/records.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  CLI::App app{"Writes the benchmark's customer records to standard output, one JSON object a line"};
  std::uint64_t count = 200'000;
  std::uint64_t first = 0;
  app.add_option("--records", count, "how many records")->capture_default_str();
  app.add_option("--first", first, "number of the first record")->capture_default_str();
  bool posted = false;
  app.add_flag("--posted", posted, "each as a line of the record intake: {\"id\": …, \"record\": {…}}");
  CLI11_PARSE(app, argc, argv);

  for (std::uint64_t number = first; number < first + count; ++number) {
    auto record = sluice::bench::make_record(number);
    auto line = posted ? R"({"id":")" + record.source_id + R"(","record":)" + record.json + "}" : record.json;
    line += '\n';
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) {
      std::perror("sluice_bench_records");
      return 1;
    }
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
