#pragma once

#include "core/change_event.hpp"
#include "storage/soci_session.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::storage {

/// Where events are read from, with their tenants.
inline constexpr std::string_view event_tables = "change_events AS e JOIN tenants AS t ON t.id = e.tenant_id";

/// An event's columns, in the order event_target takes them.
inline constexpr std::string_view event_columns =
    "e.id, e.public_id, e.position, e.kind, t.name, e.type, e.occurred_at, e.source_connection_id, e.domain, "
    "e.source_id, e.only_subscription_id, e.body";
/// The same with an empty body.
inline constexpr std::string_view event_columns_without_body =
    "e.id, e.public_id, e.position, e.kind, t.name, e.type, e.occurred_at, e.source_connection_id, e.domain, "
    "e.source_id, e.only_subscription_id, ''";

/// Where a query puts an event.
class event_target {
public:
  void bind(query& rows);
  /// The row just fetched, moved out. Throws `abandoned` for a value that is not allowed.
  [[nodiscard]] core::change_event take();

private:
  core::change_event event_;
  core::event_source source_;
  std::string kind_;
};

} // namespace sluice::storage
