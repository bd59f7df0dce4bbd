#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <deque>
#include <string>

namespace sluice::harness {

/// A message as people read it.
struct message_line {
  core::timestamp at{};
  std::string from;
  std::string to;
  std::string text;
};

[[nodiscard]] std::string to_string(const message_line& line);

/// The last messages of a world.
class message_log {
public:
  static constexpr std::size_t text_bytes_max = 300;

  explicit message_log(std::size_t lines_max) : lines_max_(lines_max) {}

  [[nodiscard]] bool keeps() const noexcept { return lines_max_ > 0; }
  void add(message_line line);
  [[nodiscard]] const std::deque<message_line>& lines() const noexcept { return lines_; }
  /// One a line: time, from, to, message.
  [[nodiscard]] std::string text() const;

private:
  std::size_t lines_max_;
  std::deque<message_line> lines_;
};

} // namespace sluice::harness
