#include "config/api_socket.hpp"

#include <string_view>

namespace sluice::config {

std::string api_socket_path(const settings& of) {
  constexpr std::string_view sqlite = "sqlite:";
  if (of.api.socket == "none")
    return {};
  if (of.api.socket != "auto")
    return of.api.socket;
  if (!of.database.url.starts_with(sqlite))
    return {};
  auto path = of.database.url.substr(sqlite.size()) + ".sock";
  return path.size() <= socket_path_bytes_max ? path : std::string{};
}

} // namespace sluice::config
