#pragma once

#include "core/stop.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// A stop's columns, in the order stop_row takes them; the table has no other name where they are selected.
inline constexpr std::string_view stop_columns =
    "id, public_id, scope, cause, connection_id, rule_id, subscription_id, profile_id, reason, set_by, "
    "set_at, "
    "pending_withdrawals, known_records, threshold, ended_at, ended_by, resolution, allowed_withdrawals, "
    "allowance_consumed_at, "
    "(SELECT s.public_id FROM subscriptions AS s WHERE s.id = subscription_id), "
    "(SELECT s.name FROM subscriptions AS s WHERE s.id = subscription_id), "
    "(SELECT t.name FROM subscriptions AS s JOIN tenants AS t ON t.id = s.tenant_id "
    "WHERE s.id = subscription_id), "
    "(SELECT p.public_id FROM provider_profiles AS p WHERE p.id = profile_id), "
    "(SELECT p.name FROM provider_profiles AS p WHERE p.id = profile_id), "
    "(SELECT t.name FROM provider_profiles AS p JOIN tenants AS t ON t.id = p.tenant_id "
    "WHERE p.id = profile_id)";

/// Where a query puts a row of delivery_stops.
class stop_row {
public:
  void bind(query& rows);
  /// The row just fetched. Throws `abandoned` for a value that is not allowed.
  [[nodiscard]] core::delivery_stop take();

  /// All rows of a query whose parameters are bound.
  [[nodiscard]] static std::vector<core::delivery_stop> all(query& rows);
  [[nodiscard]] static std::optional<core::delivery_stop> first(query& rows);

private:
  core::delivery_stop stop_;
  std::string scope_;
  std::string cause_;
  std::optional<std::string> resolution_;
  std::optional<std::int64_t> pending_;
  core::hold_finding finding_;

  struct owner_columns {
    std::optional<std::string> public_id, name, tenant;

    void bind(query& rows) { rows.into(public_id).into(name).into(tenant); }
    [[nodiscard]] std::optional<core::stopped_owner> take() const;
  };
  owner_columns subscription_;
  owner_columns profile_;
};

} // namespace sluice::storage
