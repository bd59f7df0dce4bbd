#include "sim/command.hpp"
#include "sim/simulation.hpp"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

using namespace sluice;

namespace {

sim::report run(std::uint64_t seed, int hours, std::string* log = nullptr,
                std::optional<sim::canary> broken = std::nullopt) {
  sim::simulation_options options{seed, hours, broken, {}};
  if (log != nullptr)
    options.log = [log](std::string_view line) { log->append(line).append("\n"); };
  return sim::simulation{std::move(options)}.run();
}

} // namespace

TEST_CASE("a seed comes to the same log every time, byte for byte") {
  std::string first;
  std::string second;
  run(3, 2, &first);
  run(4, 1); // what ran before in this process must not show
  run(3, 2, &second);

  CHECK(first.size() > 100'000);
  CHECK(first == second);
}

TEST_CASE("a seed comes to the same with a log and without") {
  std::string log;
  CHECK(sim::summary(run(5, 2, &log)) == sim::summary(run(5, 2)));
}

TEST_CASE("different seeds are different worlds") {
  CHECK(sim::summary(run(6, 1)) != sim::summary(run(7, 1)));
}

TEST_CASE("a simulated hour means work, and the properties hold") {
  auto seed = GENERATE(11U, 12U, 13U, 14U, 15U, 16U);
  constexpr int hours = 3;
  auto made = run(seed, hours);

  CHECK(sim::verdict(made) == "seed " + std::to_string(seed) + ": ok");
  CHECK(made.changes >= 200 * hours);
  CHECK(made.count(sim::fault::crashed) >= hours);
  CHECK(made.faults_in_all() >= 10 * hours);
  CHECK(made.acts >= hours);
}

TEST_CASE("a failing seed is told with the shortest run that shows it") {
  sim::command_options options;
  options.last_seed = 10;
  options.hours = 4;
  options.broken = sim::canary::drops_a_row;
  std::ostringstream out;

  CHECK_FALSE(sim::run_seeds(options, out));
  CHECK_THAT(out.str(), Catch::Matchers::Contains("violates property"));
  CHECK_THAT(out.str(), Catch::Matchers::Contains("replay: sluice-sim --seed"));
  CHECK_THAT(out.str(), Catch::Matchers::Contains("--canary drops_a_row"));
}
