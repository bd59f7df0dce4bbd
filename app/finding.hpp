#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sluice::app {

/// One thing `sluice doctor` has looked at.
struct finding {
  enum class gravity : std::uint8_t {
    well,
    noted, ///< worth knowing; nobody has to do anything
    wrong, ///< `to_do` says what to do about it
  };
  std::string check; ///< one word: "disk"
  gravity what = gravity::well;
  std::string says;
  std::string to_do{};
};

using findings = std::vector<finding>;

[[nodiscard]] inline finding well(std::string check, std::string says) {
  return {std::move(check), finding::gravity::well, std::move(says)};
}
[[nodiscard]] inline finding noted(std::string check, std::string says) {
  return {std::move(check), finding::gravity::noted, std::move(says)};
}
[[nodiscard]] inline finding wrong(std::string check, std::string says, std::string to_do) {
  return {std::move(check), finding::gravity::wrong, std::move(says), std::move(to_do)};
}

} // namespace sluice::app
