#include "actors/reply.hpp"

#include <caf/sec.hpp>

#include <string>

namespace sluice::actors {

caf::error to_error(const storage::failure& failure) {
  using messages::fault;
  using storage::error;
  switch (failure.code) {
  case error::unavailable:
  case error::busy:
  case error::full:
    return caf::make_error(fault::database_unavailable, failure.detail);
  case error::fenced:
    return caf::make_error(fault::lease_lost, failure.detail);
  case error::not_found:
    return caf::make_error(fault::not_found, failure.detail);
  case error::refused:
    return caf::make_error(fault::refused, failure.detail);
  default:
    return caf::make_error(fault::database_refused, failure.detail);
  }
}

messages::fault fault_of(const caf::error& error) {
  if (error.category() != caf::atom("sluice"))
    return messages::fault::none;
  return static_cast<messages::fault>(error.code());
}

chain_trouble reading_failed(const caf::error& error) {
  const bool gone = fault_of(error) == messages::fault::not_found;
  return {gone ? core::run_ending::route_closed : core::run_ending::faulted,
          "the database could not be read: " + describe(error),
          {}};
}

std::string describe(const caf::error& error) {
  if (error.category() == caf::atom("sluice")) {
    if (error.context().match_elements<std::string>())
      return error.context().get_as<std::string>(0);
    return to_string(static_cast<messages::fault>(error.code()));
  }
  if (error == caf::sec::request_timeout)
    return "an actor did not answer in time";
  if (error == caf::sec::request_receiver_down)
    return "an actor died before it answered";
  return "an actor refused the request (code " + std::to_string(error.code()) + ")";
}

} // namespace sluice::actors
