#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sluice::tests {

/// The text of a file of this repository.
[[nodiscard]] inline std::string repository_file(const std::string& name) {
  const auto here = std::filesystem::path{__FILE__}.parent_path().parent_path();
  std::stringstream text;
  text << std::ifstream{here / name, std::ios::binary}.rdbuf();
  return text.str();
}

} // namespace sluice::tests
