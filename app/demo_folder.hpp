#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::app {

/// A folder of the demo's own, removed at the end unless it is kept.
class demo_folder {
public:
  demo_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "sluice-demo-XXXXXX").string();
    if (const char* made = ::mkdtemp(pattern.data()))
      path_ = made;
  }
  demo_folder(const demo_folder&) = delete;
  demo_folder& operator=(const demo_folder&) = delete;
  ~demo_folder() {
    std::error_code ignored;
    if (!path_.empty() && !kept_)
      std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] bool made() const { return !path_.empty(); }
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }
  void write(std::string_view name, const std::string& text) const { std::ofstream{path_ / name} << text; }
  void keep() { kept_ = true; }

private:
  std::filesystem::path path_;
  bool kept_ = false;
};

} // namespace sluice::app
