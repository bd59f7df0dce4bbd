#pragma once

#include "core/reconciliation_overview.hpp"
#include "messages/inspection.hpp"

#include <vector>

/// What people ask the notification overview of what is not known yet (messages/notification_overview.hpp).
namespace sluice::messages {

/// operator API: what is not known, of one kind.
struct list_unsettled {
  core::reconciliation_page page;
};

struct unsettled_listed {
  std::vector<core::named_reconciliation_item> items;
};

/// operator API: attempts past their lease, which are a target of reconciliation before long.
struct list_lapsed {
  core::lapsed_page page;
};

struct lapsed_listed {
  std::vector<core::lapsed_attempt> attempts;
};

/// operator API: the same of rules' creates.
struct list_unknown_creates {
  core::unknown_create_page page;
};

struct unknown_creates_listed {
  std::vector<core::unknown_create> creates;
};

/// operator API: how much is not known as of `now`, since when, and when it is looked for next.
struct count_unsettled {
  core::tenant_scope tenants;
  core::timestamp now{};
};

template <class Inspector>
auto inspect(Inspector& f, list_unsettled& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, unsettled_listed& x) {
  return f(x.items);
}

template <class Inspector>
auto inspect(Inspector& f, list_lapsed& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, lapsed_listed& x) {
  return f(x.attempts);
}

template <class Inspector>
auto inspect(Inspector& f, list_unknown_creates& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, unknown_creates_listed& x) {
  return f(x.creates);
}

template <class Inspector>
auto inspect(Inspector& f, count_unsettled& x) {
  return f(x.tenants, x.now);
}

} // namespace sluice::messages
