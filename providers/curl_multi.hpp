#pragma once

#include "core/time.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <sys/epoll.h>
#include <vector>

namespace sluice::providers {

/// A libcurl multi handle driven by epoll. One thread owns it; `wake` alone may be called from others.
///
/// libcurl drops its interest in a socket at the end of each transfer and takes it up again when the next one
/// reuses the connection. Following that would cost two system calls a request, so a socket stays registered
/// in between; should an idle one become readable (the peer closed it), it is taken out then.
class curl_multi {
public:
  /// `connections_kept`: how many connections stay open for reuse. Throws std::system_error.
  explicit curl_multi(std::int32_t connections_kept);
  ~curl_multi();
  curl_multi(const curl_multi&) = delete;
  curl_multi& operator=(const curl_multi&) = delete;

  /// Starts a transfer; the first bytes leave in `act`. False when libcurl refuses the handle.
  [[nodiscard]] bool add(void* easy);
  void remove(void* easy);

  /// Waits until something is ready, `wake` was called or `patience` is over.
  void wait(core::duration patience);

  /// Lets libcurl act on what the last wait found and on its due timers.
  void act();

  struct finished {
    void* easy = nullptr;
    int code = 0; ///< CURLcode
  };
  [[nodiscard]] std::optional<finished> next_finished();

  void wake() noexcept;

  /// A socket for libcurl, -1 when the system refuses; to be closed through `close_socket` alone.
  [[nodiscard]] int open_socket(int family, int type, int protocol);
  void close_socket(int descriptor) noexcept;

private:
  struct watch {
    std::uint32_t asked = 0;      ///< epoll events libcurl wants, 0 for none
    std::uint32_t registered = 0; ///< epoll events the kernel knows
    bool ours = false;            ///< from open_socket, so its closing will be seen
  };

  struct callbacks; ///< what libcurl calls, with libcurl's types

  [[nodiscard]] watch& watch_of(int descriptor);
  void register_events(int descriptor, watch& its_watch, std::uint32_t events) noexcept;
  [[nodiscard]] int wait_ms(core::duration patience) const;
  void serve(int descriptor, std::uint32_t events);
  void serve_timer();

  void* multi_ = nullptr;
  int epoll_ = -1;
  int wake_event_ = -1;
  std::array<epoll_event, 32> ready_; ///< few enough to keep the target busy: new transfers start in between
  int ready_count_ = 0;
  std::vector<watch> watches_; ///< by descriptor
  std::optional<core::duration> timer_due_;
};

} // namespace sluice::providers
