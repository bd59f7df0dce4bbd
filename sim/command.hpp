#pragma once

#include "sim/canary.hpp"
#include "sim/report.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace sluice::sim {

/// What the command line asked for.
struct command_options {
  std::uint64_t first_seed = 1;
  std::uint64_t last_seed = 1;
  int hours = 6;
  int threads = 2;
  std::optional<canary> broken;
  std::string log_file;    ///< of a single seed
  bool keep_going = false; ///< a violation does not end the rest
};

/// Runs the seeds, each on one of the threads, and says what came of it. The reports' order is that of the
/// seeds, whoever was first. True: no violation.
bool run_seeds(const command_options& options, std::ostream& out);

/// The shortest run that shows the same seed failing; one that passes comes back as it is.
[[nodiscard]] report shortest(const report& failing, std::optional<canary> broken);

} // namespace sluice::sim
