#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// What a writer can ask of a target.
enum class operation : std::uint8_t { create, update, remove, deactivate, reactivate, lookup };

[[nodiscard]] std::string_view to_string(operation op) noexcept; ///< remove reads "delete"
[[nodiscard]] std::optional<operation> parse_operation(std::string_view text) noexcept;

/// What an answer means for the record, after the writer's configuration has been asked.
enum class outcome_kind : std::uint8_t {
  accepted,     ///< the target did it; `remote_id` is set for a create and a successful lookup
  gone,         ///< the target says the record does not exist there
  exists,       ///< a create met "exists already": look up and link
  rejected,     ///< the target refused this record
  transient,    ///< trying again later may work
  rate_limited, ///< the whole connection waits for `wait` (absent: the default block)
  unauthorized, ///< the credentials were refused: the connection's fault, not the record's
  ambiguous,    ///< the request left and nobody knows what became of it
  several,      ///< a lookup found more than one match
  unattempted,  ///< the call was never made
};

[[nodiscard]] std::string_view to_string(outcome_kind kind) noexcept;

struct outcome {
  outcome_kind kind = outcome_kind::transient;
  std::string remote_id;
  std::string error_class; ///< stable word: "http_422", "timed_out", "no_id_in_answer", …
  std::string error;       ///< a sentence for people, without credentials or payload
  std::optional<duration> wait;
};

template <class Inspector>
auto inspect(Inspector& f, outcome& x) {
  return f(x.kind, x.remote_id, x.error_class, x.error, x.wait);
}

} // namespace sluice::core
