#pragma once

#include "core/record.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace sluice::core {

/// What a program that writes the mirror with its own SQL gets wrong (docs/mirror.md says what it has to
/// keep).
enum class mirror_fault : std::uint8_t {
  payload,        ///< no JSON value in UTF-8, or with NUL: its record is booked as undeliverable
  source_id,      ///< empty, or longer than `source_id_bytes_max`
  signal_unit,    ///< a change signal before the year 2000: in seconds or milliseconds
  signal_ahead,   ///< a change signal ahead of the clock by more than `signal_ahead_max`
  tombstone_mute, ///< deleted for no reason: no rule withdraws it
  reason_on_live, ///< a deletion's reason on a record that lives
};

inline constexpr auto mirror_faults =
    std::to_array({mirror_fault::payload, mirror_fault::source_id, mirror_fault::signal_unit,
                   mirror_fault::signal_ahead, mirror_fault::tombstone_mute, mirror_fault::reason_on_live});

/// Clocks of the machines that write differ, and a domain's signals only grow: a burst of writes runs ahead
/// by a microsecond a record.
inline constexpr duration signal_ahead_max = std::chrono::minutes{1};

/// All that is wrong with a record as the mirror holds it, in the order of `mirror_faults`.
[[nodiscard]] std::vector<mirror_fault> faults_of(const mirror_record& record, timestamp now);

} // namespace sluice::core
