#pragma once

#include "core/api_token.hpp"
#include "core/custom_header.hpp"
#include "core/ids.hpp"
#include "core/outside_address.hpp"
#include "core/signing_secret.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

enum class subscription_mode : std::uint8_t {
  push, ///< events are posted to its URL
  pull, ///< its owner reads them behind a cursor
};

///   active <--pause, resume--> paused        by a person
///   active, paused --------> disabled        by a person, or for one of the causes below
///   disabled --------------> active          by a person; the count of dead deliveries begins anew
///
/// Paused and disabled ones keep their deliveries pending.
enum class subscription_status : std::uint8_t { active, paused, disabled };

enum class disable_cause : std::uint8_t {
  person,
  gone,            ///< the subscriber answered 410
  dead_deliveries, ///< too many in a row
};

[[nodiscard]] std::string_view to_string(subscription_mode mode) noexcept;
[[nodiscard]] std::string_view to_string(subscription_status status) noexcept;
[[nodiscard]] std::string_view to_string(disable_cause cause) noexcept;
[[nodiscard]] std::optional<subscription_mode> parse_subscription_mode(std::string_view text) noexcept;
[[nodiscard]] std::optional<subscription_status> parse_subscription_status(std::string_view text) noexcept;
[[nodiscard]] std::optional<disable_cause> parse_disable_cause(std::string_view text) noexcept;

/// Who wants which change events of a tenant, and how they get there.
///
/// Invariants: a push subscription has a URL, a pull subscription none, and no headers and no key; `cause` is
/// set exactly while it is disabled; `cursor` is a pull subscription's alone.
struct subscription {
  subscription_id id{};
  std::string public_id; ///< UUIDv7
  std::string tenant;
  std::string name; ///< unique within the tenant
  subscription_mode mode = subscription_mode::push;
  std::string url;
  std::vector<std::string> event_types{"*"}; ///< see core/event_type.hpp
  std::string filter;     ///< JSON predicate, empty when every event passes; core/filter.hpp
  std::string ordered_by; ///< JSON pointer, empty: in no order; core/ordering_key.hpp
  std::vector<custom_header> headers;
  bool access_accepted = true; ///< its tenant's events may go to it
  subscription_status status = subscription_status::active;
  std::optional<disable_cause> cause;
  std::string status_reason; ///< a sentence for people
  bool stopped = false;      ///< a stop reaches it, its own or one of everything
  std::int32_t consecutive_dead = 0;
  event_position starts_after{}; ///< events behind it are its own
  event_position cursor{};       ///< the last event its owner has taken
  event_position offered{};      ///< of a pull subscription: the furthest its owner was shown
  std::int64_t revision = 0;     ///< raised by every change of what a person wrote
  timestamp created_at{};
  timestamp updated_at{};
};

inline constexpr std::size_t subscription_name_bytes_max = 128;

/// What its actor needs: the values of its headers and the secrets opened.
struct served_subscription {
  subscription settings;
  std::vector<signing_secret> secrets; ///< the current one first; expired ones too
};

/// Which subscriptions, in the order of their making.
struct subscription_page {
  tenant_scope tenants;
  std::optional<std::string> tenant; ///< absent: of every tenant that may be seen
  std::optional<subscription_status> status;
  subscription_id after_id{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

/// Compare-and-set on the status that is left.
struct subscription_status_change {
  subscription_id subscription{};
  subscription_status from = subscription_status::active;
  subscription_status to = subscription_status::active;
  std::optional<disable_cause> cause; ///< exactly where `to` is disabled
  std::string reason;                 ///< a sentence for people
};

/// For good.
struct subscription_removal {
  subscription_id subscription{};
  std::string by{};                       ///< whoever ends its stop with it
  std::optional<std::int64_t> revision{}; ///< compare-and-set on it; absent: whatever it is
};

/// Every fault of what a person wrote, each a sentence with the member's name and what is allowed.
[[nodiscard]] std::vector<std::string> subscription_faults(const subscription& written,
                                                           const outside_addresses& addresses);

template <class Inspector>
auto inspect(Inspector& f, subscription& x) {
  return f(x.id, x.public_id, x.tenant, x.name, x.mode, x.event_types, x.filter, x.ordered_by, x.headers,
           x.access_accepted, x.status, x.cause, x.status_reason, x.stopped, x.consecutive_dead,
           x.starts_after, x.cursor, x.offered, x.revision, x.created_at, x.updated_at);
}

template <class Inspector>
auto inspect(Inspector& f, served_subscription& x) {
  return f(x.settings, x.secrets);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_page& x) {
  return f(x.tenants, x.tenant, x.status, x.after_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_status_change& x) {
  return f(x.subscription, x.from, x.to, x.cause, x.reason);
}

} // namespace sluice::core
