#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace sluice::app {

/// An option or an argument of a command, as its papers tell of it.
struct described_option {
  std::vector<std::string> names; ///< with their dashes, the long ones first; of an argument the name alone
  std::string value;              ///< what it takes, "NAME"; empty: a flag
  std::vector<std::string> words; ///< the values it takes, where they are these alone
  std::string range;              ///< "1 - 10000", where it is bounded
  std::string description;
  bool required = false;

  [[nodiscard]] bool takes_file() const { return value == "FILE"; }
};

struct described_command {
  std::string path; ///< "connections list"; empty for the program
  std::string description;
  std::vector<described_option> options;
  std::vector<described_option> arguments;
  std::vector<described_command> commands;
};

/// The commands as the parser knows them, so that what is written of them cannot tell of others. Hidden ones
/// are left out.
[[nodiscard]] described_command describe(const CLI::App& app);

/// Visits a command and all those under it.
void visit(const described_command& command, const std::function<void(const described_command&)>& visitor);

} // namespace sluice::app
