#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/notification.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sluice::core {

inline constexpr std::size_t profile_name_bytes_max = 128; ///< see core/name_fault.hpp

/// What may be shown of a provider profile.
struct profile_record {
  provider_profile profile; ///< without its credentials
  bool has_credentials = false;
  std::int64_t revision = 0; ///< raised by every change
  timestamp created_at{};
  timestamp updated_at{};
};

/// What a person wrote of a profile that is there: compare-and-set on `revision`.
struct profile_change {
  provider_profile written;      ///< its id says which; tenant and provider stay
  bool keeps_credentials = true; ///< false: `written` has the new ones, empty for none
  std::int64_t revision = 0;
};

struct profile_removal {
  provider_profile_id profile{};
  std::optional<std::int64_t> revision{}; ///< compare-and-set on it; absent: whatever it is
};

/// Which profiles, in the order of their making.
struct profile_page {
  tenant_scope tenants;
  std::optional<std::string> tenant; ///< absent: of every tenant that may be seen
  std::optional<provider_kind> provider;
  provider_profile_id after_id{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, profile_record& x) {
  return f(x.profile, x.has_credentials, x.revision, x.created_at, x.updated_at);
}

template <class Inspector>
auto inspect(Inspector& f, profile_change& x) {
  return f(x.written, x.keeps_credentials, x.revision);
}

template <class Inspector>
auto inspect(Inspector& f, profile_removal& x) {
  return f(x.profile, x.revision);
}

template <class Inspector>
auto inspect(Inspector& f, profile_page& x) {
  return f(x.tenants, x.tenant, x.provider, x.after_id, x.limit);
}

} // namespace sluice::core
