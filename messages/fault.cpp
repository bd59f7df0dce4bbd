#include "messages/fault.hpp"

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

} // namespace sluice::messages
