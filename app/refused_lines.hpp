#pragma once

#include "app/record_reader.hpp"

#include <cstdint>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::app {

/// The records an import refuses: counts them, keeps the first 20 to show, and writes all of them to a file
/// that can be corrected and imported by itself. The file is made with the first of them.
class refused_lines {
public:
  refused_lines(std::string path, bool keep) : path_{std::move(path)}, keep_{keep} {}

  [[nodiscard]] std::expected<void, std::string> add(const import_record& record, const std::string& header);
  [[nodiscard]] std::expected<void, std::string> close();

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] const std::vector<std::string>& first() const noexcept { return first_; } ///< "line 12: …"
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  static constexpr std::size_t shown_max = 20;
  std::expected<void, std::string> write(const std::string& line);

  std::string path_;
  bool keep_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
  std::int64_t count_ = 0;
  std::vector<std::string> first_;
};

} // namespace sluice::app
