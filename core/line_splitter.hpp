#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::core {

/// A line without its end (LF or CRLF). Its text lies where it was read until the next one is asked for.
struct text_line {
  std::int64_t number = 0; ///< from 1
  std::string_view text;
  bool whole = true; ///< it fits the limit; else its text has no meaning
};

/// Makes lines of a text that comes in blocks. Blank lines are counted and passed over. Keeps no more than
/// one line of at most the limit.
class line_splitter {
public:
  explicit line_splitter(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// The next block. It stays where it is until `next` has returned false, and only then comes another.
  void feed(std::string_view block) { block_ = block; }
  /// No block follows: what has no end yet is the last line.
  void end() { ended_ = true; }

  /// False: the blocks so far hold no further whole line.
  [[nodiscard]] bool next(text_line& line);

private:
  bool take(text_line& line);
  void keep(std::string_view piece);

  std::size_t bytes_max_;
  std::string_view block_; ///< what is left of it
  std::string begun_;      ///< of a line that goes on in the next block
  bool overlong_ = false;  ///< that line is longer than the limit
  bool handed_out_ = false;
  bool ended_ = false;
  std::int64_t number_ = 0;
};

} // namespace sluice::core
