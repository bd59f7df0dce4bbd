#pragma once

#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Pages of the ledger, and its rows that wait for a person.
namespace sluice::core {

/// Which rows of a rule, in source id order.
struct ledger_filter {
  rule_id rule{};
  std::optional<delivery_status> status;
  std::string error_class;              ///< empty: any
  std::optional<std::string> source_id; ///< this record's row alone
  std::string after_source_id;
  std::int64_t limit = 100;
};

struct listed_ledger_row {
  ledger_row row;
  timestamp updated_at{};
};

/// Creates whose outcome only a person can settle, in source id order.
struct ambiguous_page {
  rule_id rule{};
  std::string after_source_id;
  std::int64_t limit = 100;
};

struct ambiguous_row {
  ledger_row row;
  timestamp since{};
  std::optional<intent> made; ///< without its body
};

template <class Inspector>
auto inspect(Inspector& f, ledger_filter& x) {
  return f(x.rule, x.status, x.error_class, x.source_id, x.after_source_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, listed_ledger_row& x) {
  return f(x.row, x.updated_at);
}

template <class Inspector>
auto inspect(Inspector& f, ambiguous_page& x) {
  return f(x.rule, x.after_source_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, ambiguous_row& x) {
  return f(x.row, x.since, x.made);
}

} // namespace sluice::core
