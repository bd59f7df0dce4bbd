#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Entity tags (RFC 9110 section 8.8.3) that hold a number: what somebody has seen of what they change.
namespace sluice::api {

[[nodiscard]] inline std::string entity_tag(std::int64_t version) {
  return '"' + std::to_string(version) + '"';
}

/// Nothing where the text is not one tag of ours.
[[nodiscard]] inline std::optional<std::int64_t> read_entity_tag(std::string_view tag) {
  if (tag.size() <= 2 || tag.front() != '"' || tag.back() != '"')
    return std::nullopt;
  std::int64_t version = 0;
  const auto* end = tag.data() + tag.size() - 1;
  const auto [at, failed] = std::from_chars(tag.data() + 1, end, version);
  if (failed != std::errc{} || at != end)
    return std::nullopt;
  return version;
}

} // namespace sluice::api
