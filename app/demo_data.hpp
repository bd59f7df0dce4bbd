#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

/// The demo's own records, made from a seed: a small trading company.
struct demo_record {
  std::string source_id;
  std::string payload; ///< JSON, with the id as its member "id"
};

struct demo_domain {
  std::string name; ///< "customers", "orders", "products"
  std::vector<demo_record> records;
};

[[nodiscard]] std::vector<demo_domain> make_demo_records(std::uint64_t seed);

/// Changes `changes` records of a domain in place, and adds `additions` new ones; returns those touched.
[[nodiscard]] std::vector<demo_record> change_demo_records(demo_domain& domain, std::size_t changes,
                                                           std::size_t additions, std::uint64_t seed);

/// One record a line.
[[nodiscard]] std::string as_ndjson(const std::vector<demo_record>& records);

/// The demo's apply file, for a target listening at `target_url`.
[[nodiscard]] std::string demo_apply_file(std::string_view target_url, std::int64_t requests_per_minute);

/// The demo's settings file, for a database at `database_path`.
[[nodiscard]] std::string demo_settings_file(std::string_view database_path);

} // namespace sluice::app
