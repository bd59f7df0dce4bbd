#include "storage/lease.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace sluice::storage {
namespace {

/// Locks the whole file for this process; a lock held by another one answers EAGAIN or EACCES.
bool lock_whole(int descriptor) {
  struct flock wanted{};
  wanted.l_type = F_WRLCK;
  wanted.l_whence = SEEK_SET;
  // An open file description lock: closing another descriptor of the file does not lose it, and a second
  // lock of the same process is refused as well.
  return ::fcntl(descriptor, F_OFD_SETLK, &wanted) == 0;
}

/// The process that holds the lock wrote its number; a lock of this kind names none itself.
std::string holder_of(int descriptor) {
  char digits[32] = {};
  const auto count = ::pread(descriptor, digits, sizeof digits - 1, 0);
  const std::string_view text(digits, count > 0 ? static_cast<std::size_t>(count) : 0);
  const auto end = text.find_first_not_of("0123456789");
  return std::string(text.substr(0, end));
}

bool write_holder(int descriptor) {
  const auto text = std::to_string(::getpid()) + "\n";
  return ::ftruncate(descriptor, 0) == 0
         && ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

} // namespace

result<file_lock> file_lock::take(const std::string& database_path) {
  const auto path = database_path + ".lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return std::unexpected{failure{error::unavailable, "The lock file " + path + " cannot be opened (errno "
                                                           + std::to_string(errno) + ")."}};
  file_lock taken(descriptor);
  if (!lock_whole(descriptor)) {
    const auto holder = holder_of(descriptor);
    return std::unexpected{
        failure{error::refused, "The database " + database_path + " is in use by "
                                    + (holder.empty() ? "another process" : "process " + holder)
                                    + ": SQLite serves one node at a time."}};
  }
  if (!write_holder(descriptor))
    return std::unexpected{failure{error::unavailable, "The lock file " + path + " cannot be written (errno "
                                                           + std::to_string(errno) + ")."}};
  return taken;
}

std::optional<std::string> file_lock::holder(const std::string& database_path) {
  const int descriptor = ::open((database_path + ".lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  file_lock looked(descriptor); // closes it; what is only asked holds nothing
  struct flock asked{};
  asked.l_type = F_WRLCK;
  asked.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_GETLK, &asked) != 0 || asked.l_type == F_UNLCK)
    return std::nullopt;
  const auto process = holder_of(descriptor);
  return process.empty() ? "another process" : process;
}

file_lock::file_lock(file_lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

file_lock& file_lock::operator=(file_lock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

file_lock::~file_lock() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

} // namespace sluice::storage
