#include "core/json_nesting.hpp"

namespace sluice::core {

bool nests_deeper(std::string_view text, std::size_t most) noexcept {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > most)
        return true;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

} // namespace sluice::core
