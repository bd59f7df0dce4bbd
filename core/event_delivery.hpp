#pragma once

#include "core/delivery_claim.hpp"
#include "core/delivery_state.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sluice::core {

/// One event for one subscription; the two make it unique.
struct event_delivery {
  delivery_id id{};
  std::string public_id; ///< UUIDv7
  subscription_id subscription{};
  change_event_id event{};
  event_position position{};               ///< of its event
  std::optional<std::string> ordering_key; ///< absent: it waits for no other
  delivery_progress progress;
  timestamp created_at{};
  timestamp updated_at{}; ///< its last transition
};

inline constexpr std::size_t kept_answer_bytes_max = std::size_t{16} << 10;

/// One try to push a delivery.
struct delivery_attempt {
  delivery_id delivery{};
  std::int64_t number = 0; ///< from 1, without a gap
  timestamp started_at{};
  duration took{};                      ///< of the call alone
  std::optional<attempt_ending> ending; ///< absent: on its way
  int status = 0;                       ///< 0: no status arrived
  std::string error_class;
  std::string error;
  std::string answer;      ///< the first `kept_answer_bytes_max` bytes
  bool answer_cut = false; ///< there were more
};

template <class Inspector>
auto inspect(Inspector& f, event_delivery& x) {
  return f(x.id, x.public_id, x.subscription, x.event, x.position, x.ordering_key, x.progress, x.created_at,
           x.updated_at);
}

/// Leaves out the answer: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, delivery_attempt& x) {
  return f(x.delivery, x.number, x.started_at, x.took, x.ending, x.status, x.error_class, x.error,
           x.answer_cut);
}

} // namespace sluice::core
