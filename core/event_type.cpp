#include "core/event_type.hpp"

#include "core/error_text.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

constexpr std::string_view allowed_words = "allowed are words of letters, digits, \"_\" and \"-\" with dots "
                                           "between them, as in \"customers.updated\"";
constexpr std::size_t quoted_bytes_max = 60;

/// Foreign text for a sentence.
std::string quoted(std::string_view text) {
  const bool whole = text.size() <= quoted_bytes_max;
  return '"' + error_text(std::string{text.substr(0, quoted_bytes_max)}, quoted_bytes_max)
         + (whole ? "\"" : "…\"");
}

bool is_word(std::string_view word) noexcept {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

bool is_dotted(std::string_view text) noexcept {
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_word(text.substr(0, dot)))
      return false;
    text.remove_prefix(dot + 1);
  }
  return is_word(text);
}

std::optional<std::string> pattern_fault(std::string_view pattern) {
  if (pattern == "*")
    return std::nullopt;
  const auto words = pattern.ends_with(".*") ? pattern.substr(0, pattern.size() - 2) : pattern;
  if (words.find('*') != std::string_view::npos)
    return quoted(pattern)
           + " has \"*\" where it cannot stand: allowed are \"*\" alone and \".*\" at the end";
  if (auto fault = event_type_fault(words); fault && words != pattern)
    return quoted(pattern) + " is no pattern: what stands before \".*\" is none; " + *fault;
  else
    return fault;
}

} // namespace

std::optional<std::string> event_type_fault(std::string_view type) {
  if (type.empty())
    return "an event type is missing; " + std::string{allowed_words};
  if (type.size() > event_type_bytes_max)
    return quoted(type) + " is no event type: it has " + std::to_string(type.size()) + " bytes, allowed are "
           + std::to_string(event_type_bytes_max);
  if (!is_dotted(type))
    return quoted(type) + " is no event type; " + std::string{allowed_words};
  return std::nullopt;
}

std::vector<std::string> event_pattern_faults(const std::vector<std::string>& patterns) {
  if (patterns.empty())
    return {"no event type is named; \"*\" stands for all"};
  if (patterns.size() > event_patterns_max)
    return {std::to_string(patterns.size()) + " event types are named, allowed are "
            + std::to_string(event_patterns_max)};
  std::vector<std::string> faults;
  for (auto pattern = patterns.begin(); pattern != patterns.end(); ++pattern) {
    if (auto fault = pattern_fault(*pattern))
      faults.push_back(*std::move(fault));
    else if (std::find(patterns.begin(), pattern, *pattern) != pattern)
      faults.push_back(quoted(*pattern) + " is named twice");
  }
  return faults;
}

bool matches_event_type(std::string_view pattern, std::string_view type) noexcept {
  if (pattern == "*")
    return true;
  if (!pattern.ends_with(".*"))
    return pattern == type;
  pattern.remove_suffix(1); // the dot stays: "customers.*" is not for "customers_archive.created"
  return type.size() > pattern.size() && type.starts_with(pattern);
}

bool matches_event_type(const std::vector<std::string>& patterns, std::string_view type) noexcept {
  return std::ranges::any_of(
      patterns, [type](const std::string& pattern) { return matches_event_type(pattern, type); });
}

} // namespace sluice::core
