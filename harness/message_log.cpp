#include "harness/message_log.hpp"

#include <utility>

namespace sluice::harness {

std::string to_string(const message_line& line) {
  constexpr std::size_t date_length = 11; // "2026-01-31T"
  return core::to_rfc3339(line.at).substr(date_length) + "  " + line.from + " -> " + line.to + "  "
         + line.text;
}

void message_log::add(message_line line) {
  if (lines_max_ == 0)
    return;
  if (line.text.size() > text_bytes_max)
    line.text.replace(text_bytes_max, std::string::npos, "…");
  if (lines_.size() == lines_max_)
    lines_.pop_front();
  lines_.push_back(std::move(line));
}

std::string message_log::text() const {
  std::string text;
  for (const auto& line : lines_)
    text += to_string(line) + '\n';
  return text;
}

} // namespace sluice::harness
