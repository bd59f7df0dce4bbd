#pragma once

#include "core/contact_record.hpp"
#include "core/notification_record.hpp"
#include "core/notification_route.hpp"
#include "core/notification_work.hpp"
#include "core/profile_record.hpp"
#include "core/resealing.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The conversation with the notification registrar, which writes what people and applications ask of
/// profiles, contact points and routes, and the notifications they post. Each act of a person leaves its row
/// in the audit. A failure carries messages::fault: `not_found` where what is named does not exist, `refused`
/// with the reason.
namespace sluice::messages {

/// API, for an admin. Its adapter is made once, to see what is wrong.
struct make_profile {
  core::provider_profile wanted;
  std::string by;
};

/// API, for an admin: compare-and-set on the revision.
struct change_profile {
  core::profile_change change;
  std::string by;
};

/// Either the faults, and nothing was written, or the profile as it is now.
struct profile_written {
  std::vector<std::string> faults;
  core::profile_record record;
};

/// API, for an admin: for good.
struct remove_profile {
  core::profile_record which;
  std::optional<std::int64_t> revision; ///< `refused` where it is another by now; absent: whatever it is
  std::string by;
};

/// API, for an admin. `refused` with the faults of name and profiles.
struct make_route {
  core::notification_route wanted;
  std::string by;
};

/// API, for an admin: compare-and-set on the revision.
struct change_route {
  core::notification_route written;
  std::string by;
};

/// API, for an admin: for good.
struct remove_route {
  core::notification_route which;
  std::optional<std::int64_t> revision; ///< as a profile's
  std::string by;
};

/// What was named is there no more.
struct thing_removed {};

/// API, for an application: the contact point of an address, made where there is none.
struct find_or_make_contact {
  core::contact_wish wish;
};

/// API, for an admin: its address. The audit has who asked before anybody is told.
struct reveal_contact {
  core::contact_record which;
  std::string by;
};

/// API, for an operator: nothing is sent to it from now on.
struct suppress_contact {
  core::contact_record which;
  std::string detail; ///< why; no address
  std::string by;
};

/// API, for an operator: it may be sent to again.
struct lift_contact {
  core::contact_record which;
  std::string note; ///< why; no address
  std::string by;
};

/// API, for an admin: for good, its address at once.
struct remove_contact {
  core::contact_record which;
  std::string by;
};

/// API, for an application. Answered once the notification is durable.
struct post_notification {
  std::string tenant;
  std::string contact; ///< its public id
  std::string route;   ///< its name, or its public id
  std::string idempotency_key;
  std::string request_digest;
  core::message_content content;
  std::optional<core::timestamp> expires_at;
};

/// With faults, or where its key was another's, nothing was done and `posted` has no meaning.
struct notification_posted {
  std::vector<std::string> faults; ///< why a profile of the route could never send it
  bool key_of_another = false;     ///< its idempotency key was used for another request
  core::made_notification posted;
};

/// API, for an admin: one step of making anew what an old key made.
struct reseal_step {
  core::resealing_order order;
  std::string by;
};

// clang-format off
using notification_registrar = caf::typed_actor<
  caf::replies_to<make_profile>::with<profile_written>,
  caf::replies_to<change_profile>::with<profile_written>,
  caf::replies_to<remove_profile>::with<thing_removed>,
  caf::replies_to<make_route>::with<core::notification_route>,
  caf::replies_to<change_route>::with<core::notification_route>,
  caf::replies_to<remove_route>::with<thing_removed>,
  caf::replies_to<find_or_make_contact>::with<core::found_contact>,
  caf::replies_to<reveal_contact>::with<core::opened_contact>,
  caf::replies_to<suppress_contact>::with<core::contact_record>,
  caf::replies_to<lift_contact>::with<core::contact_record>,
  caf::replies_to<remove_contact>::with<thing_removed>,
  caf::replies_to<post_notification>::with<notification_posted>,
  caf::replies_to<reseal_step>::with<core::resealing_step>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, make_profile& x) {
  return f(x.wanted, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, change_profile& x) {
  return f(x.change, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, profile_written& x) {
  return f(x.faults, x.record);
}

template <class Inspector>
auto inspect(Inspector& f, remove_profile& x) {
  return f(x.which, x.revision, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, make_route& x) {
  return f(x.wanted, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, change_route& x) {
  return f(x.written, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, remove_route& x) {
  return f(x.which, x.revision, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, thing_removed&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, find_or_make_contact& x) {
  return f(x.wish);
}

template <class Inspector>
auto inspect(Inspector& f, reveal_contact& x) {
  return f(x.which, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, suppress_contact& x) {
  return f(x.which, x.detail, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, lift_contact& x) {
  return f(x.which, x.note, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, remove_contact& x) {
  return f(x.which, x.by);
}

/// Leaves out the content: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, post_notification& x) {
  return f(x.tenant, x.contact, x.route, x.idempotency_key, x.request_digest, x.expires_at);
}

template <class Inspector>
auto inspect(Inspector& f, notification_posted& x) {
  return f(x.faults, x.key_of_another, x.posted);
}

template <class Inspector>
auto inspect(Inspector& f, reseal_step& x) {
  return f(x.order, x.by);
}

} // namespace sluice::messages
