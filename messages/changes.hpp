#pragma once

#include "core/ids.hpp"
#include "core/incoming.hpp"

#include <string>
#include <vector>

/// What the record intake asks the recorder for.
namespace sluice::messages {

/// intake: a batch of what a source tells. `not_found`: the source is disconnected.
struct record_changes {
  core::connection_id source{};
  std::string domain;
  std::vector<core::incoming_change> changes;
};

struct changes_recorded {
  core::incoming_counts counts;
};

template <class Inspector>
auto inspect(Inspector& f, record_changes& x) {
  return f(x.source, x.domain, x.changes);
}

template <class Inspector>
auto inspect(Inspector& f, changes_recorded& x) {
  return f(x.counts);
}

} // namespace sluice::messages
