#pragma once

#include "core/api_token.hpp"
#include "core/contact_point.hpp"
#include "core/contact_suppression.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::core {

/// What may be shown of a contact point: everything but its address.
struct contact_record {
  contact_point_id id{};
  std::string public_id; ///< UUIDv7
  std::string tenant;
  contact_kind kind = contact_kind::email;
  std::optional<contact_suppression> suppression;
  std::optional<timestamp> token_seen_at; ///< when an app last registered it
  timestamp created_at{};
  timestamp updated_at{};
};

/// A contact point with its address: for whoever sends to it, or has the right to see it.
struct opened_contact {
  contact_record record;
  contact_address address;
};

/// The contact point of this address, made if there is none.
struct contact_wish {
  std::string tenant;
  contact_address address;                ///< normalised
  std::optional<timestamp> registered_at; ///< its app said then that it lives; absent: it is only named
  std::string by;                         ///< who says so
};

struct found_contact {
  contact_record record;
  bool made = false; ///< it was not there before
};

/// A person's word that it may be sent to again.
struct suppression_lifting {
  contact_point_id contact{};
  std::string by;
  std::string note; ///< why, for the audit; no address
};

/// Which contact points, in the order of their making.
struct contact_page {
  tenant_scope tenants;
  std::optional<std::string> tenant; ///< absent: of every tenant that may be seen
  std::optional<contact_kind> kind;
  std::optional<bool> suppressed;
  contact_point_id after_id{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, contact_record& x) {
  return f(x.id, x.public_id, x.tenant, x.kind, x.suppression, x.token_seen_at, x.created_at, x.updated_at);
}

template <class Inspector>
auto inspect(Inspector& f, opened_contact& x) {
  return f(x.record, x.address);
}

template <class Inspector>
auto inspect(Inspector& f, contact_wish& x) {
  return f(x.tenant, x.address, x.registered_at, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, found_contact& x) {
  return f(x.record, x.made);
}

template <class Inspector>
auto inspect(Inspector& f, suppression_lifting& x) {
  return f(x.contact, x.by, x.note);
}

template <class Inspector>
auto inspect(Inspector& f, contact_page& x) {
  return f(x.tenants, x.tenant, x.kind, x.suppressed, x.after_id, x.limit);
}

} // namespace sluice::core
