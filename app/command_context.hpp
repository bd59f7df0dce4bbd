#pragma once

#include "app/output.hpp"
#include "config/settings.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

/// Reads the settings as they stand now: the file, the environment, the command line's own. The error lists
/// every fault.
using settings_loader = std::function<std::expected<config::settings, std::vector<std::string>>()>;

/// What every offline command is given.
struct command_context {
  config::settings settings;
  output_style style;
  settings_loader load{}; ///< where the settings came from
};

/// Now, by the wall clock.
[[nodiscard]] core::timestamp wall_now();

/// The settings' database. The error is a sentence for people.
[[nodiscard]] std::expected<storage::database, std::string> database_of(const config::settings& settings);

enum class schema_check : std::uint8_t { needed, skipped };

/// A session on the settings' database, its schema checked. The fault has been printed when there is none:
/// the error is the exit code.
[[nodiscard]] std::expected<storage::session, int>
open_session(const command_context& context, storage::access mode, schema_check check = schema_check::needed);

/// The key ring of the settings (config::load has read their file already), without a key when they have
/// none. The error is a sentence for people.
[[nodiscard]] std::expected<crypto::key_ring, std::string> read_keys(const config::settings& settings);
/// Likewise the ring that finds contact points (docs/decisions/0093). One that shares a key with the other is
/// refused.
[[nodiscard]] std::expected<crypto::key_ring, std::string>
read_fingerprint_keys(const config::settings& settings);
/// The key ring; printed when it cannot be read.
[[nodiscard]] std::expected<crypto::key_ring, int> open_keys(const config::settings& settings);

/// Prints a failure of the database and returns the exit code it means.
int report(std::string_view what, const storage::failure& failure);

/// Prints that something named does not exist.
int report_missing(std::string_view kind, std::string_view name, std::string_view to_do);

} // namespace sluice::app
