#pragma once

#include "actors/rule_links.hpp"
#include "core/ids.hpp"
#include "messages/acts.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"

#include <caf/error.hpp>
#include <caf/result.hpp>
#include <caf/typed_response_promise.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <string>

namespace sluice::actors {

/// What a person asks of one rule: each act is checked, made durable, and then the rule is told what there is
/// to do. All of it happens in the rule's actor, between the steps of its chain; every write is
/// compare-and-set, so an act and a step that meet do not undo each other.
class rule_acts {
public:
  /// What the rule has to do once an act is durable.
  struct told {
    std::function<void()> rows_due;       ///< rows wait for a drain
    std::function<void()> cursor_changed; ///< a backfill began or ended
    std::function<bool()> delivers;       ///< whether a chain of it runs
  };

  rule_acts(messages::sync_rule::pointer self, const rule_links& links, core::rule_id rule, told to_do);

  caf::result<core::delivery_cursor> start_backfill(messages::start_backfill& act);
  caf::result<core::delivery_cursor> abort_backfill(const messages::abort_backfill& act);
  caf::result<core::delivery_stop> release_hold(messages::release_hold& act);
  caf::result<core::delivery_stop> discard_hold(messages::discard_hold& act);
  caf::result<core::ledger_row> link(messages::link_record& act);
  caf::result<core::links_recorded> link_all(messages::link_records& act);
  caf::result<core::ledger_row> resend(messages::resend_record& act);

private:
  template <class Answer>
  using promise = caf::typed_response_promise<Answer>;

  /// A record a person speaks of, and the row that follows from what they say.
  struct settling {
    std::string source_id;
    std::string by;
    /// The row that follows; the error is a sentence that says why it may not be done.
    std::function<std::expected<core::ledger_row, std::string>(const messages::record_read&)> decide;
    promise<core::ledger_row> answer{};
  };

  template <class Answer, class To, class Ask, class Then>
  void ask(const To& whom, Ask ask, promise<Answer> answer, Then then);
  void on_aborted(const messages::backfill_aborted& done, core::timestamp until, const std::string& by,
                  const core::delivery_cursor& cursor, promise<core::delivery_cursor> answer);
  template <class Ask>
  caf::result<core::delivery_stop> end_hold(Ask end);
  caf::result<core::ledger_row> settle(const std::shared_ptr<settling>& act);
  void read(const std::shared_ptr<settling>& act, const messages::rule_loaded& loaded);
  void decide(const std::shared_ptr<settling>& act, const messages::record_read& found);
  void write(const std::shared_ptr<settling>& act, const messages::record_read& found,
             const core::ledger_row& row);
  void conclude(settling& act, const core::ledger_row& row, bool made);
  [[nodiscard]] core::timestamp now() const { return links_.node->time->wall(); }

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  core::rule_id rule_;
  told to_do_;
};

} // namespace sluice::actors
