#pragma once

#include "app/finding.hpp"
#include "config/settings.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace sluice::app {

/// What the machine has, apart from what is to be said of it: each can be asked of a machine that is not
/// there.
struct disk_facts {
  std::string folder;
  std::uint64_t free_bytes = 0; ///< for a user who is not root
  std::uint64_t whole_bytes = 0;
};
/// The disk of a SQLite database. The error is a sentence.
[[nodiscard]] std::expected<disk_facts, std::string> read_disk(const std::string& database_path);
[[nodiscard]] finding judge_disk(const disk_facts& disk);

[[nodiscard]] std::uint64_t open_files_limit();
/// Calls and connections of the API each take an open file.
[[nodiscard]] finding judge_open_files(std::uint64_t limit, const config::settings& settings);

/// Whether the node's API could listen where the settings say.
enum class listening : std::uint8_t {
  free,    ///< nobody listens there
  taken,   ///< somebody does
  refused, ///< the address is not this machine's, or the port is not this user's
};
[[nodiscard]] listening look_at_address(const std::string& address);
[[nodiscard]] finding judge_address(const config::settings& settings, listening found, bool node_runs);

/// `ahead`: by how much the database's clock is before the machine's.
[[nodiscard]] finding judge_clock(core::duration ahead);

} // namespace sluice::app
