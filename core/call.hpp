#pragma once

#include "core/http.hpp"
#include "core/ids.hpp"

#include <cstdint>

namespace sluice::core {

/// A call as its asker names it. Unique while it is out, per rule.
struct call_id {
  std::uint64_t value = 0;
  friend auto operator<=>(call_id, call_id) = default;
};

template <class Inspector>
auto inspect(Inspector& f, call_id& x) {
  return f(x.value);
}

/// One outside call on its way to the transport.
struct outbound_call {
  call_id id{};
  rule_id rule{};
  connection_id connection{};
  http_request request;
};

/// What became of it. Every call handed over is answered exactly once.
struct call_answer {
  call_id id{};
  rule_id rule{};
  http_answer answer;
};

template <class Inspector>
auto inspect(Inspector& f, outbound_call& x) {
  return f(x.id, x.rule, x.connection, x.request);
}

template <class Inspector>
auto inspect(Inspector& f, call_answer& x) {
  return f(x.id, x.rule, x.answer);
}

} // namespace sluice::core
