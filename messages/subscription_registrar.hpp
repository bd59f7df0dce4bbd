#pragma once

#include "core/change_event.hpp"
#include "core/pull.hpp"
#include "core/subscription.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// The conversation with the subscription registrar, which writes what people and applications ask of
/// subscriptions and events, but for what a running push has to hear of first (messages/push_dispatcher.hpp).
/// Each act of a person leaves its row in the audit. A failure carries messages::fault: `not_found` where
/// what is named does not exist, `refused` with the reason.
namespace sluice::messages {

using core::signing;

/// API, for an admin. Its secret is made here.
struct make_subscription {
  core::subscription wanted;
  signing signed_by = signing::hmac_sha256;
  std::string by;
};

struct subscription_made {
  core::subscription made;
  std::string verification_key; ///< what the receiver verifies with; empty: it receives no pushes
};

/// API, for an admin: what a person may change, compare-and-set on the revision. Answered with how it is now.
struct change_subscription {
  core::subscription written;
  std::string by;
};

/// What an act of a person is about: where it is kept and what the audit calls it.
struct named_subscription {
  core::subscription_id id{};
  std::string public_id;
  std::string tenant;
};

/// API, for an admin: for good. With a revision: `refused` where it is another by now.
struct remove_subscription {
  named_subscription which;
  std::string by;
  std::optional<std::int64_t> revision;
};

struct subscription_removed {};

/// API, for an admin: a new secret, beside which the one before goes on signing for a while. `signed_by`
/// absent: as before.
struct rotate_secret {
  named_subscription which;
  std::optional<signing> signed_by;
  std::string by;
};

struct secret_rotated {
  std::string verification_key;                 ///< of the new one
  std::int64_t signing = 0;                     ///< how many sign now, the new one included
  std::optional<core::timestamp> overlap_until; ///< the last one before it ends then
};

/// API, for an application. Answered once the event is durable.
struct publish_event {
  core::event_to_publish wanted;
};

struct event_published {
  core::published_event event;
  bool key_of_another = false; ///< its idempotency key was used for another type or body: nothing was done
};

/// API, for an operator: an event for this subscription alone.
struct send_test_event {
  named_subscription which;
  std::string by;
};

/// API, for the owner of a pull subscription: see storage/pull.hpp's read_pull.
struct read_pull {
  core::pull_wish wish;
};

/// API, for the owner of a pull subscription: one transaction of storage/pull.hpp's advance_pull.
struct advance_cursor {
  core::pull_advance wanted;
};

// clang-format off
using subscription_registrar = caf::typed_actor<
  caf::replies_to<make_subscription>::with<subscription_made>,
  caf::replies_to<change_subscription>::with<core::subscription>,
  caf::replies_to<remove_subscription>::with<subscription_removed>,
  caf::replies_to<rotate_secret>::with<secret_rotated>,
  caf::replies_to<publish_event>::with<event_published>,
  caf::replies_to<send_test_event>::with<core::published_event>,
  caf::replies_to<read_pull>::with<core::pull_page>,
  caf::replies_to<advance_cursor>::with<core::pull_advanced>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, make_subscription& x) {
  return f(x.wanted, x.signed_by, x.by);
}

/// Leaves out the key: of a secret both ends have it is the secret.
template <class Inspector>
auto inspect(Inspector& f, subscription_made& x) {
  return f(x.made);
}

template <class Inspector>
auto inspect(Inspector& f, change_subscription& x) {
  return f(x.written, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, named_subscription& x) {
  return f(x.id, x.public_id, x.tenant);
}

template <class Inspector>
auto inspect(Inspector& f, remove_subscription& x) {
  return f(x.which, x.by, x.revision);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_removed&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, rotate_secret& x) {
  return f(x.which, x.signed_by, x.by);
}

/// Leaves out the key, as above.
template <class Inspector>
auto inspect(Inspector& f, secret_rotated& x) {
  return f(x.signing, x.overlap_until);
}

template <class Inspector>
auto inspect(Inspector& f, publish_event& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, event_published& x) {
  return f(x.event, x.key_of_another);
}

template <class Inspector>
auto inspect(Inspector& f, send_test_event& x) {
  return f(x.which, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, read_pull& x) {
  return f(x.wish);
}

template <class Inspector>
auto inspect(Inspector& f, advance_cursor& x) {
  return f(x.wanted);
}

} // namespace sluice::messages
