#pragma once

#include <caf/error.hpp>
#include <caf/make_message.hpp>

#include <cstdint>
#include <string>

namespace sluice::messages {

/// Why a request between actors failed. The error's context is a sentence.
enum class fault : std::uint8_t {
  none = 0,
  database_unavailable, ///< trying again later may work
  database_refused,     ///< it will not work as it is
  lease_lost,           ///< this node does not own what it wrote to
  not_found,            ///< what was named does not exist
  refused,              ///< it may not be done as asked; the sentence says why and what is allowed
  shutting_down,
};

[[nodiscard]] std::string to_string(fault code);

/// The fault inside a request's error; `none` for errors of CAF's own (a timeout, a dead actor).
[[nodiscard]] fault fault_of(const caf::error& error);

/// The error as a sentence for logs, for a run's reason and for people.
[[nodiscard]] std::string describe(const caf::error& error);

} // namespace sluice::messages

CAF_ERROR_CODE_ENUM(sluice::messages::fault, "sluice")
