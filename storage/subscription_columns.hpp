#pragma once

#include "core/subscription.hpp"
#include "crypto/key_ring.hpp"
#include "storage/soci_session.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// Where subscriptions are read from, with their tenants.
inline constexpr std::string_view subscription_tables =
    "subscriptions AS s JOIN tenants AS t ON t.id = s.tenant_id";

/// A subscription's columns, in the order subscription_target takes them.
inline constexpr std::string_view subscription_columns =
    "s.id, s.public_id, t.name, s.name, s.mode, s.url, s.event_types, s.filter, s.ordered_by, s.headers, "
    "s.access_accepted, s.status, s.status_cause, s.status_reason, "
    "CASE WHEN EXISTS (SELECT 1 FROM delivery_stops WHERE scope = 'subscription' AND subscription_id = s.id "
    "AND ended_at IS NULL) OR EXISTS (SELECT 1 FROM delivery_stops WHERE scope = 'global' "
    "AND ended_at IS NULL) THEN 1 ELSE 0 END, "
    "s.consecutive_dead, s.starts_after, s.cursor_position, s.offered_position, s.revision, s.created_at, "
    "s.updated_at";

/// Where a query puts a subscription.
class subscription_target {
public:
  void bind(query& rows);
  /// The row just fetched, with its headers opened. Throws `abandoned` for a value that is not allowed and
  /// for headers that do not open.
  [[nodiscard]] core::subscription take(const crypto::key_ring& keys);

private:
  core::subscription row_;
  std::string mode_, event_types_, headers_, status_;
  std::optional<std::string> cause_;
};

/// A list of texts as a column holds it, and back; all of these throw `abandoned`.
[[nodiscard]] std::string text_list(const std::vector<std::string>& texts);
[[nodiscard]] std::vector<std::string> read_text_list(const std::string& stored, std::string_view column);

/// Bound to the subscription's public id: a sealed text moved to another row does not open. Headers are
/// sealed whole, the empty list is the empty text.
[[nodiscard]] std::string seal_headers(const core::subscription& of, const crypto::key_ring& keys);
[[nodiscard]] std::string seal_secret(const std::string& public_id, const std::string& secret,
                                      const crypto::key_ring& keys);
[[nodiscard]] std::string open_secret(const std::string& public_id, const std::string& sealed,
                                      const crypto::key_ring& keys);

} // namespace sluice::storage
