#pragma once

#include "core/api_token.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::core {

/// What somebody did: a row of the history that only grows.
struct audit_entry {
  std::int64_t id = 0;
  timestamp at{};
  std::string by;
  std::string act;            ///< short stable word: "retry_delivery"
  std::string subject;        ///< the public id of what it was done to
  std::string tenant;         ///< whose it is; empty: the installation's
  std::string details = "{}"; ///< JSON object, for people; nothing secret
  std::int64_t count = 0;     ///< rows it concerned
};

/// Which entries, newest first.
struct audit_page {
  tenant_scope tenants; ///< entries of the installation show to whoever sees every tenant
  std::string act;      ///< empty: every act
  std::string subject;  ///< empty: every subject
  std::optional<timestamp> from{};
  std::optional<timestamp> until{};
  std::int64_t before_id = 0; ///< the page before's last; 0 at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, audit_entry& x) {
  return f(x.id, x.at, x.by, x.act, x.subject, x.tenant, x.details, x.count);
}

template <class Inspector>
auto inspect(Inspector& f, audit_page& x) {
  return f(x.tenants, x.act, x.subject, x.from, x.until, x.before_id, x.limit);
}

} // namespace sluice::core
