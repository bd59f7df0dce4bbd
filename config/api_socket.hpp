#pragma once

#include "config/settings.hpp"

#include <string>

namespace sluice::config {

/// The longest path a socket may have on Linux (unix(7): 108 bytes with the NUL).
inline constexpr std::size_t socket_path_bytes_max = 107;

/// Where the machine's own user finds the API without a token: `api.socket`, or beside an SQLite database its
/// name and ".sock"; empty: nowhere.
[[nodiscard]] std::string api_socket_path(const settings& of);

} // namespace sluice::config
