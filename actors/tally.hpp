#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"
#include "messages/tally.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <map>
#include <optional>
#include <vector>

/// The tally: how many rows of a rule have which status. The operator API asks it; it asks an overview that
/// serves nobody else, so that counting a million rows holds up neither a person nor a rule.
///
///   unknown --asked--> counting --counted--> kept --asked: dear and young--> told as it was
///                         ^------------------- asked: cheap or old -----------+
///
/// core/kept_count.hpp decides which. It keeps counts in memory alone, and none that nobody asks for.
namespace sluice::actors {

struct tally_resources {
  messages::overview counting; ///< its own
  const core::time_source* time = nullptr;
  core::duration patience{}; ///< for one count
};

class tally_state {
public:
  static constexpr const char* name = "tally";

  explicit tally_state(messages::tally::pointer self) : self_(self) {}

  messages::tally::behavior_type behavior(tally_resources resources);

private:
  using promise = caf::typed_response_promise<messages::ledger_counted>;

  struct count {
    std::optional<messages::ledger_counted> last;
    core::duration began{}; ///< of `last`, by the steady clock
    core::duration took{};
    bool counting = false;
    std::vector<promise> waiting;
  };

  caf::result<messages::ledger_counted> on_count_ledger(const messages::count_ledger& ask);

  void renew(core::rule_id rule, count& of);
  void on_counted(core::rule_id rule, core::duration began, const messages::ledger_counted& counted);
  void on_failed(core::rule_id rule, const caf::error& why);
  void forget_old();

  messages::tally::pointer self_;
  tally_resources resources_;
  std::map<core::rule_id, count> counts_;
};

[[nodiscard]] messages::tally::behavior_type tally(messages::tally::stateful_pointer<tally_state> self,
                                                   tally_resources resources);

} // namespace sluice::actors
