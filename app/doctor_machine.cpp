#include "app/doctor_machine.hpp"

#include "app/output.hpp"
#include "config/api_socket.hpp"
#include "config/listen_address.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace sluice::app {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t free_bytes_least = 512 * mebibyte;
constexpr std::uint64_t free_share_least = 20; ///< one part of so many
constexpr std::uint64_t files_beside = 64;     ///< log, database, clocks, what libraries open
constexpr core::duration clock_difference_max = std::chrono::seconds{2};

std::string mebibytes(std::uint64_t bytes) {
  return grouped(static_cast<std::int64_t>(bytes / mebibyte)) + " MiB";
}

/// A socket address of either family; false where the text is neither's.
bool fill(const config::listen_address& from, sockaddr_storage& to, socklen_t& length) {
  auto* four = reinterpret_cast<sockaddr_in*>(&to);
  auto* six = reinterpret_cast<sockaddr_in6*>(&to);
  if (::inet_pton(AF_INET, from.address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(from.port);
    length = sizeof *four;
    return true;
  }
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(from.port);
  length = sizeof *six;
  return ::inet_pton(AF_INET6, from.address.c_str(), &six->sin6_addr) == 1;
}

bool is_loopback(const std::string& listen) {
  const auto where = config::parse_listen_address(listen);
  return where && (where->address.starts_with("127.") || where->address == "::1");
}

} // namespace

std::expected<disk_facts, std::string> read_disk(const std::string& database_path) {
  auto folder = std::filesystem::path{database_path}.parent_path().string();
  if (folder.empty())
    folder = ".";
  struct statvfs found{};
  if (::statvfs(folder.c_str(), &found) != 0)
    return std::unexpected{"the folder " + folder + " cannot be looked at: " + std::strerror(errno)};
  return disk_facts{folder, std::uint64_t{found.f_bavail} * found.f_frsize,
                    std::uint64_t{found.f_blocks} * found.f_frsize};
}

finding judge_disk(const disk_facts& disk) {
  const auto says =
      mebibytes(disk.free_bytes) + " of " + mebibytes(disk.whole_bytes) + " are free in " + disk.folder;
  if (disk.free_bytes < free_bytes_least || disk.free_bytes < disk.whole_bytes / free_share_least)
    return wrong("disk", says + ": a database that cannot grow delivers nothing",
                 "free some space there, or move the database to a larger disk");
  return well("disk", says);
}

std::uint64_t open_files_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

finding judge_open_files(std::uint64_t limit, const config::settings& settings) {
  const bool served = !settings.api.listen.empty() || !config::api_socket_path(settings).empty();
  const auto api = served ? settings.api.connections_max : 0;
  const auto wanted = static_cast<std::uint64_t>(settings.calls.max_in_flight_node)
                      + static_cast<std::uint64_t>(api)
                      + static_cast<std::uint64_t>(settings.database.readers) + files_beside;
  const auto says = "a process may open " + std::to_string(limit)
                    + " files, and a node under full load opens up to " + std::to_string(wanted);
  if (limit < wanted)
    return wrong(
        "files", says + ": calls would fail as if the target were down",
        "raise the limit (LimitNOFILE in the unit, or ulimit -n), or lower calls.max_in_flight_node or "
        "api.connections_max");
  return well("files", says);
}

listening look_at_address(const std::string& address) {
  const auto where = config::parse_listen_address(address);
  sockaddr_storage bytes{};
  socklen_t length = 0;
  if (!where || !fill(*where, bytes, length))
    return listening::refused;
  const int socket = ::socket(bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0)
    return listening::refused;
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&bytes), length) == 0;
  const int why = errno;
  ::close(socket);
  if (bound)
    return listening::free;
  return why == EADDRINUSE ? listening::taken : listening::refused;
}

finding judge_address(const config::settings& settings, listening found, bool node_runs) {
  const auto& api = settings.api;
  const auto socket = config::api_socket_path(settings);
  if (api.listen.empty() && !socket.empty())
    return well("address", "the API is this machine's alone, at " + socket);
  if (api.listen.empty())
    return noted("address", "the settings name no address for the API: commands can ask no node");
  if (found == listening::refused)
    return wrong("address", "no node of this user can listen at " + api.listen,
                 "give api.listen an address of this machine and a port that is free for its user");
  if (found == listening::taken && !node_runs)
    return wrong("address",
                 "another program listens at " + api.listen + ", and no node works on this database",
                 "stop that program, or give api.listen another port");
  if (!is_loopback(api.listen))
    return noted("address", api.listen
                                + " is reached from other machines, and tokens travel in plain text: put "
                                  "something that speaks TLS in front of it");
  return well("address", "the API's address is " + api.listen);
}

finding judge_clock(core::duration ahead) {
  const auto apart = ahead < core::duration{} ? -ahead : ahead;
  if (apart <= clock_difference_max)
    return well("clock", "the clocks of the database and of this machine agree within "
                             + core::to_text(clock_difference_max));
  return wrong("clock",
               std::string{"the database's clock is "} + core::to_text(apart)
                   + (ahead < core::duration{} ? " behind" : " ahead of")
                   + " this machine's: leases go by the one, change times and retries by the other",
               "have both machines set their clocks by the network (chrony or systemd-timesyncd)");
}

} // namespace sluice::app
