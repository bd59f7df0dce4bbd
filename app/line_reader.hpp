#pragma once

#include "app/byte_source.hpp"
#include "core/line_splitter.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::app {

/// Lines of a source as a stream, without their ends (LF or CRLF). Blank lines are passed over.
class line_reader {
public:
  explicit line_reader(byte_source& source, std::size_t line_bytes_max = std::size_t{4} << 20)
      : source_{source}, block_(std::size_t{256} << 10, '\0'), lines_{line_bytes_max} {}

  /// False at the end. `whole` says whether the line fits the limit; its rest is passed over.
  [[nodiscard]] bool next(std::string& line, bool& whole);
  [[nodiscard]] std::int64_t line() const noexcept { return line_; } ///< of the line read last, from 1

private:
  byte_source& source_;
  std::string block_;
  core::line_splitter lines_;
  std::int64_t line_ = 0;
  bool ended_ = false;
};

} // namespace sluice::app
