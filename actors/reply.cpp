#include "actors/reply.hpp"

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

chain_trouble reading_failed(const caf::error& error) {
  const bool gone = fault_of(error) == messages::fault::not_found;
  return {gone ? core::run_ending::route_closed : core::run_ending::faulted,
          "the database could not be read: " + describe(error),
          {}};
}

} // namespace sluice::actors
