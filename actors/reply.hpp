#pragma once

#include "actors/chain_trouble.hpp"
#include "messages/fault.hpp"
#include "storage/error.hpp"

#include <caf/error.hpp>
#include <caf/result.hpp>

namespace sluice::actors {

/// A failure of the database as the error of a request.
[[nodiscard]] caf::error to_error(const storage::failure& failure);

/// Answers a request with what the database returned.
template <class T>
[[nodiscard]] caf::result<T> reply(storage::result<T> answer) {
  if (!answer)
    return to_error(answer.error());
  return std::move(*answer);
}

using messages::describe;
using messages::fault_of;

/// What a chain comes to whose reading failed. What is not found was deleted or disconnected meanwhile.
[[nodiscard]] chain_trouble reading_failed(const caf::error& error);

} // namespace sluice::actors
