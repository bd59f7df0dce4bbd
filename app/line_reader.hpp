#pragma once

#include "app/byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::app {

/// Lines of a text as a stream, without their ends (LF or CRLF). Blank lines are passed over.
class line_reader {
public:
  explicit line_reader(byte_source& source, std::size_t line_bytes_max = std::size_t{4} << 20)
      : in_{source}, line_bytes_max_{line_bytes_max} {}

  /// False at the end. `whole` says whether the line fits the limit; its rest is passed over.
  [[nodiscard]] bool next(std::string& line, bool& whole);
  [[nodiscard]] std::int64_t line() const noexcept { return line_; } ///< of the line read last, from 1

private:
  byte_reader in_;
  std::size_t line_bytes_max_;
  std::int64_t line_ = 0;
};

} // namespace sluice::app
