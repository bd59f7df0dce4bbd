#include "sim/command.hpp"

#include "sim/simulation.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <ostream>
#include <thread>
#include <vector>

namespace sluice::sim {

namespace {

report run_one(const command_options& options, std::uint64_t seed, std::ostream* log) {
  simulation_options made{seed, options.hours, options.broken, {}};
  if (log != nullptr)
    made.log = [log](std::string_view line) { *log << line << '\n'; };
  return simulation{std::move(made)}.run();
}

std::string replay(const report& failing, std::optional<canary> broken) {
  auto text =
      "sluice-sim --seed " + std::to_string(failing.seed) + " --hours " + std::to_string(failing.hours);
  if (broken)
    text += " --canary " + std::string{to_string(*broken)};
  return text;
}

/// Takes seeds one after the other until none is left or one has failed.
class seed_runner {
public:
  seed_runner(const command_options& options, std::ostream* log)
      : options_(options), log_(log), next_(options.first_seed), last_(options.last_seed) {}

  void work() {
    for (;;) {
      auto seed = next_.fetch_add(1);
      if (seed > last_)
        return;
      auto made = run_one(options_, seed, log_);
      std::scoped_lock lock{mutex_};
      total_.add(made);
      if (!made.found)
        continue;
      failing_.emplace(seed, std::move(made));
      if (!options_.keep_going)
        last_ = 0;
    }
  }

  [[nodiscard]] const report& total() const noexcept { return total_; }
  [[nodiscard]] const std::map<std::uint64_t, report>& failing() const noexcept { return failing_; }

private:
  const command_options& options_;
  std::ostream* log_;
  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> last_;
  std::mutex mutex_;
  report total_;
  std::map<std::uint64_t, report> failing_;
};

} // namespace

report shortest(const report& failing, std::optional<canary> broken) {
  command_options options;
  options.broken = broken;
  for (options.hours = 1; options.hours < failing.hours; ++options.hours) {
    if (auto shorter = run_one(options, failing.seed, nullptr); shorter.found)
      return shorter;
  }
  return failing;
}

bool run_seeds(const command_options& options, std::ostream& out) {
  std::ofstream file;
  if (!options.log_file.empty())
    file.open(options.log_file);
  seed_runner runner{options, options.log_file.empty() ? nullptr : &file};
  auto seeds = options.last_seed - options.first_seed + 1;
  auto threads = std::min<std::uint64_t>(seeds, static_cast<std::uint64_t>(options.threads));
  std::vector<std::jthread> running;
  running.reserve(threads);
  for (std::uint64_t i = 0; i < threads; ++i)
    running.emplace_back([&runner] { runner.work(); });
  running.clear();
  for (const auto& [seed, failing] : runner.failing()) {
    auto shorter = options.log_file.empty() ? shortest(failing, options.broken) : failing;
    out << verdict(shorter) << "\n  replay: " << replay(shorter, options.broken) << " --log FILE\n";
  }
  out << summary(runner.total());
  return runner.failing().empty();
}

} // namespace sluice::sim
