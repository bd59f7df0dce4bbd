#pragma once

#include "app/output.hpp"
#include "config/settings.hpp"

#include <expected>
#include <string>
#include <vector>

namespace sluice::app {

struct doctor_options {
  bool after_restore = false;
  bool over = false;   ///< with it: the restore is settled
  bool mirror = false; ///< reads the whole mirror besides
};

/// `sluice doctor`: what is wrong with the installation, why, and what to do about it. Looks alone, but for
/// --after-restore. `exit_ok`: nothing is to be done; else `exit_refused`.
[[nodiscard]] int doctor(const std::expected<config::settings, std::vector<std::string>>& settings,
                         const doctor_options& options, const output_style& style);

} // namespace sluice::app
