#pragma once

#include "core/incoming.hpp"
#include "core/payload.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// Reads one step of what a source tells, a JSON object: {"id": "…", "record": {…}} is the record as it now
/// is, {"id": "…", "deleted": true} says that the source deleted it. The record's text is kept byte for byte.
/// Not for two threads at once.
class change_reader {
public:
  /// `bytes_max`: of such an object.
  explicit change_reader(std::size_t bytes_max);

  /// The error is a sentence.
  [[nodiscard]] std::expected<incoming_change, std::string> read(std::string_view text);

private:
  payload_reader id_;
  std::vector<value> values_;
};

} // namespace sluice::core
