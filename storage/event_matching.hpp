#pragma once

#include "core/ids.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

// Which attempt an event is of. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// As an event names its attempt.
struct event_naming {
  core::provider_event_id event{};
  core::provider_profile_id profile{};
  std::string provider_message_id;
  std::string attempt_id; ///< ours
};

struct event_attempt {
  core::notification_attempt_id id{};
  core::notification_id notification{};
  std::int64_t number = 0;
};

using event_attempts = std::unordered_map<std::int64_t, event_attempt>; ///< by the event's id

/// An attempt of the event's own profile: by our id where the event bears one that is ours, else by the
/// provider's, of several the newest. An event whose attempt is not here is left out.
[[nodiscard]] event_attempts find_attempts(session& db, std::span<const event_naming> events);

/// From here to the transaction's end nobody else records what attempts are called: whoever does waits, and
/// was waited for. Without it, an event whose attempt is recorded at the same moment would be put aside
/// unseen by both.
void hold_recording_attempts(session& db);

/// The other side of it: from here to the transaction's end nobody else puts an event aside. For whoever may
/// record what attempts are called, before any row is locked: who puts events aside may want that row.
void hold_putting_aside(session& db);

/// Those of the unmatched events, to be looked at again.
void put_aside(session& db, std::span<const event_naming> events, std::optional<core::timestamp> first_look,
               core::timestamp now);

} // namespace sluice::storage
