#pragma once

#include "core/subscription.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// A subscription as somebody wants it; its tenant and name are the identity. What is absent of the optional
/// members stays as it is; the rest is what `written` says, by its defaults where nothing was written.
struct subscription_wish {
  subscription written; ///< tenant, name, mode, url, event types, filter and order; the rest is ignored
  std::optional<std::vector<custom_header>> headers;
  std::optional<bool> access_accepted;
  std::optional<bool> paused;       ///< one that is disabled stays so, whatever this says
  std::optional<signing> signed_by; ///< absent: as it is; hmac_sha256 where it is made
  std::string secret{};             ///< what it signs with where it is made; unused where it is there already
};

/// `there` as it would be by the wish.
[[nodiscard]] subscription wished_subscription(subscription there, const subscription_wish& wish);

/// The members of an apply file in which they differ. Headers are compared by name, value and whether they
/// are shown; of a subscription that is disabled the pause is not compared.
[[nodiscard]] std::vector<std::string> changed_members(const subscription& there, const subscription& wished);

/// Leaves out the secret.
template <class Inspector>
auto inspect(Inspector& f, subscription_wish& x) {
  return f(x.written, x.headers, x.access_accepted, x.paused, x.signed_by);
}

} // namespace sluice::core
