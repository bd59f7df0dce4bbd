#pragma once

#include "app/byte_source.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>

namespace sluice::app {

/// The one mail of a source, without the line "From …" that some mail servers put before it. Of a longer one
/// the first `bytes_max` are kept, and the rest is read and passed over.
[[nodiscard]] std::string read_mail(byte_source& source, std::size_t bytes_max);

/// The mails of a mailbox in one file, in the form mboxrd: each begins with a line "From …", ends with an
/// empty one, and has its own lines ">*From …" behind one more ">". One mail at a time is in memory, of a
/// longer one its first `bytes_max` bytes.
class mailbox {
public:
  mailbox(byte_source& source, std::size_t bytes_max) : bytes_{source}, bytes_max_{bytes_max} {}

  /// Nothing at the end. The error is a sentence: it is no mailbox.
  [[nodiscard]] std::expected<std::optional<std::string>, std::string> next();

private:
  /// The next line with its end, of a longer one the beginning; false at the end.
  bool read_line();
  void append(std::string& mail) const;

  byte_reader bytes_;
  std::size_t bytes_max_;
  std::string line_;
  bool separated_ = false; ///< `line_` is the line that a mail begins behind
};

} // namespace sluice::app
