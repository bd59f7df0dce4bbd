#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace sluice::tests {

/// A folder of published test vectors: below SLUICE_SHARED, or beside the source folder. Nothing where there
/// is none.
[[nodiscard]] inline std::optional<std::filesystem::path> vectors(const std::string& name) {
  const auto source_root = std::filesystem::absolute(__FILE__).parent_path().parent_path();
  const char* const named = std::getenv("SLUICE_SHARED");
  const auto shared = named != nullptr ? std::filesystem::path{named} : source_root.parent_path() / "shared";
  const auto folder = shared / "vectors" / name;
  return std::filesystem::exists(folder) ? std::optional{folder} : std::nullopt;
}

/// The text of a file.
[[nodiscard]] inline std::string text_of(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

} // namespace sluice::tests
