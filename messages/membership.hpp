#pragma once

#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// The conversation about this node's right to work.
namespace sluice::messages {

/// Internal: look at the lease; at most a second away.
struct lease_tick {};

using membership = caf::typed_actor<caf::reacts_to<lease_tick>>;

template <class Inspector>
auto inspect(Inspector& f, lease_tick&) {
  return f();
}

} // namespace sluice::messages
