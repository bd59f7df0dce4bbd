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

} // namespace sluice::messages

CAF_ERROR_CODE_ENUM(sluice::messages::fault, "sluice")
