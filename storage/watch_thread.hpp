#pragma once

#include "core/time.hpp"
#include "storage/watch.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace sluice::storage {

/// What a wait of the watching thread came to.
enum class wakening : std::uint8_t { stopped, readable, timed_out };

/// Lets a thread wait for a descriptor and be told to stop meanwhile.
class stop_signal {
public:
  stop_signal();
  ~stop_signal();
  stop_signal(const stop_signal&) = delete;
  stop_signal& operator=(const stop_signal&) = delete;

  void raise() noexcept;
  [[nodiscard]] wakening wait(core::duration at_most) const;
  /// `descriptor` -1: waits for the stop alone. Without a limit it waits for as long as it takes.
  [[nodiscard]] wakening wait_readable(int descriptor, std::optional<core::duration> at_most) const;

private:
  int event_ = -1;
};

/// A watch whose `look` runs on a thread of its own until the signal is raised.
class threaded_watch : public watch {
public:
  explicit threaded_watch(std::function<void(const stop_signal&)> look);
  ~threaded_watch() override;

private:
  stop_signal stop_;
  std::thread thread_;
};

struct watch_plan {
  database where;
  core::duration quiet_interval{};
  std::function<void()> changed;
};

[[nodiscard]] result<std::unique_ptr<watch>> watch_sqlite(watch_plan plan);
[[nodiscard]] result<std::unique_ptr<watch>> watch_postgresql(watch_plan plan);

} // namespace sluice::storage
