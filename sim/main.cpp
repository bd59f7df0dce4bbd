#include "sim/command.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <iostream>
#include <string>

namespace {

using namespace sluice;

/// "A..B"; nothing where it is not that.
bool read_range(const std::string& text, sim::command_options& into) {
  auto dots = text.find("..");
  if (dots == std::string::npos)
    return false;
  auto read = [](std::string_view part, std::uint64_t& number) {
    auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    return error == std::errc{} && end == part.data() + part.size();
  };
  std::string_view all{text};
  return read(all.substr(0, dots), into.first_seed) && read(all.substr(dots + 2), into.last_seed)
         && into.first_seed <= into.last_seed;
}

} // namespace

int main(int argc, char** argv) {
  sim::command_options options;
  std::uint64_t seed = 1;
  std::string range;
  std::string broken;
  CLI::App app{"Runs Sluice against everything that can go wrong, and checks what it promises."};
  app.add_option("--seed", seed, "The seed to run");
  app.add_option("--seeds", range, "A range of seeds, A..B, both included")->excludes("--seed");
  app.add_option("--hours", options.hours, "Simulated hours a seed")->check(CLI::Range(1, 10000));
  app.add_option("--threads", options.threads, "Seeds that run at once")->check(CLI::Range(1, 64));
  app.add_option("--canary", broken, "Break Sluice in this way; docs/simulation.md lists them");
  app.add_option("--log", options.log_file, "Write every message of a single seed to this file")
      ->excludes("--seeds");
  app.add_flag("--keep-going", options.keep_going, "Run the other seeds after one has failed");
  CLI11_PARSE(app, argc, argv);
  options.first_seed = options.last_seed = seed;
  if (!range.empty() && !read_range(range, options)) {
    std::cerr << "--seeds is " << range << ", but must be two numbers A..B, the smaller first\n";
    return 2;
  }
  if (!broken.empty()) {
    options.broken = sim::parse_canary(broken);
    if (!options.broken) {
      std::cerr << "--canary is " << broken << ", but must be one of:";
      for (std::size_t i = 0; i < sim::canary_count; ++i)
        std::cerr << ' ' << to_string(static_cast<sim::canary>(i));
      std::cerr << '\n';
      return 2;
    }
  }
  auto began = std::chrono::steady_clock::now();
  auto passed = sim::run_seeds(options, std::cout);
  auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::cerr << took << " s\n";
  return passed ? 0 : 1;
}
