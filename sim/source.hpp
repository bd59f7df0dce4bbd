#pragma once

#include "harness/world.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/faults.hpp"
#include "sim/late_writer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::sim {

/// A simulated source: writes records of its domains as a shop's day would have it, and tells the checker
/// each version.
class source {
public:
  source(dice& from, faults& faults, harness::world& world, checker& checker,
         std::vector<std::string> domains);

  /// `count` records of one domain change at one moment; deletions and the rest are transactions of their
  /// own.
  void change(std::size_t count);
  [[nodiscard]] std::int64_t changes() const noexcept { return changes_; }

private:
  struct record {
    std::string id;
    std::int64_t version = 0;
    bool live = false;
  };
  struct domain {
    std::string name;
    std::vector<record> records;
  };

  [[nodiscard]] record& pick(domain& of);
  storage::incoming_record next_version(record& of);
  void change_late(domain& of);

  dice& dice_;
  faults& faults_;
  harness::world& world_;
  checker& checker_;
  late_writer late_;
  core::connection_id connection_;
  std::vector<domain> domains_;
  std::int64_t changes_ = 0;
};

} // namespace sluice::sim
