#pragma once

#include "config/apply_file.hpp"
#include "config/table_reader.hpp"

#include <cstddef>

namespace sluice::config {

inline constexpr std::size_t name_bytes_max = 200;
inline constexpr std::size_t domain_bytes_max = 64;

/// Reads what a rule's table has beside its name. Compiles mapping, filter and pointers, so that their faults
/// are among the reader's; what other rules there are is not looked at.
void read_rule(table_reader& table, core::configuration::rule& entry);

} // namespace sluice::config
