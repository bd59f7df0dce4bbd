#pragma once

#include "core/json_fault.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>

// For the sources that parse alone: Boost's header costs seconds.

namespace sluice::core {

[[nodiscard]] inline boost::json::parse_options json_options(const payload_limits& limits) {
  boost::json::parse_options options;
  options.max_depth = std::min(limits.depth_max, json_depth_ceiling);
  return options;
}

/// Lets the parser's handler see the whole text, one JSON value and nothing behind it. The error is
/// check_payload's.
template <class Handler>
[[nodiscard]] std::expected<void, std::string> run_json_parser(boost::json::basic_parser<Handler>& parser,
                                                               std::string_view text,
                                                               const payload_limits& limits) {
  if (auto checked = check_json_bytes(text, limits); !checked) {
    return checked;
  }
  boost::json::error_code error;
  const auto consumed = parser.write_some(false, text.data(), text.size(), error);
  if (!error && consumed < text.size()) {
    error = boost::json::error::extra_data;
  }
  if (error) {
    return std::unexpected{describe_json_fault(error.value(), text, consumed, limits)};
  }
  return {};
}

} // namespace sluice::core
