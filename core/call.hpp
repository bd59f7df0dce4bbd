#pragma once

#include "core/http.hpp"
#include "core/ids.hpp"

#include <cstddef>
#include <cstdint>

namespace sluice::core {

/// What a rule's call is made for: who of its askers gets the answer.
enum class call_purpose : std::uint8_t {
  delivery,     ///< by the rule's actor; or a token keeper's own
  verification, ///< a look at what the target holds
};

inline constexpr std::size_t call_purposes = 2;

/// A call as its asker names it. Unique while it is out, per rule and purpose.
struct call_id {
  std::uint64_t value = 0;
  call_purpose purpose = call_purpose::delivery;
  friend auto operator<=>(call_id, call_id) = default;
};

template <class Inspector>
auto inspect(Inspector& f, call_id& x) {
  return f(x.value, x.purpose);
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
