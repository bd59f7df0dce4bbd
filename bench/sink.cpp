// The benchmark's target: answers every write at once and counts it, so that what is measured is the sender.
//
// One thread, epoll, level triggered. Requests may arrive pipelined or in pieces. Bodies are counted, and
// read only where a mark is looked for.

#include "bench/sink_connection.hpp"

#include <CLI/CLI.hpp>

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <expected>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace sluice::bench {
namespace {

using steady = std::chrono::steady_clock;

struct sink_options {
  std::string listen = "127.0.0.1:0";
  std::chrono::microseconds latency{0};
  std::string mark;
};

/// Answers that wait for the configured latency, oldest first; the latency is one value, so their order is
/// time order.
struct delayed_answer {
  steady::time_point due;
  std::uint64_t connection_id;
  std::string bytes;
};

class sink {
public:
  sink(int listener, int signals, const sink_options& options)
      : listener_(listener), signals_(signals), epoll_(epoll_create1(EPOLL_CLOEXEC)),
        latency_(options.latency) {
    stats_.mark = options.mark;
    watch(listener_, EPOLLIN, listener_key);
    watch(signals_, EPOLLIN, signals_key);
  }

  ~sink() { ::close(epoll_); }
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;

  /// Serves until SIGTERM or SIGINT.
  void run() {
    std::array<epoll_event, 256> events{};
    for (;;) {
      const timespec wait = time_to_next_answer();
      const int ready = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()),
                                     delayed_.empty() ? nullptr : &wait, nullptr);
      for (int index = 0; index < ready; ++index) {
        const auto& event = events[static_cast<std::size_t>(index)];
        if (event.data.u64 == signals_key) {
          return;
        }
        if (event.data.u64 == listener_key) {
          accept_all();
        } else {
          serve(event.data.u64, event.events);
        }
      }
      send_due_answers();
    }
  }

private:
  // Connection ids start above these.
  static constexpr std::uint64_t listener_key = 0;
  static constexpr std::uint64_t signals_key = 1;

  void watch(int descriptor, std::uint32_t interest, std::uint64_t key) const {
    epoll_event event{};
    event.events = interest;
    event.data.u64 = key;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }

  [[nodiscard]] timespec time_to_next_answer() const {
    if (delayed_.empty()) {
      return {};
    }
    const auto left = std::max(steady::duration::zero(), delayed_.front().due - steady::now());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    return {.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
  }

  void accept_all() {
    for (;;) {
      const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor < 0) {
        return;
      }
      const int on = 1;
      setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const auto id = next_connection_id_++;
      connections_.emplace(id, std::make_unique<sink_connection>(descriptor));
      watch(descriptor, EPOLLIN, id);
    }
  }

  void serve(std::uint64_t id, std::uint32_t ready) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) {
      return;
    }
    auto& connection = *found->second;
    bool alive = (ready & EPOLLOUT) == 0 || connection.flush();
    if (alive && (ready & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
      alive = connection.read(stats_);
      if (!connection.answers().empty()) {
        alive = answer(id, connection) && alive;
      }
    }
    finish(id, connection, alive);
  }

  /// Sends what was answered, or keeps it for the latency. Returns false when the connection is gone.
  bool answer(std::uint64_t id, sink_connection& connection) {
    if (latency_.count() == 0) {
      return connection.flush();
    }
    delayed_.push_back({steady::now() + latency_, id, std::exchange(connection.answers(), {})});
    return true;
  }

  void send_due_answers() {
    while (!delayed_.empty() && delayed_.front().due <= steady::now()) {
      auto due = std::move(delayed_.front());
      delayed_.pop_front();
      const auto found = connections_.find(due.connection_id);
      if (found != connections_.end()) {
        found->second->answers() += due.bytes;
        finish(due.connection_id, *found->second, found->second->flush());
      }
    }
  }

  /// Closes a dead connection, or asks epoll to say when a full socket can take more.
  void finish(std::uint64_t id, sink_connection& connection, bool alive) {
    if (!alive) {
      connections_.erase(id);
      return;
    }
    const bool wants_write = latency_.count() == 0 && !connection.answers().empty();
    if (wants_write != connection.waits_for_write()) {
      connection.set_waits_for_write(wants_write);
      epoll_event event{};
      event.events = wants_write ? EPOLLIN | EPOLLOUT : EPOLLIN;
      event.data.u64 = id;
      epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.descriptor(), &event);
    }
  }

  int listener_;
  int signals_;
  int epoll_;
  std::chrono::microseconds latency_;
  std::uint64_t next_connection_id_ = signals_key + 1;
  std::unordered_map<std::uint64_t, std::unique_ptr<sink_connection>> connections_;
  std::deque<delayed_answer> delayed_;
  sink_stats stats_;
};

/// A listening socket on `address` (IPv4:PORT), or a sentence why not.
std::expected<int, std::string> open_listener(const std::string& address) {
  const auto colon = address.rfind(':');
  sockaddr_in socket_address{};
  socket_address.sin_family = AF_INET;
  if (colon == std::string::npos
      || inet_pton(AF_INET, address.substr(0, colon).c_str(), &socket_address.sin_addr) != 1) {
    return std::unexpected("--listen wants IPV4:PORT, not " + address);
  }
  socket_address.sin_port =
      htons(static_cast<std::uint16_t>(std::strtoul(address.c_str() + colon + 1, nullptr, 10)));
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&socket_address), sizeof socket_address) != 0
      || listen(descriptor, SOMAXCONN) != 0) {
    ::close(descriptor);
    return std::unexpected("cannot listen on " + address);
  }
  return descriptor;
}

unsigned bound_port(int listener) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

/// Turns SIGTERM and SIGINT into a readable descriptor.
int open_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int run_sink(const sink_options& options) {
  const auto listener = open_listener(options.listen);
  if (!listener) {
    std::fprintf(stderr, "sluice_bench_sink: %s\n", listener.error().c_str());
    return 1;
  }
  const int signals = open_signals();
  std::printf("listening 127.0.0.1:%u\n", bound_port(*listener));
  std::fflush(stdout);
  sink(*listener, signals, options).run();
  return 0;
}

} // namespace
} // namespace sluice::bench

int main(int argc, char** argv) {
  CLI::App app{"HTTP/1.1 sink of the benchmark: POST answers 201 with an id, PATCH and PUT answer 200"};
  sluice::bench::sink_options options;
  std::uint64_t latency_us = 0;
  app.add_option("--listen", options.listen, "IPv4 address and port; port 0 lets the kernel choose")
      ->capture_default_str();
  app.add_option("--latency", latency_us, "time before each answer: 500us, 20ms, 1s")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, std::uint64_t>{{"us", 1}, {"ms", 1'000}, {"s", 1'000'000}},
          CLI::AsNumberWithUnit::UNIT_REQUIRED));
  app.add_option("--mark", options.mark, "note when each body came that holds this text");
  CLI11_PARSE(app, argc, argv);
  options.latency = std::chrono::microseconds(latency_us);
  return sluice::bench::run_sink(options);
}
