#pragma once

#include "core/ledger.hpp"
#include "core/time.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

/// An option that takes a duration such as 20ms.
inline void add_duration(CLI::App& to, const std::string& name, core::duration& into,
                         const std::string& description) {
  to.add_option_function<std::string>(
        name,
        [name, &into](const std::string& text) {
          const auto parsed = core::parse_duration(text);
          if (!parsed) {
            throw CLI::ValidationError{name, parsed.error()};
          }
          into = *parsed;
        },
        description)
      ->type_name("DURATION");
}

/// An option that takes a probability.
inline void add_share(CLI::App& to, const std::string& name, double& into, const std::string& description) {
  to.add_option(name, into, description)->check(CLI::Range(0.0, 1.0))->type_name("SHARE");
}

/// An option that takes one of some words, read by `parse`.
template <class Value>
void add_word(CLI::App& to, const std::string& name, std::optional<Value>& into,
              std::optional<Value> (*parse)(std::string_view) noexcept, const std::vector<std::string>& words,
              const std::string& description) {
  to.add_option_function<std::string>(
        name, [&into, parse](const std::string& word) { into = parse(word); }, description)
      ->check(CLI::IsMember(words))
      ->type_name("WORD");
}

/// Every delivery status by its word.
[[nodiscard]] inline std::vector<std::string> delivery_status_words() {
  std::vector<std::string> out;
  for (auto status = core::delivery_status::delivered; status <= core::delivery_status::exhausted;
       status = static_cast<core::delivery_status>(static_cast<int>(status) + 1)) {
    out.emplace_back(core::to_string(status));
  }
  return out;
}

} // namespace sluice::app
