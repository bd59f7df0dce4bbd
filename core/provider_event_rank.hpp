#pragma once

#include "core/provider_event.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::core {

/// How much an event says of what became of a message; events that say less never undo one that says more,
/// whatever order they arrive in. One ladder for every channel, of which each uses its own rungs:
///
///   e-mail         sent < delayed < delivered < soft_bounced < bounced < complained
///   SMS            queued < sent < delivered < undelivered (the providers' "failed" is the same word here)
///   push, webhook  queued < sent < delayed < delivered < rejected < undelivered
///
/// 0: says nothing of it.
[[nodiscard]] std::int32_t rank_of(provider_event_type type) noexcept;

/// Whether no later word is waited for: delivered, or known not to be. An e-mail's soft bounce counts, too:
/// the providers report one when they have given up.
[[nodiscard]] bool is_settled(provider_event_type type) noexcept;

/// What became of the message of one attempt, from its events alone.
struct projection {
  std::optional<provider_event_type> state; ///< nothing has been told
  std::int32_t rank = 0;                    ///< of `state`
  std::optional<timestamp> at;              ///< when the provider says it happened
  std::string event;                        ///< the key of the event that says so (provider_event_key)

  friend bool operator==(const projection&, const projection&) = default;
};

/// An event as a projection sees it.
struct projected_event {
  provider_event_type type = provider_event_type::other;
  std::optional<timestamp> occurred_at;
  std::string key;
};

/// Whether the event takes the place of what is projected: it has the higher rank; of equal rank it happened
/// earlier (what has no time comes last); at the same time its key is the smaller one. This is the predicate
/// of storage's update, and a total order, so that any order of arrival ends the same.
[[nodiscard]] bool outranks(const projected_event& event, const projection& before) noexcept;

/// Total, monotone in rank, idempotent, and the same for every order of the events.
[[nodiscard]] projection project(const projection& before, const projected_event& event);

template <class Inspector>
auto inspect(Inspector& f, projection& x) {
  return f(x.state, x.rank, x.at, x.event);
}

} // namespace sluice::core
