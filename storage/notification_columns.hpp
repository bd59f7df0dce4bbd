#pragma once

#include "core/notification_record.hpp"
#include "storage/soci_session.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

// How notifications are read for people. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// Those a text behind "WHERE …" selects; notifications is `n` there, their tenants `t`.
[[nodiscard]] std::vector<core::notification_record>
read_notifications(session& db, const std::string& condition, const std::function<void(query&)>& bind);
[[nodiscard]] std::optional<core::notification_record>
read_notification(session& db, const std::string& condition, const std::function<void(query&)>& bind);

/// One that is there.
[[nodiscard]] core::notification_record notification_of(session& db, core::notification_id id);

} // namespace sluice::storage
