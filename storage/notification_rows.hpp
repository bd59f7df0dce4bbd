#pragma once

#include "core/ids.hpp"
#include "core/notification_progress.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Rows of notifications as what goes on with them is decided on: locked, and written where their version is
// still the one that was read. All of it throws: use inside `guarded`.

namespace sluice::storage {

struct notification_row {
  core::notification_id id{};
  std::string public_id;
  core::contact_point_id contact{};
  std::vector<std::int64_t> route; ///< the profiles' ids in their order, never empty
  core::notification_terms terms;
  core::notification_progress progress;
  std::int64_t row_version = 0;

  /// Whose turn it is.
  [[nodiscard]] core::provider_profile_id profile() const {
    return {route.at(static_cast<std::size_t>(progress.place))};
  }
};

/// A route as its column has it.
[[nodiscard]] std::string route_text(const std::vector<std::int64_t>& profiles);
[[nodiscard]] std::vector<std::int64_t> route_of(const std::string& text);

/// Those that a text behind "WHERE …" selects, which locks them: " … FOR UPDATE". notifications is `n` there.
[[nodiscard]] std::vector<notification_row> lock_notifications(session& db, std::string_view condition,
                                                               const std::function<void(query&)>& bind);
/// In the order of their ids, each once; those that are gone are left out.
[[nodiscard]] std::vector<notification_row> lock_notifications(session& db,
                                                               std::vector<core::notification_id> ids);
/// `not_found` where it is gone.
[[nodiscard]] notification_row lock_notification(session& db, core::notification_id id);

/// Rows others are at work on are passed over; SQLite has one writer.
[[nodiscard]] std::string_view skip_locked(engine kind);

/// One statement on PostgreSQL; `row_version` is the one that was read. A row that is another meanwhile
/// abandons the work as `busy`.
void write_notifications(session& db, std::span<const notification_row> rows, core::timestamp now);

} // namespace sluice::storage
