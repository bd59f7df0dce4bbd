#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/provider_event.hpp"
#include "core/provider_event_rank.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What providers told, as it is kept, and what is made of it.
namespace sluice::core {

/// Longer texts a provider gives are cut, a message's id too: whoever writes an attempt's cuts it alike.
inline constexpr std::size_t provider_text_bytes_max = 500;

enum class report_source : std::uint8_t {
  callback,       ///< it was posted here, and its signature is the provider's
  reconciliation, ///< the answer to a question of ours
};

[[nodiscard]] std::string_view to_string(report_source source) noexcept;
[[nodiscard]] std::optional<report_source> parse_report_source(std::string_view text) noexcept;

/// One verified callback, or one answer to a status query. It may be without events.
struct provider_report {
  provider_profile_id profile{};
  std::string tenant; ///< the profile's
  report_source source = report_source::callback;
  timestamp received_at{};
  std::string body; ///< as it came; holds addresses
  std::vector<provider_event> events;
};

/// What an append came to.
struct reports_appended {
  std::vector<provider_report_id> reports; ///< in the order given
  std::int64_t events = 0;                 ///< all of them
  std::int64_t duplicates = 0;             ///< of these, those that are not projected
};

/// An attempt as events name it.
struct named_attempt {
  std::string public_id;
  provider_profile_id profile{};
  std::string provider_message_id; ///< empty: the provider gave none
};

/// What was told of one attempt.
struct attempt_told {
  notification_attempt_id attempt{};
  notification_id notification{};
  std::int64_t number = 0; ///< the attempt's
  projection told;         ///< of these events alone
  bool moved = false;      ///< it is what is projected now
};

/// A contact point is not to be used again, by the provider's own word.
struct suppression_told {
  notification_attempt_id attempt{};
  notification_id notification{};
  provider_event_id event{};
  suppression_reason reason = suppression_reason::hard_bounce;
  timestamp at{}; ///< when it happened; where the provider gives no time, when it was told
};

/// What a batch of projection came to. Its effects are the caller's, in the same transaction.
struct events_projected {
  std::int64_t looked_at = 0; ///< events; fewer than asked for: none is left
  std::int64_t unmatched = 0; ///< of these, those whose attempt is not here
  std::vector<attempt_told> attempts;
  std::vector<suppression_told> suppressions;
};

/// How far a rebuild of the projections has come.
struct projections_rebuilt {
  notification_attempt_id upto{}; ///< where the next batch goes on
  bool through = false;
  std::int64_t events = 0;
  std::int64_t attempts = 0; ///< that have a projection by these events
};

/// What an attempt's message has become.
struct attempt_projection {
  notification_attempt_id attempt{};
  projection told;
  std::optional<provider_event_id> event; ///< that says so; absent once retention has taken it
  timestamp updated_at{};
};

/// Where an event is on its way.
enum class event_progress : std::uint8_t {
  pending,   ///< not yet looked at
  unmatched, ///< its attempt is not here
  matched,   ///< projected
  duplicate, ///< of one that was told before
};

[[nodiscard]] std::string_view to_string(event_progress progress) noexcept;
[[nodiscard]] std::optional<event_progress> parse_event_progress(std::string_view text) noexcept;

/// An event as it is kept.
struct kept_event {
  provider_event_id id{};
  provider_report_id report{};
  std::string tenant;
  provider_profile_id profile{};
  report_source source = report_source::callback;
  timestamp received_at{};
  provider_event what;
  event_progress progress = event_progress::pending;
  std::optional<provider_event_id> duplicate_of;
  std::optional<notification_attempt_id> attempt; ///< exactly where it is matched
};

/// Which events, newest first.
struct kept_event_page {
  tenant_scope tenants;
  std::optional<provider_profile_id> profile;
  std::optional<notification_attempt_id> attempt; ///< it is matched to
  std::string provider_message_id;                ///< empty: any; with a profile
  std::optional<event_progress> progress;
  provider_event_id before{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

/// Leaves out body and events.
template <class Inspector>
auto inspect(Inspector& f, provider_report& x) {
  return f(x.profile, x.tenant, x.source, x.received_at);
}

template <class Inspector>
auto inspect(Inspector& f, reports_appended& x) {
  return f(x.reports, x.events, x.duplicates);
}

template <class Inspector>
auto inspect(Inspector& f, named_attempt& x) {
  return f(x.public_id, x.profile, x.provider_message_id);
}

template <class Inspector>
auto inspect(Inspector& f, attempt_told& x) {
  return f(x.attempt, x.notification, x.number, x.told, x.moved);
}

template <class Inspector>
auto inspect(Inspector& f, suppression_told& x) {
  return f(x.attempt, x.notification, x.event, x.reason, x.at);
}

template <class Inspector>
auto inspect(Inspector& f, events_projected& x) {
  return f(x.looked_at, x.unmatched, x.attempts, x.suppressions);
}

template <class Inspector>
auto inspect(Inspector& f, projections_rebuilt& x) {
  return f(x.upto, x.through, x.events, x.attempts);
}

template <class Inspector>
auto inspect(Inspector& f, attempt_projection& x) {
  return f(x.attempt, x.told, x.event, x.updated_at);
}

/// What the event says is left to the log's own words.
template <class Inspector>
auto inspect(Inspector& f, kept_event& x) {
  return f(x.id, x.report, x.tenant, x.profile, x.source, x.received_at, x.progress, x.duplicate_of,
           x.attempt);
}

template <class Inspector>
auto inspect(Inspector& f, kept_event_page& x) {
  return f(x.tenants, x.profile, x.attempt, x.provider_message_id, x.progress, x.before, x.limit);
}

} // namespace sluice::core
