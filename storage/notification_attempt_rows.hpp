#pragma once

#include "core/ids.hpp"
#include "core/notification_state.hpp"
#include "core/submission.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Rows of notification_attempts. Whoever writes one holds its notification's row. All of it throws: use
// inside `guarded`.

namespace sluice::storage {

struct attempt_key {
  core::notification_id notification{};
  std::int64_t number = 0;

  friend auto operator<=>(const attempt_key&, const attempt_key&) = default;
};

struct attempt_row {
  attempt_key key;
  core::notification_attempt_id id{};
  std::string public_id;
  core::provider_profile_id profile{};
  core::notification_attempt_state state = core::notification_attempt_state::dispatching;
  core::timestamp submitted_at{};
  std::optional<core::timestamp> ended_at;
  std::string provider_message_id;
  std::optional<core::rejection_cause> cause;
  std::string error_class;
  std::string error;
};

using attempt_rows = std::map<attempt_key, attempt_row>;

/// Those that are not there are left out.
[[nodiscard]] attempt_rows read_attempts(session& db, std::span<const attempt_key> keys);
[[nodiscard]] std::optional<attempt_row> read_attempt(session& db, core::notification_attempt_id id);

/// On their way. The ids are given by the database.
void insert_attempts(session& db, std::span<const attempt_row> rows);

/// What ends an attempt, or casts doubt on its end; one statement on PostgreSQL.
void write_attempts(session& db, std::span<const attempt_row> rows);

/// Those that were never made.
void delete_attempts(session& db, std::span<const attempt_key> keys);

/// Those of the attempts that an event has been matched to.
[[nodiscard]] std::vector<std::int64_t> attempts_told_of(session& db, std::span<const std::int64_t> attempts);

/// What the provider calls their messages, by the events that have been matched to them; those whose events
/// say nothing of it are left out.
[[nodiscard]] std::map<std::int64_t, std::string> messages_told_of(session& db,
                                                                   std::span<const std::int64_t> attempts);

} // namespace sluice::storage
