#pragma once

#include "harness/world.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/event_history.hpp"
#include "sim/faults.hpp"
#include "sim/late_writer.hpp"
#include "sim/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::sim {

/// A simulated source: writes records of its domains as a shop's day would have it, and tells the checker
/// each version.
class source {
public:
  source(dice& from, faults& faults, harness::world& world, checker& checker,
         const std::vector<plan::domain>& domains);

  /// Is told of every version in words.
  void log_to(std::function<void(const std::string&)> log) { log_ = std::move(log); }

  /// Is told of every version as it is written.
  void tell(std::function<void(const record_change&)> told) { told_ = std::move(told); }

  /// `count` records of one domain change at one moment; deletions and the rest are transactions of their
  /// own.
  void change(std::size_t count);
  [[nodiscard]] std::int64_t changes() const noexcept { return changes_; }

private:
  struct record {
    std::string id;
    std::int64_t version = 0;
    bool live = false;
    std::string parent; ///< the record of another domain it depends on
  };
  struct domain {
    std::string name;
    std::optional<std::size_t> parent; ///< which of the domains its records depend on
    std::vector<record> records;
  };

  [[nodiscard]] record& pick(domain& of);
  void name_parent(const domain& of, record& one);
  storage::incoming_record next_version(const domain& of, record& one);
  void delete_it(const domain& of, record& one);
  void change_late(domain& of);
  void wrote(const domain& of, const record& one, const source_version& version, const char* how);

  dice& dice_;
  faults& faults_;
  harness::world& world_;
  checker& checker_;
  late_writer late_;
  core::connection_id connection_;
  std::vector<domain> domains_;
  std::function<void(const std::string&)> log_;
  std::function<void(const record_change&)> told_;
  std::int64_t changes_ = 0;
};

} // namespace sluice::sim
