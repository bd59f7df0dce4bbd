#pragma once

#include <string>

namespace sluice::core {

/// The target's reference to a parent record, under which its dependent records go.
struct anchor {
  std::string source_id;
  std::string remote_id;
};

template <class Inspector>
auto inspect(Inspector& f, anchor& x) {
  return f(x.source_id, x.remote_id);
}

} // namespace sluice::core
