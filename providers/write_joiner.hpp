#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sluice::providers {

/// Joins a request's head and body into one packet. libcurl writes them apart when it asks for the body (as
/// it must for one that may not be repeated), and over a loopback or a fast link the second packet costs as
/// much as all of libcurl. So the socket holds its packets back (TCP_CORK, tcp(7)) while one request is
/// written.
///
/// libcurl names the connection about to be used by its local port alone. Should two sockets share a port,
/// the wrong one may be held for a moment: that costs the saving, nothing else.
class write_joiner {
public:
  void opened(int descriptor);
  void closed(int descriptor);

  /// A request is about to be written to the connection with this local port.
  void begin(int local_port);

  /// All that was to be written at this moment has been; no socket is held from here on.
  void flush();

private:
  [[nodiscard]] int find(int local_port);

  std::unordered_map<int, int> by_port_;
  std::vector<int> unplaced_; ///< opened, their local port not yet known
  int held_ = -1;
};

} // namespace sluice::providers
