#include "providers/curl_multi.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::providers {
namespace {

constexpr core::duration patience_max = std::chrono::hours{1};

core::duration steady_now() {
  return std::chrono::duration_cast<core::duration>(std::chrono::steady_clock::now().time_since_epoch());
}

int checked(int descriptor, const char* what) {
  if (descriptor < 0)
    throw std::system_error(errno, std::generic_category(), what);
  return descriptor;
}

std::uint32_t epoll_events(int what) {
  switch (what) {
  case CURL_POLL_IN:
    return EPOLLIN;
  case CURL_POLL_OUT:
    return EPOLLOUT;
  case CURL_POLL_INOUT:
    return EPOLLIN | EPOLLOUT;
  default:
    return 0;
  }
}

} // namespace

struct curl_multi::callbacks {
  static int socket(CURL*, curl_socket_t descriptor, int what, void* self, void*) {
    auto& multi = *static_cast<curl_multi*>(self);
    auto& its_watch = multi.watch_of(descriptor);
    its_watch.asked = epoll_events(what);
    const bool keep = its_watch.asked == 0 && its_watch.ours;
    if (!keep && its_watch.asked != its_watch.registered)
      multi.register_events(descriptor, its_watch, its_watch.asked);
    return 0;
  }

  static int timer(CURLM*, long timeout_ms, void* self) {
    auto& due = static_cast<curl_multi*>(self)->timer_due_;
    if (timeout_ms < 0)
      due.reset();
    else
      due = timeout_ms == 0 ? core::duration::zero() : steady_now() + std::chrono::milliseconds{timeout_ms};
    return 0;
  }
};

curl_multi::curl_multi(std::int32_t connections_kept) {
  multi_ = curl_multi_init();
  if (multi_ == nullptr)
    throw std::bad_alloc{};
  epoll_ = checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  wake_event_ = checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
  watch_of(wake_event_).asked = EPOLLIN;
  register_events(wake_event_, watch_of(wake_event_), EPOLLIN);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &callbacks::socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &callbacks::timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(connections_kept));
}

curl_multi::~curl_multi() {
  curl_multi_cleanup(multi_);
  ::close(wake_event_);
  ::close(epoll_);
}

bool curl_multi::add(void* easy) {
  return curl_multi_add_handle(multi_, easy) == CURLM_OK;
}

void curl_multi::remove(void* easy) {
  curl_multi_remove_handle(multi_, easy);
}

void curl_multi::wait(core::duration patience) {
  const auto size = static_cast<int>(ready_.size());
  ready_count_ = std::max(epoll_wait(epoll_, ready_.data(), size, wait_ms(patience)), 0);
}

void curl_multi::act() {
  for (int i = 0; i < ready_count_; ++i)
    serve(ready_[static_cast<std::size_t>(i)].data.fd, ready_[static_cast<std::size_t>(i)].events);
  ready_count_ = 0;
  serve_timer();
}

std::optional<curl_multi::finished> curl_multi::next_finished() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left))
    if (message->msg == CURLMSG_DONE)
      return finished{.easy = message->easy_handle, .code = message->data.result};
  return std::nullopt;
}

void curl_multi::wake() noexcept {
  const std::uint64_t one = 1;
  // It fails only when the counter is full, and then the wake is already on its way.
  [[maybe_unused]] const auto written = ::write(wake_event_, &one, sizeof one);
}

int curl_multi::open_socket(int family, int type, int protocol) {
  const int descriptor = ::socket(family, type | SOCK_CLOEXEC, protocol);
  if (descriptor < 0)
    return -1;
  watch_of(descriptor) = {.asked = 0, .registered = 0, .ours = true};
  return descriptor;
}

void curl_multi::close_socket(int descriptor) noexcept {
  watches_[static_cast<std::size_t>(descriptor)] = {}; // the kernel forgets a closed socket by itself
  ::close(descriptor);
}

curl_multi::watch& curl_multi::watch_of(int descriptor) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= watches_.size())
    watches_.resize(std::max(index + 1, watches_.size() * 2));
  return watches_[index];
}

void curl_multi::register_events(int descriptor, watch& its_watch, std::uint32_t events) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.fd = descriptor;
  if (events == 0)
    epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, &event);
  else if (its_watch.registered == 0 || epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) != 0)
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  its_watch.registered = events;
}

/// Rounded up: waking too early would only mean waiting again.
int curl_multi::wait_ms(core::duration patience) const {
  if (timer_due_)
    patience =
        *timer_due_ == core::duration::zero() ? *timer_due_ : std::min(patience, *timer_due_ - steady_now());
  patience = std::clamp(patience, core::duration::zero(), patience_max);
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(patience).count());
}

void curl_multi::serve(int descriptor, std::uint32_t events) {
  if (descriptor == wake_event_) {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(wake_event_, &count, sizeof count);
    return;
  }
  auto& its_watch = watch_of(descriptor);
  if (its_watch.asked == 0) { // idle, or closed by a transfer served earlier in this round
    if (its_watch.registered != 0)
      register_events(descriptor, its_watch, 0);
    return;
  }
  int bits = 0;
  if ((events & (EPOLLIN | EPOLLHUP)) != 0)
    bits |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0)
    bits |= CURL_CSELECT_OUT;
  if ((events & EPOLLERR) != 0)
    bits |= CURL_CSELECT_ERR;
  int running = 0;
  curl_multi_socket_action(multi_, descriptor, bits, &running);
}

void curl_multi::serve_timer() {
  if (!timer_due_ || (*timer_due_ != core::duration::zero() && *timer_due_ > steady_now()))
    return;
  timer_due_.reset(); // libcurl tells a new one from within, should there be one
  int running = 0;
  curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
}

} // namespace sluice::providers
