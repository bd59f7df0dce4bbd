#include "core/source_id.hpp"

namespace sluice::core {

std::optional<std::string> source_id_fault(std::string_view id) {
  if (!id.empty() && id.size() <= source_id_bytes_max)
    return std::nullopt;
  return "the id has " + std::to_string(id.size()) + " bytes; allowed are 1 to "
         + std::to_string(source_id_bytes_max);
}

std::optional<std::string> source_id_fault(const value& id, std::string_view place) {
  if (id.kind == value_kind::string || id.kind == value_kind::number)
    return source_id_fault(id.text);
  return "the id " + std::string{place} + " is " + std::string{to_string(id.kind)}
         + "; allowed is a text or a number";
}

} // namespace sluice::core
