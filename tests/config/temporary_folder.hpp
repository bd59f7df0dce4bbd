#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sluice::tests {

/// A folder of a test's own that goes with it.
class temporary_folder {
public:
  temporary_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sluice-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    const auto path = (path_ / name).string();
    std::ofstream{path, std::ios::binary} << text;
    return path;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

} // namespace sluice::tests
