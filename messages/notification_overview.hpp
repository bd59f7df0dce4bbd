#pragma once

#include "core/callback_audit.hpp"
#include "core/contact_record.hpp"
#include "core/notification_record.hpp"
#include "core/notification_route.hpp"
#include "core/profile_record.hpp"
#include "core/provider_report.hpp"
#include "core/resealing.hpp"
#include "messages/inspection.hpp"
#include "messages/unsettled.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>
#include <vector>

/// The conversation with the notification overview, which looks up for people what is known of profiles,
/// contact points, routes, notifications and what providers told. A failure carries messages::fault;
/// `not_found` names what does not exist, or not within the tenants.
namespace sluice::messages {

/// operator API: by its public id.
struct find_profile {
  std::string public_id;
  core::tenant_scope tenants;
};

/// operator API.
struct list_profiles {
  core::profile_page page;
};

struct profiles_listed {
  std::vector<core::profile_record> profiles;
};

/// operator API: by its public id.
struct find_route {
  std::string public_id;
  core::tenant_scope tenants;
};

/// operator API.
struct list_notification_routes {
  core::route_page page;
};

struct notification_routes_listed {
  std::vector<core::notification_route> routes;
};

/// operator API: by its public id, without its address.
struct find_contact {
  std::string public_id;
  core::tenant_scope tenants;
};

/// operator API: without addresses.
struct list_contacts {
  core::contact_page page;
};

struct contacts_listed {
  std::vector<core::contact_record> contacts;
};

/// operator API: a notification by its public id, with its first attempts and where its last one stands.
struct find_notification {
  std::string public_id;
  core::tenant_scope tenants;
};

struct notification_found {
  core::notification_record record;
  std::vector<core::notification_attempt> attempts;
  core::notification_standing standing;
};

/// operator API: the newest.
struct list_notifications {
  core::notification_page page;
};

struct notifications_listed {
  std::vector<core::notification_record> notifications;
  std::vector<core::notification_standing> standings; ///< of those that have an attempt
};

/// operator API: what providers told, the newest.
struct list_provider_events {
  core::kept_event_page page;
};

struct provider_events_listed {
  std::vector<core::kept_event> events;
  std::vector<core::profile_record> profiles; ///< those of the events that are live
};

/// operator API, for an admin: callbacks that were refused, the newest.
struct list_callback_refusals {
  core::callback_audit_page page;
};

struct callback_refusals_listed {
  std::vector<core::refused_callback> refused;
  std::vector<core::profile_record> profiles; ///< those named that are live
};

/// operator API, for an admin: what each key is in use for.
struct count_key_uses {};

/// The keys of one ring as this node's settings have them, by their names, the first one first.
struct key_uses_counted {
  std::vector<core::key_use> uses;
  std::vector<std::string> sealing;
  std::vector<std::string> fingerprints;
};

// clang-format off
using notification_overview = caf::typed_actor<
  caf::replies_to<find_profile>::with<core::profile_record>,
  caf::replies_to<list_profiles>::with<profiles_listed>,
  caf::replies_to<find_route>::with<core::notification_route>,
  caf::replies_to<list_notification_routes>::with<notification_routes_listed>,
  caf::replies_to<find_contact>::with<core::contact_record>,
  caf::replies_to<list_contacts>::with<contacts_listed>,
  caf::replies_to<find_notification>::with<notification_found>,
  caf::replies_to<list_notifications>::with<notifications_listed>,
  caf::replies_to<list_provider_events>::with<provider_events_listed>,
  caf::replies_to<list_callback_refusals>::with<callback_refusals_listed>,
  caf::replies_to<list_unsettled>::with<unsettled_listed>,
  caf::replies_to<list_lapsed>::with<lapsed_listed>,
  caf::replies_to<list_unknown_creates>::with<unknown_creates_listed>,
  caf::replies_to<count_unsettled>::with<core::unsettled_counts>,
  caf::replies_to<count_key_uses>::with<key_uses_counted>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, find_profile& x) {
  return f(x.public_id, x.tenants);
}

template <class Inspector>
auto inspect(Inspector& f, list_profiles& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, profiles_listed& x) {
  return f(x.profiles);
}

template <class Inspector>
auto inspect(Inspector& f, find_route& x) {
  return f(x.public_id, x.tenants);
}

template <class Inspector>
auto inspect(Inspector& f, list_notification_routes& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, notification_routes_listed& x) {
  return f(x.routes);
}

template <class Inspector>
auto inspect(Inspector& f, find_contact& x) {
  return f(x.public_id, x.tenants);
}

template <class Inspector>
auto inspect(Inspector& f, list_contacts& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, contacts_listed& x) {
  return f(x.contacts);
}

template <class Inspector>
auto inspect(Inspector& f, find_notification& x) {
  return f(x.public_id, x.tenants);
}

template <class Inspector>
auto inspect(Inspector& f, notification_found& x) {
  return f(x.record, x.attempts, x.standing);
}

template <class Inspector>
auto inspect(Inspector& f, list_notifications& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, notifications_listed& x) {
  return f(x.notifications, x.standings);
}

template <class Inspector>
auto inspect(Inspector& f, list_provider_events& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, provider_events_listed& x) {
  return f(x.events, x.profiles);
}

template <class Inspector>
auto inspect(Inspector& f, list_callback_refusals& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, callback_refusals_listed& x) {
  return f(x.refused, x.profiles);
}

template <class Inspector>
auto inspect(Inspector& f, count_key_uses&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, key_uses_counted& x) {
  return f(x.uses, x.sealing, x.fingerprints);
}

} // namespace sluice::messages
