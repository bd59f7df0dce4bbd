#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {

/// What the sink has seen; `GET /_stats` shows it. Times are UTC microseconds, 0 before the first write
/// request.
struct sink_stats {
  std::uint64_t requests = 0;
  std::int64_t first_request_us = 0;
  std::int64_t last_request_us = 0;
  /// Write requests whose body holds this are noted; empty: bodies are not looked at.
  std::string mark;
  struct marked_request {
    std::string what; ///< the mark and what follows it, up to a quote
    std::int64_t at_us = 0;
  };
  std::vector<marked_request> marked; ///< `GET /_marked` shows them
};

/// One client: reads requests, collects the answers in the order of the requests.
class sink_connection {
public:
  /// Owns the descriptor, which does not block.
  explicit sink_connection(int descriptor);
  ~sink_connection();
  sink_connection(const sink_connection&) = delete;
  sink_connection& operator=(const sink_connection&) = delete;

  /// Reads what is there and appends an answer for each whole request. Returns false when the client is gone
  /// or has sent what this sink does not speak; answers collected before that are still to be sent.
  bool read(sink_stats& stats);

  /// Sends the collected answers as far as the socket takes them. Returns false when the client is gone.
  bool flush();

  [[nodiscard]] std::string& answers() { return answers_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool waits_for_write() const { return waits_for_write_; }
  void set_waits_for_write(bool value) { waits_for_write_ = value; }

private:
  /// Takes whole requests off the front of `input`; returns the bytes used, or npos for a request it does not
  /// speak.
  std::size_t consume(std::string_view input, sink_stats& stats);
  void answer(std::string_view request_line, std::string_view body, sink_stats& stats);

  int descriptor_;
  bool waits_for_write_ = false;
  /// The beginning of a request whose rest has not arrived.
  std::string pending_;
  std::string answers_;
};

} // namespace sluice::bench
