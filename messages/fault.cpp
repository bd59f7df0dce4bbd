#include "messages/fault.hpp"

#include <caf/atom.hpp>
#include <caf/sec.hpp>

namespace sluice::messages {

std::string to_string(fault code) {
  switch (code) {
  case fault::none:
    return "none";
  case fault::database_unavailable:
    return "database_unavailable";
  case fault::database_refused:
    return "database_refused";
  case fault::lease_lost:
    return "lease_lost";
  case fault::not_found:
    return "not_found";
  case fault::refused:
    return "refused";
  case fault::shutting_down:
    return "shutting_down";
  }
  return "unknown";
}

fault fault_of(const caf::error& error) {
  if (error.category() != caf::atom("sluice"))
    return fault::none;
  return static_cast<fault>(error.code());
}

std::string describe(const caf::error& error) {
  if (error.category() == caf::atom("sluice")) {
    if (error.context().match_elements<std::string>())
      return error.context().get_as<std::string>(0);
    return to_string(static_cast<fault>(error.code()));
  }
  if (error == caf::sec::request_timeout)
    return "an actor did not answer in time";
  if (error == caf::sec::request_receiver_down)
    return "an actor died before it answered";
  return "an actor refused the request (code " + std::to_string(error.code()) + ")";
}

} // namespace sluice::messages
