#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/provider_event.hpp"
#include "core/reconciliation_item.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// What is looked after until it is known, as people see it. None of it holds an address.
namespace sluice::core {

/// A target with what its ids are called.
struct named_reconciliation_item {
  reconciliation_item item;
  std::string tenant;              ///< the profile's
  std::string profile_name;        ///< also of one that was removed
  std::string notification;        ///< of an attempt: its notification's public id; of an event empty
  std::string provider_message_id; ///< what it is known by there; empty: by nothing
};

/// An attempt that is past its lease. Nobody has looked at it yet: then it is an ambiguous submission.
struct lapsed_attempt {
  notification_id id{};
  std::string tenant;
  std::string profile_name;
  std::string notification; ///< its public id
  std::int64_t number = 0;
  timestamp since{}; ///< when the lease ended
};

struct lapsed_page {
  tenant_scope tenants;
  timestamp now{};
  notification_id after{};
  std::int64_t limit = 100;
};

/// What stands beside a notification's own row, about its last attempt.
struct notification_standing {
  notification_id notification{};
  std::optional<provider_event_type> told{};   ///< what became of the message, by its events
  std::optional<timestamp> told_at{};          ///< when the provider says that happened
  std::optional<reconciliation_item> sought{}; ///< what is still to be found out: whether it was taken, or
                                               ///< what became of it
};

template <class Inspector>
auto inspect(Inspector& f, named_reconciliation_item& x) {
  return f(x.item, x.tenant, x.profile_name, x.notification, x.provider_message_id);
}

template <class Inspector>
auto inspect(Inspector& f, lapsed_attempt& x) {
  return f(x.id, x.tenant, x.profile_name, x.notification, x.number, x.since);
}

template <class Inspector>
auto inspect(Inspector& f, lapsed_page& x) {
  return f(x.tenants, x.now, x.after, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, notification_standing& x) {
  return f(x.notification, x.told, x.told_at, x.sought);
}

} // namespace sluice::core
