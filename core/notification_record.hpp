#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/notification.hpp"
#include "core/notification_progress.hpp"
#include "core/provider_event_rank.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Notifications as they are asked for and shown. None of it holds an address; what is to be told is in the
/// wish alone.
namespace sluice::core {

struct notification_wish {
  std::string tenant;
  std::string idempotency_key; ///< empty: none, and each wish is another notification
  std::string request_digest;  ///< of all that was asked for: a key is for one request
  contact_point_id contact{};
  notification_route_id route{};
  message_content content;
  std::optional<timestamp> expires_at; ///< nobody wants it from then on
};

/// What may be shown of a notification.
struct notification_record {
  notification_id id{};
  std::string public_id; ///< UUIDv7
  std::string tenant;
  std::string idempotency_key;
  contact_point_id contact{};
  std::string contact_public_id;
  provider_profile_id profile{}; ///< whose turn it is, or was last
  std::string profile_name;
  notification_terms terms;
  notification_progress progress;
  std::string stopped; ///< "stopped by …", of a queued one within a stop
  timestamp created_at{};
  timestamp updated_at{};
};

struct made_notification {
  notification_record record;
  bool made = false; ///< false: its key was used before, for the same request
};

/// Which notifications, newest first.
struct notification_page {
  tenant_scope tenants;
  std::optional<std::string> tenant; ///< absent: of every tenant that may be seen
  std::optional<notification_state> state;
  std::optional<contact_point_id> contact;
  notification_id before{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

/// One numbered try, as people see it.
struct notification_attempt {
  notification_attempt_id id{};
  std::string public_id; ///< UUIDv7; what the provider was given
  std::int64_t number = 0;
  provider_profile_id profile{};
  std::string profile_name;
  notification_attempt_state state = notification_attempt_state::dispatching;
  timestamp submitted_at{};          ///< when it was claimed
  std::optional<timestamp> ended_at; ///< when its end, or the doubt about it, was recorded first
  std::string provider_message_id;
  std::optional<rejection_cause> cause; ///< exactly where it was rejected
  std::string error_class;
  std::string error;
  std::optional<provider_event_type> told; ///< what became of the message, by its events
  std::optional<timestamp> told_at;        ///< when the provider says that happened
};

/// Leaves out the content: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, notification_wish& x) {
  return f(x.tenant, x.idempotency_key, x.request_digest, x.contact, x.route, x.expires_at);
}

template <class Inspector>
auto inspect(Inspector& f, notification_record& x) {
  return f(x.id, x.public_id, x.tenant, x.idempotency_key, x.contact, x.contact_public_id, x.profile,
           x.profile_name, x.terms, x.progress, x.created_at, x.updated_at);
}

template <class Inspector>
auto inspect(Inspector& f, made_notification& x) {
  return f(x.record, x.made);
}

template <class Inspector>
auto inspect(Inspector& f, notification_page& x) {
  return f(x.tenants, x.tenant, x.state, x.contact, x.before, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, notification_attempt& x) {
  return f(x.id, x.public_id, x.number, x.profile, x.profile_name, x.state, x.submitted_at, x.ended_at,
           x.provider_message_id, x.cause, x.error_class, x.error, x.told, x.told_at);
}

} // namespace sluice::core
