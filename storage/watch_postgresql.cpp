#include "storage/pooler.hpp"
#include "storage/soci_session.hpp"
#include "storage/watch_thread.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

/// How often markers are looked for where LISTEN does not work.
constexpr core::duration poll_interval = std::chrono::seconds{1};
constexpr core::duration reopen_pause_max = std::chrono::seconds{30};

result<void> listen(session& db) {
  return guarded(db, "Listening for changes", [&] { db.raw().execute("LISTEN sluice_mirror"); });
}

result<bool> markers_wait(session& db) {
  return guarded(db, "Looking for markers", [&] {
    std::int64_t one = 0;
    return query(db, "SELECT 1 FROM change_markers LIMIT 1").into(one).next();
  });
}

class postgresql_look {
public:
  postgresql_look(watch_plan plan, session db, bool polls)
      : plan_(std::move(plan)), db_(std::move(db)), polls_(polls) {}

  void run(const stop_signal& stop) {
    for (;;) {
      const bool stopped = polls_ ? poll(stop) : listen_on(stop);
      if (stopped || !reopen(stop))
        return;
      plan_.changed(); // what came while nobody listened
    }
  }

private:
  /// Both return true when told to stop, false when the connection was lost.
  bool listen_on(const stop_signal& stop) {
    auto* connection = db_.raw().postgresql();
    for (;;) {
      if (stop.wait_readable(PQsocket(connection), std::nullopt) == wakening::stopped)
        return true;
      if (PQconsumeInput(connection) == 0)
        return false;
      if (!take_notifications(connection))
        continue;
      plan_.changed();
      if (stop.wait(plan_.quiet_interval) == wakening::stopped)
        return true;
    }
  }

  bool poll(const stop_signal& stop) {
    for (;;) {
      if (stop.wait(std::max(poll_interval, plan_.quiet_interval)) == wakening::stopped)
        return true;
      const auto waiting = markers_wait(db_);
      if (!waiting)
        return false;
      if (*waiting)
        plan_.changed();
    }
  }

  static bool take_notifications(PGconn* connection) {
    bool any = false;
    while (auto* one = PQnotifies(connection)) {
      any = true;
      PQfreemem(one);
    }
    return any;
  }

  /// Tries until it works or the stop comes.
  bool reopen(const stop_signal& stop) {
    for (core::duration pause = std::chrono::milliseconds{200};;
         pause = std::min(2 * pause, reopen_pause_max)) {
      if (stop.wait(pause) == wakening::stopped)
        return false;
      if (db_.reopen() && (polls_ || listen(db_)))
        return true;
    }
  }

  watch_plan plan_;
  session db_;
  bool polls_;
};

} // namespace

result<std::unique_ptr<watch>> watch_postgresql(watch_plan plan) {
  auto opened = session::open(plan.where, access::read);
  if (!opened)
    return std::unexpected{opened.error()};
  const auto pooled = behind_pooler(*opened);
  if (!pooled)
    return std::unexpected{pooled.error()};
  if (!*pooled)
    if (auto listening = listen(*opened); !listening)
      return std::unexpected{listening.error()};
  auto look = std::make_shared<postgresql_look>(std::move(plan), std::move(*opened), *pooled);
  return std::make_unique<threaded_watch>([look](const stop_signal& stop) { look->run(stop); });
}

} // namespace sluice::storage
