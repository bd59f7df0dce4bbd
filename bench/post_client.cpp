#include "bench/post_client.hpp"

#include "bench/http_head.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <deque>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace sluice::bench {
namespace {

using steady = std::chrono::steady_clock;

struct connection {
  int descriptor = -1;
  steady::time_point due; ///< of the request that is out
  std::string answer;     ///< what has come of its answer
};

/// The status of a whole answer, 0 of one that is not whole yet, -1 of what is none.
int status_of(std::string_view answer) {
  constexpr std::size_t status_at = 9; // behind "HTTP/1.1 "
  const auto end = answer.find(head_end);
  if (end == std::string_view::npos)
    return 0;
  const auto length = body_length(answer.substr(0, end + 2));
  int status = -1;
  if (!length || end < status_at + 3)
    return -1;
  if (answer.size() < end + head_end.size() + *length)
    return 0;
  std::from_chars(answer.data() + status_at, answer.data() + status_at + 3, status);
  return status;
}

class poster {
public:
  poster(const std::vector<std::string>& requests, const post_options& options)
      : requests_(requests), options_(options), epoll_(epoll_create1(EPOLL_CLOEXEC)),
        connections_(options.connections) {
    answered_.times_us.reserve(requests.size());
  }

  ~poster() {
    for (const auto& one : connections_)
      if (one.descriptor >= 0)
        ::close(one.descriptor);
    ::close(epoll_);
  }
  poster(const poster&) = delete;
  poster& operator=(const poster&) = delete;

  std::expected<posts_answered, std::string> run() {
    for (std::size_t index = 0; index < connections_.size(); ++index)
      open(index);
    began_ = steady::now();
    while (error_.empty() && answered_.times_us.size() < requests_.size()) {
      send_due();
      wait();
    }
    if (!error_.empty())
      return std::unexpected(error_);
    answered_.seconds = std::chrono::duration<double>(steady::now() - began_).count();
    return std::move(answered_);
  }

private:
  void fail(const std::string& what) {
    if (error_.empty())
      error_ = what + ": " + std::strerror(errno);
  }

  void open(std::size_t index) {
    auto& one = connections_[index];
    one.descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(options_.port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(one.descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      return fail("cannot connect");
    const int on = 1;
    setsockopt(one.descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, one.descriptor, &event);
    free_.push_back(index);
  }

  [[nodiscard]] steady::time_point due_at(std::size_t number, steady::time_point now) const {
    if (options_.per_second <= 0)
      return now;
    const std::chrono::duration<double> after{static_cast<double>(number) / options_.per_second};
    return began_ + std::chrono::duration_cast<steady::duration>(after);
  }

  void send_due() {
    const auto now = steady::now();
    for (; next_ < requests_.size() && !free_.empty() && due_at(next_, now) <= now; ++next_) {
      auto& one = connections_[free_.front()];
      free_.pop_front();
      one.due = due_at(next_, now);
      const auto& text = requests_[next_];
      // One request at a time always fits into a socket's buffer.
      if (send(one.descriptor, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
        return fail("cannot send a whole request");
    }
    if (options_.per_second > 0 && free_.empty()) {
      const auto behind = std::chrono::duration<double>(now - due_at(next_, now)).count();
      const auto waiting = behind > 0 ? static_cast<std::size_t>(behind * options_.per_second) : 0;
      answered_.most_waiting = std::max(answered_.most_waiting, waiting);
    }
  }

  void wait() {
    std::array<epoll_event, 64> events{};
    const bool waits_for_due = !free_.empty() && next_ < requests_.size();
    timespec left{};
    if (waits_for_due) {
      const auto now = steady::now();
      const auto until = std::max(due_at(next_, now) - now, steady::duration::zero());
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(until);
      left = {.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(until - seconds).count()};
    }
    const int ready = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()),
                                   waits_for_due ? &left : nullptr, nullptr);
    for (int at = 0; at < ready && error_.empty(); ++at)
      read(events[static_cast<std::size_t>(at)].data.u64);
  }

  void read(std::size_t index) {
    auto& one = connections_[index];
    std::array<char, 4096> buffer;
    const auto got = recv(one.descriptor, buffer.data(), buffer.size(), 0);
    if (got < 0)
      return fail("cannot read an answer");
    if (got == 0) {
      error_ = "the node closed a connection";
      return;
    }
    one.answer.append(buffer.data(), static_cast<std::size_t>(got));
    const int status = status_of(one.answer);
    if (status < 0)
      return fail("an answer cannot be read");
    if (status == 0)
      return;
    const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(steady::now() - one.due);
    answered_.times_us.push_back(static_cast<std::uint32_t>(taken.count()));
    ++answered_.by_status[status];
    one.answer.clear();
    free_.push_back(index);
  }

  const std::vector<std::string>& requests_;
  const post_options& options_;
  int epoll_;
  std::vector<connection> connections_;
  std::deque<std::size_t> free_; ///< the one that has rested longest first: none idles until it is closed
  std::size_t next_ = 0;
  steady::time_point began_;
  posts_answered answered_;
  std::string error_;
};

} // namespace

std::expected<posts_answered, std::string> post_all(const std::vector<std::string>& requests,
                                                    const post_options& options) {
  return poster(requests, options).run();
}

} // namespace sluice::bench
