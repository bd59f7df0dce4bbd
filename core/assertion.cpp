#include "core/assertion.hpp"

#include <cstdio>
#include <cstdlib>

namespace sluice::core {

void assertion_failed(const char* sentence, const std::source_location& where) noexcept {
  std::fprintf(stderr, "%s:%u: does not hold: %s\n", where.file_name(), static_cast<unsigned>(where.line()),
               sentence);
  std::abort();
}

} // namespace sluice::core
