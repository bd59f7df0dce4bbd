#pragma once

#include "actors/reply.hpp"
#include "storage/session.hpp"

#include <utility>

namespace sluice::actors {

inline constexpr int writer_attempts = 5;

/// Answers a request with what `act` did on the session, anew where it was lost or somebody else held the
/// database for too long. For actors that write beside the recorder.
template <class Act>
auto with_writer(storage::session& db, Act act) {
  auto done = act(db);
  for (int again = 1; again < writer_attempts && !done; ++again) {
    const auto why = done.error().code;
    if (why != storage::error::busy && !(why == storage::error::unavailable && db.reopen()))
      break;
    done = act(db);
  }
  return reply(std::move(done));
}

/// The same in one transaction.
template <class Act>
auto in_transaction(storage::session& db, Act act) {
  return with_writer(db, [&](storage::session& open) { return storage::transact(open, act); });
}

} // namespace sluice::actors
