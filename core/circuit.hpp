#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::core {

/// A connection's circuit.
///
///   closed --failures in a row--> open --cooldown over--> half_open --success--> closed
///                                  ^                         |
///                                  +------- failure ---------+   (cooldown doubles, up to the longest)
enum class circuit_state : std::uint8_t { closed, open, half_open };

[[nodiscard]] std::string_view to_string(circuit_state state) noexcept;

struct circuit_settings {
  std::int32_t failures = 10; ///< in a row, of one kind
  duration cooldown = std::chrono::seconds{60};
  duration cooldown_max = std::chrono::minutes{15};
};

/// What kind of answer a call got, for the circuit: each unhealthy kind is counted in a row of its own.
enum class circuit_signal : std::uint8_t { success, transient, gone, rejected };

[[nodiscard]] std::string_view to_string(circuit_signal signal) noexcept;

class circuit {
public:
  explicit circuit(circuit_settings settings = {}) : settings_(settings), cooldown_(settings.cooldown) {}

  /// How many calls may start now: many when closed, one when the cooldown is over (and then none until its
  /// answer is in), none when open.
  struct clearance {
    bool many = true;
    bool one = false;
    std::optional<timestamp> retry_at; ///< when to ask again, while neither is given
  };
  [[nodiscard]] clearance ask(timestamp now);

  /// `count` answers of one kind in a row. In half-open a transient answer, or one of the kind that opened
  /// the circuit, opens it again; one of another kind shows that what opened it is over. Late answers while
  /// it is open change nothing.
  void report(circuit_signal signal, std::int32_t count, timestamp now);

  /// The one trial call was never made: the next asker may have it.
  void give_back_trial();

  [[nodiscard]] circuit_state state() const noexcept { return state_; }
  [[nodiscard]] std::optional<timestamp> open_until() const noexcept { return open_until_; }

private:
  void open(timestamp now, duration cooldown);
  void close();

  circuit_settings settings_;
  circuit_state state_ = circuit_state::closed;
  bool trial_out_ = false;
  std::int32_t in_a_row_ = 0;
  circuit_signal last_ = circuit_signal::success;
  duration cooldown_;
  std::optional<timestamp> open_until_;
};

} // namespace sluice::core
