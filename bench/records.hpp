#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::bench {

/// One customer of the benchmark. Everybody who is measured delivers these, so that nobody sends smaller
/// bodies.
struct customer_record {
  std::string source_id;
  /// One JSON object of about 300 bytes; its member "id" is the source id.
  std::string json;
};

/// Where the benchmark's creates go.
inline constexpr std::string_view customers_path = "/customers";

/// The source id of record `number`: eight digits or more after a letter, so that text order is number order.
[[nodiscard]] std::string make_source_id(std::uint64_t number);

/// Record `number`, the same bytes on every call and machine.
[[nodiscard]] customer_record make_record(std::uint64_t number);

} // namespace sluice::bench
