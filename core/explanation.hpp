#pragma once

#include "core/cursor.hpp"
#include "core/decide.hpp"
#include "core/ledger.hpp"
#include "core/rule.hpp"
#include "core/run.hpp"
#include "core/stop.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// What is known of a record's parent.
struct parent_facts {
  std::string rule_name; ///< the parent rule's; empty: there is no such rule
  bool rule_active = false;
  std::string source_id; ///< the parent's; empty: the record does not name one
  bool in_mirror = false;
  bool deleted = false; ///< in the mirror, as a tombstone
  std::optional<ledger_row> row;
};

/// What is known of one record under one rule when somebody asks, from one snapshot.
struct explanation_facts {
  sync_rule rule;
  connection source;
  connection target;
  std::string source_id;
  std::optional<mirror_record> record;
  std::optional<ledger_row> row;
  timestamp row_written_at{}; ///< when the row came to be what it is
  std::optional<intent> made; ///< a create of it whose outcome is not recorded
  std::optional<delivery_cursor> cursor;
  std::optional<listed_run> latest_run;
  std::vector<delivery_stop> stops;       ///< live stops and holds that reach the rule
  std::optional<timestamp> blocked_until; ///< the target connection's 429 block
  std::optional<parent_facts> parent;     ///< of a dependent rule
  timestamp now{};

  [[nodiscard]] const delivery_stop* hold() const noexcept;
};

/// What the rule would do with the record now, by the same decision the node takes; nothing without a record.
/// `why` is the filter's or the mapping's reason where one of them is it.
struct foreseen {
  action what = action::skip;
  std::string why;
};
[[nodiscard]] std::optional<foreseen> foresee(const explanation_facts& facts);

/// Sentences for people: where the record is, why, and what happens next.
[[nodiscard]] std::vector<std::string> explain_record(const explanation_facts& facts);

/// What keeps every record of the rule from moving, each a sentence; empty: nothing does.
[[nodiscard]] std::vector<std::string> closed_sentences(const explanation_facts& facts);

template <class Inspector>
auto inspect(Inspector& f, explanation_facts& x) {
  return f(x.rule, x.source_id, x.row, x.cursor, x.now);
}

} // namespace sluice::core
