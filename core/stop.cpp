#include "core/stop.hpp"

namespace sluice::core {

std::string stopped_by(std::string_view set_by, std::string_view reason) {
  auto text = "stopped by " + std::string{set_by.empty() ? "an unnamed person" : set_by};
  return reason.empty() ? text : text + ": " + std::string{reason};
}

} // namespace sluice::core
