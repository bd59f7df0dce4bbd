#pragma once

#include "actors/lookup_desk.hpp"
#include "actors/record_delivery.hpp"
#include "actors/rule_links.hpp"
#include "core/verification.hpp"
#include "messages/dispatcher.hpp"
#include "messages/fault.hpp"
#include "messages/overview.hpp"
#include "messages/reader.hpp"
#include "messages/request.hpp"
#include "messages/verifier.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// The verifier: looks up at the target what a rule's ledger says it holds, and counts where the two
/// contradict each other. It writes nothing: no ledger row, no intent.
///
///   idle --start_verify--> counting --> page: stops, rule, circuit --> rows --> lookups --> idle (done)
///                                        ^------------- more -------------------+
///                          any of them --cancel_verify, nobody asks, a stop, a fault--> idle
///
/// The operator API talks to it; it asks the overview for the rule and its rows, a reader for stops and
/// single records, and makes its calls by a lookup_desk. One verification at a time.
///
/// A row is read again before it counts as drift: one that was written since, or for which a call of the
/// rule is out, is no drift but changed meanwhile.
namespace sluice::actors {

struct verifier_resources {
  std::shared_ptr<const node_links> node;
  messages::dispatcher dispatcher;
  messages::overview overview;
  messages::reader reader; ///< held up by no rule
};

/// What is being looked up.
struct verification_in_hand {
  messages::rule_loaded context; ///< as it was at the start
  std::shared_ptr<record_delivery> delivery;
  std::shared_ptr<lookup_desk> desk;
  std::vector<std::int64_t> steps; ///< of a sample: from each row to the next
  std::size_t stepped = 0;         ///< … so many of them are taken
  std::string after_source_id;     ///< the last row that was read
  bool through = false;            ///< no further row is read
  std::size_t open = 0;            ///< rows of the page that are not counted yet
  std::uint64_t alarm = 0;         ///< the one that is waited for; 0: none
};

class verifier_state {
public:
  static constexpr const char* name = "verifier";

  explicit verifier_state(messages::verifier::pointer self) : self_(self) {}

  messages::verifier::behavior_type behavior(verifier_resources resources);

private:
  caf::result<core::verification> on_start_verify(const messages::start_verify& ask);
  caf::result<core::verification> on_read_verify(const messages::read_verify& ask);
  caf::result<core::verification> on_cancel_verify(const messages::cancel_verify& ask);
  void on_calls_answered(messages::calls_answered& told);
  void on_alarm_rang(messages::alarm_rang rang);

  // Before the first row.
  void on_context(messages::rule_loaded& context);
  void on_target(messages::target_found& found);
  void on_counted(const messages::ledger_counted& counted);

  // Page by page: verifier_pages.cpp.
  void next_page();
  /// Why no record of the rule can be looked up, as it is now.
  [[nodiscard]] static std::optional<std::string> why_no_lookups(const messages::rule_loaded& context);
  void ask_for_rule();
  void on_context_again(const messages::rule_loaded& context);
  void on_clearance(const messages::clearance& given);
  void read_rows();
  void list_rows();
  void step_to_rows();
  void take(std::vector<core::ledger_row> rows);

  // Row by row: verifier_rows.cpp.
  void look_up(core::ledger_row row);
  void find_parent(core::ledger_row row);
  void find_anchor(core::ledger_row row, std::string parent);
  void on_told(core::ledger_row row, const core::outcome& said);
  void read_again(core::ledger_row row, core::comparison compared);
  void conclude(const core::ledger_row& row, core::comparison compared);
  void row_done();

  void rest(core::timestamp until);
  void go_on_after_rest();
  /// Goes on where no stop reaches the rule.
  void unless_stopped(void (verifier_state::*then)());
  [[nodiscard]] bool forgotten() const;
  void end(core::verify_phase phase, std::string reason = {});

  /// Asks; an answer that comes once the verification has ended is dropped.
  template <class Answer, class Whom, class Question, class Then>
  void ask(const Whom& whom, Question question, Then then) {
    auto answered = [this, number = number_, then](Answer& answer) {
      if (hand_ && number == number_)
        then(answer);
    };
    auto failed = [this, number = number_](const caf::error& error) {
      if (hand_ && number == number_)
        end(core::verify_phase::failed, messages::describe(error));
    };
    messages::request(self_, whom, resources_.node->settings->actors.request_timeout, std::move(question),
                      answered, failed);
  }

  messages::verifier::pointer self_;
  verifier_resources resources_;
  std::optional<core::verification> report_;                              ///< the latest
  std::optional<verification_in_hand> hand_;                              ///< while it goes on
  std::unordered_map<std::uint64_t, std::shared_ptr<lookup_desk>> desks_; ///< with calls out, by their number
  std::uint32_t number_ = 0; ///< of the verification: answers to an earlier one are dropped
  std::uint64_t alarms_ = 0;
  core::duration asked_at_{}; ///< steady
};

[[nodiscard]] messages::verifier::behavior_type
verifier(messages::verifier::stateful_pointer<verifier_state> self, verifier_resources resources);

} // namespace sluice::actors
