#pragma once

#include "storage/connections.hpp"
#include "storage/rules.hpp"
#include "storage/stored_rule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::storage {

/// What an apply found out before it writes anything: each wish beside its stored row, in the plan's order.
struct apply_plan {
  struct tenant {
    std::string name;
    bool exists = false;
  };
  struct connection {
    core::connection wish; ///< with the stored id and public id, where there is a row
    std::optional<stored_connection> stored;
    std::vector<std::string> fields; ///< that change
  };
  struct rule {
    configuration::rule wish; ///< with the stored id, public id and the next revision, where there is a row
    std::optional<stored_rule> stored;
    std::vector<std::string> fields;
  };
  struct subscription {
    std::optional<core::subscription> stored; ///< its headers opened
    core::subscription wished;                ///< as it will be
    std::vector<std::string> fields;
    std::string secret; ///< where it is made
  };

  std::vector<tenant> tenants;
  std::vector<connection> connections;
  std::vector<rule> rules;
  std::vector<subscription> subscriptions;
  std::vector<std::string> refusals; ///< sentences; nothing may be written while there is one
};

/// Reads what is stored and compares; writes nothing.
[[nodiscard]] result<apply_plan> compare_configuration(session& db, const configuration& wished,
                                                       const crypto::key_ring& keys);

} // namespace sluice::storage
