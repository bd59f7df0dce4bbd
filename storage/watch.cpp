#include "storage/watch.hpp"

#include "storage/watch_thread.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace sluice::storage {
namespace {

/// Rounded up: a wait of half a millisecond must not spin.
int poll_timeout(std::optional<core::duration> at_most) {
  if (!at_most)
    return -1;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*at_most).count();
  return static_cast<int>(std::clamp<std::int64_t>(wait, 0, 3'600'000));
}

} // namespace

stop_signal::stop_signal() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0)
    throw std::system_error(errno, std::generic_category(), "eventfd");
}

stop_signal::~stop_signal() {
  ::close(event_);
}

void stop_signal::raise() noexcept {
  ::eventfd_write(event_, 1);
}

wakening stop_signal::wait(core::duration at_most) const {
  return wait_readable(-1, at_most);
}

wakening stop_signal::wait_readable(int descriptor, std::optional<core::duration> at_most) const {
  std::array<pollfd, 2> waited{pollfd{event_, POLLIN, 0}, pollfd{descriptor, POLLIN, 0}};
  const int ready = ::poll(waited.data(), waited.size(), poll_timeout(at_most));
  if (waited[0].revents != 0)
    return wakening::stopped;
  return ready > 0 && waited[1].revents != 0 ? wakening::readable : wakening::timed_out;
}

threaded_watch::threaded_watch(std::function<void(const stop_signal&)> look)
    : thread_([this, body = std::move(look)] { body(stop_); }) {}

threaded_watch::~threaded_watch() {
  stop_.raise();
  thread_.join();
}

result<std::unique_ptr<watch>> watch::start(const database& where, core::duration quiet_interval,
                                            std::function<void()> changed) {
  watch_plan plan{where, quiet_interval, std::move(changed)};
  try {
    return where.kind == engine::sqlite ? watch_sqlite(std::move(plan)) : watch_postgresql(std::move(plan));
  } catch (const std::system_error& thrown) {
    return std::unexpected{failure{error::unavailable, "Watching the database failed (errno "
                                                           + std::to_string(thrown.code().value()) + ")."}};
  }
}

} // namespace sluice::storage
