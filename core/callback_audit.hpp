#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/provider_event.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// The security audit of callbacks: what was posted and refused. Nothing of what was sent is in it but its
/// digest, for anybody may post.
namespace sluice::core {

struct refused_callback {
  std::int64_t id = 0; ///< given when it is kept
  timestamp at{};
  provider_profile_id profile{}; ///< none: the address names no profile
  std::string tenant;            ///< the profile's; empty without one
  std::string source;            ///< the address it came from
  callback_refusal_kind kind = callback_refusal_kind::bad_signature;
  std::string reason;
  std::string digest; ///< SHA-256 of the body, in hex
};

/// The oldest go where there are more. The bound a profile is what keeps one sender from hiding what others
/// did; what names no profile counts as one.
struct callback_audit_limits {
  std::int64_t per_profile = 1'000;
  std::int64_t total = 10'000;
};

/// Newest first. What names no profile shows to whoever sees every tenant.
struct callback_audit_page {
  tenant_scope tenants;
  std::optional<provider_profile_id> profile;
  std::int64_t before_id = 0; ///< the page before's last; 0 at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, refused_callback& x) {
  return f(x.id, x.at, x.profile, x.tenant, x.source, x.kind, x.reason, x.digest);
}

template <class Inspector>
auto inspect(Inspector& f, callback_audit_limits& x) {
  return f(x.per_profile, x.total);
}

template <class Inspector>
auto inspect(Inspector& f, callback_audit_page& x) {
  return f(x.tenants, x.profile, x.before_id, x.limit);
}

} // namespace sluice::core
