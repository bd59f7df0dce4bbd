#include "storage/error.hpp"

namespace sluice::storage {

std::string_view to_string(error code) noexcept {
  switch (code) {
  case error::unavailable:
    return "unavailable";
  case error::busy:
    return "busy";
  case error::full:
    return "full";
  case error::duplicate:
    return "duplicate";
  case error::constraint:
    return "constraint";
  case error::fenced:
    return "fenced";
  case error::schema:
    return "schema";
  case error::corrupt:
    return "corrupt";
  case error::sealed:
    return "sealed";
  case error::not_found:
    return "not_found";
  case error::refused:
    return "refused";
  }
  return "unknown";
}

} // namespace sluice::storage
