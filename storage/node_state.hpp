#pragma once

#include "core/ids.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::storage {

/// A connection's request window as text (core::request_window::to_text), durable before a grant is used.
[[nodiscard]] result<void> save_window(session& db, core::connection_id connection, std::string_view text,
                                       core::timestamp now);
[[nodiscard]] result<std::optional<std::string>> load_window(session& db, core::connection_id connection);

/// The dispatcher's sign of life, by name.
[[nodiscard]] result<void> write_heartbeat(session& db, std::string_view name, core::timestamp now);
[[nodiscard]] result<std::optional<core::timestamp>> read_heartbeat(session& db, std::string_view name);

} // namespace sluice::storage
