#include "storage/soci_session.hpp"
#include "storage/watch_thread.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/inotify.h>
#include <system_error>
#include <unistd.h>

namespace sluice::storage {
namespace {

/// A commit shows only after its last write was synced; until then the version is looked at again, at growing
/// distances. A commit that shows may not be the one whose writes were told of, so looking goes on after it.
constexpr core::duration first_look = std::chrono::milliseconds{1};
constexpr core::duration last_look = std::chrono::milliseconds{300};

/// Nothing outside this process can write an in-memory database.
class nothing_to_watch final : public watch {};

/// Tells of writes to a database's write-ahead log. The folder is watched, not the file: SQLite removes the
/// log with the last session and makes it anew.
class log_watcher {
public:
  explicit log_watcher(const std::filesystem::path& database)
      : name_(database.filename().string() + "-wal"), descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    const auto folder = database.has_parent_path() ? database.parent_path() : std::filesystem::path(".");
    if (descriptor_ < 0 || ::inotify_add_watch(descriptor_, folder.c_str(), IN_MODIFY | IN_CREATE) < 0) {
      const int code = errno;
      close();
      throw std::system_error(code, std::generic_category(), "inotify");
    }
  }
  ~log_watcher() { close(); }
  log_watcher(const log_watcher&) = delete;
  log_watcher& operator=(const log_watcher&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  /// Takes what has come; whether the log was among it. An overflow of the queue counts as a write.
  [[nodiscard]] bool take() {
    alignas(inotify_event) std::array<char, 4096> buffer;
    bool written = false;
    for (;;) {
      const auto count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count <= 0)
        return written;
      for (std::size_t place = 0; place < static_cast<std::size_t>(count);) {
        inotify_event event;
        std::memcpy(&event, buffer.data() + place, sizeof event);
        const char* name = event.len == 0 ? "" : buffer.data() + place + sizeof event;
        written = written || (event.mask & IN_Q_OVERFLOW) != 0 || name_ == name;
        place += sizeof event + event.len;
      }
    }
  }

private:
  void close() noexcept {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }

  std::string name_;
  int descriptor_ = -1;
};

/// Differs from one commit of another session to the next; nothing when it cannot be read now.
std::optional<std::int64_t> data_version(session& db) {
  auto read = guarded(db, "Watching the database", [&] {
    std::int64_t version = 0;
    query(db, "PRAGMA data_version").into(version).run();
    return version;
  });
  if (!read)
    return std::nullopt;
  return *read;
}

class sqlite_look {
public:
  sqlite_look(watch_plan plan, session db)
      : plan_(std::move(plan)), db_(std::move(db)), log_(plan_.where.target), seen_(data_version(db_)) {}

  void run(const stop_signal& stop) {
    while (stop.wait_readable(log_.descriptor(), std::nullopt) != wakening::stopped) {
      if (log_.take() && follow_commits(stop) == wakening::stopped)
        return;
    }
  }

private:
  /// Until nothing has shown for a while. What is written meanwhile begins the looks anew.
  wakening follow_commits(const stop_signal& stop) {
    for (auto pause = first_look; pause < last_look;) {
      auto woken = wakening::timed_out;
      if (const auto version = data_version(db_); version != seen_) {
        seen_ = version;
        plan_.changed();
        pause = first_look;
        woken = stop.wait(std::max(first_look, plan_.quiet_interval));
      } else {
        woken = stop.wait_readable(log_.descriptor(), pause);
        pause *= 2;
      }
      if (woken == wakening::readable) {
        if (log_.take())
          pause = first_look;
        woken = stop.wait(first_look); // many writes make one commit
      }
      if (woken == wakening::stopped)
        return woken;
    }
    return wakening::timed_out;
  }

  watch_plan plan_;
  session db_;
  log_watcher log_;
  std::optional<std::int64_t> seen_;
};

} // namespace

result<std::unique_ptr<watch>> watch_sqlite(watch_plan plan) {
  if (plan.where.target.starts_with(memory_prefix))
    return std::make_unique<nothing_to_watch>();
  auto opened = session::open(plan.where, access::read);
  if (!opened)
    return std::unexpected{opened.error()};
  auto look = std::make_shared<sqlite_look>(std::move(plan), std::move(*opened));
  return std::make_unique<threaded_watch>([look](const stop_signal& stop) { look->run(stop); });
}

} // namespace sluice::storage
