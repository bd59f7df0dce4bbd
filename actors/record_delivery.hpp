#pragma once

#include "actors/order.hpp"
#include "config/settings.hpp"
#include "core/booking.hpp"
#include "core/candidate_batch.hpp"
#include "core/decide.hpp"
#include "core/filter.hpp"
#include "core/http.hpp"
#include "core/mapping.hpp"
#include "core/payload.hpp"
#include "core/retry.hpp"
#include "core/rule.hpp"
#include "core/run.hpp"
#include "providers/writer.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::actors {

/// What one candidate came to before any call.
struct judged {
  enum class kind : std::uint8_t {
    nothing, ///< skipped: nothing is written
    booked,  ///< decided here: `row` is the ledger's
    ordered, ///< `next` has a call to make
    fault,   ///< the writer lacks a verb: the chain cannot go on; `reason`
  };
  kind what = kind::nothing;
  core::action decided = core::action::skip;
  core::ledger_row row;
  order next;
  std::string reason;
};

/// What a candidate is judged with beside its own record and row.
struct judge_facts {
  core::step_kind step = core::step_kind::delta;
  bool hold_live = false;         ///< the volume breaker holds the rule's withdrawals
  bool withdrawal_allowed = true; ///< the step may withdraw one more
  bool resend = false;            ///< the backfill sends again what the target has
  std::string parent;             ///< a dependent rule's record: its parent's source id; empty: it names none
  std::string anchor_id;          ///< … and its id in the target; empty: the target holds no parent
  bool look_first = false; ///< the ledger may be behind the target: look a record up before creating it
};

/// What an answer came to.
struct verdict {
  enum class kind : std::uint8_t {
    booked,           ///< `row` is the ledger's; the intent, if any, is done
    unknown,          ///< `row` says ambiguous; the intent waits until `settle_at` (absent: for a person)
    postponed,        ///< settling again at `settle_at`; the ledger row stays
    next_call,        ///< the order's next call is ready
    waits,            ///< nothing is booked: rate limited or unattempted; the same call again later
    new_token,        ///< nothing is booked: the access token was refused
    connection_fault, ///< the credentials were refused: the connection's fault
  };
  kind what = kind::booked;
  core::ledger_row row;
  std::optional<core::timestamp> settle_at;
  core::outcome outcome;
};

/// One rule's way of delivering: its mapping, filter and writer, compiled once a chain. It decides each
/// candidate, makes its request, reads its answer and books the row. No messages, no waiting; time is an
/// argument.
class record_delivery {
public:
  /// The error says why the rule cannot deliver as it is configured.
  [[nodiscard]] static std::expected<std::unique_ptr<record_delivery>, std::string>
  make(core::sync_rule rule, const core::connection& target, const config::delivery_settings& settings,
       std::uint32_t seed);

  [[nodiscard]] judged judge(core::candidate candidate, const judge_facts& with, core::timestamp now);

  /// The source id of a dependent record's parent; empty where the payload has none.
  [[nodiscard]] std::string parent_of(const core::mirror_record& record);

  /// How an unknown create is settled: the same bytes again, a lookup, or (nothing) by a person. The row the
  /// ledger should show meanwhile, where it does not show it yet, is in `row`.
  struct settlement {
    std::optional<order> next;
    std::optional<core::ledger_row> row;
  };
  [[nodiscard]] settlement settle(core::unsettled found, std::string anchor_id, core::timestamp now);

  [[nodiscard]] core::http_request request(order& order, std::string_view access_token) const;

  /// What the answer to the order's call says, before anything follows from it.
  [[nodiscard]] core::outcome outcome_of(const order& order, const core::http_answer& answer) const;

  [[nodiscard]] verdict read(order& order, const core::http_answer& answer, core::timestamp now);

  /// Whether a lookup can be addressed only with the parent's id in the target.
  [[nodiscard]] bool lookup_needs_anchor() const noexcept {
    return writer_->uses_anchor(core::operation::lookup);
  }

  [[nodiscard]] const providers::writer_traits& traits() const noexcept { return writer_->traits(); }
  [[nodiscard]] const core::sync_rule& rule() const noexcept { return rule_; }

  /// Whether an unknown create can be settled without a person.
  [[nodiscard]] bool can_settle() const noexcept { return traits().honours_key || traits().has_lookup; }

private:
  record_delivery(core::sync_rule rule, std::shared_ptr<const providers::writer> writer,
                  const config::delivery_settings& settings, std::uint32_t seed);

  bool passes_filter(const core::mirror_record& record);
  bool projects(const core::candidate& candidate, const judge_facts& with);
  [[nodiscard]] bool needs_anchor() const noexcept; ///< an update's fields or path take the parent's id
  [[nodiscard]] core::decide_facts facts_of(const core::candidate& candidate, const judge_facts& with);
  core::ledger_row unsent(const core::candidate& candidate, core::action decided, const std::string& parent,
                          core::timestamp now);
  core::ledger_row unaddressed(const core::candidate& candidate, const judge_facts& with, core::operation op,
                               core::timestamp now);
  judged order_for(core::candidate candidate, const judge_facts& with, core::action decided,
                   core::timestamp now);
  verdict read_reactivation(order& order, core::outcome outcome, core::timestamp now);
  verdict read_create(order& order, core::outcome outcome, core::timestamp now);
  verdict read_lookup(order& order, core::outcome outcome, core::timestamp now);
  verdict postponed(order& order, core::outcome outcome, core::timestamp now);
  verdict book(const order& order, core::outcome outcome, core::timestamp now);
  verdict create_after_look(order& order, core::outcome outcome);
  verdict look_up(order& order, core::outcome outcome);
  core::booking booking(core::timestamp now);

  core::sync_rule rule_;
  std::shared_ptr<const providers::writer> writer_;
  std::optional<core::mapping> mapping_;
  std::optional<core::filter> filter_;
  std::optional<core::payload_reader> parent_; ///< of a dependent rule: reads the parent's source id
  std::vector<core::value> parent_value_;
  core::retry_schedule retries_;
  core::duration settle_after_;
  std::minstd_rand jitter_;
  std::string projection_; ///< of the candidate being judged
  std::string projection_fault_;
};

/// Which counter of a run an outcome of this order belongs to.
void count(core::run_counts& counts, core::operation op, const verdict& verdict);
void count(core::run_counts& counts, core::action decided);

} // namespace sluice::actors
