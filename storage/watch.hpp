#pragma once

#include "core/time.hpp"
#include "storage/session.hpp"

#include <functional>
#include <memory>

namespace sluice::storage {

/// Notices commits of other processes, so that a change to the mirror starts moving within milliseconds.
///
/// SQLite: inotify on the WAL file; PostgreSQL: LISTEN on the channel the schema's trigger notifies (behind
/// PgBouncer in transaction mode LISTEN is lost: then it polls). Calls `changed` from its own thread, at most
/// once every `quiet_interval`; the call is only a hint and may be spurious. Costs nothing while nothing is
/// written.
class watch {
public:
  [[nodiscard]] static result<std::unique_ptr<watch>>
  start(const database& where, core::duration quiet_interval, std::function<void()> changed);
  virtual ~watch() = default; ///< stops the thread
};

} // namespace sluice::storage
