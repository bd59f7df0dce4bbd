#pragma once

#include "core/record.hpp"

#include <cstdint>
#include <deque>
#include <optional>

namespace sluice::core {

/// How far one stream of reads has come: the cursor passes only the unbroken run of concluded records (D3).
///
///   read --add--> open --conclude--> concluded --everything before it concluded--> passed
///
/// Records are added in the stream's order and may be concluded in any.
class progress {
public:
  using ticket = std::uint64_t;

  /// A record that was read and is not concluded yet.
  [[nodiscard]] ticket add(position at);

  /// A stretch up to `at` in which nothing is left to conclude.
  void add_concluded(position at);

  void conclude(ticket which);

  /// The newest position all before which is concluded, if it moved since the last call.
  [[nodiscard]] std::optional<position> advance();

  /// Whether a record is open.
  [[nodiscard]] bool pending() const noexcept { return open_ > 0; }

private:
  struct entry {
    position at{};
    bool concluded = false;
  };

  std::deque<entry> entries_;
  ticket first_ = 0; ///< the ticket of entries_.front()
  std::size_t open_ = 0;
};

} // namespace sluice::core
