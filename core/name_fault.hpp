#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// What is wrong with a name somebody gave to a thing: a sentence without its capital and period, which says
/// what is allowed and does not quote it.
[[nodiscard]] std::optional<std::string> name_fault(std::string_view name, std::size_t bytes_max);

} // namespace sluice::core
