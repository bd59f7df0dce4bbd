#include "core/change_event.hpp"

#include <array>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 3> change_words{"created", "updated", "deleted"};
static_assert(change_words[static_cast<std::size_t>(record_change::deleted)] == "deleted");

} // namespace

std::string_view to_string(record_change change) noexcept {
  const auto index = static_cast<std::size_t>(change);
  return index < change_words.size() ? change_words[index] : std::string_view{"unknown"};
}

std::string event_type_of(std::string_view domain, record_change change) {
  return std::string{domain}.append(1, '.').append(to_string(change));
}

} // namespace sluice::core
