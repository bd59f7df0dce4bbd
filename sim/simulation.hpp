#pragma once

#include "crypto/random.hpp"
#include "harness/world.hpp"
#include "sim/audience.hpp"
#include "sim/canary.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/event_checker.hpp"
#include "sim/faults.hpp"
#include "sim/mailroom.hpp"
#include "sim/notification_checker.hpp"
#include "sim/operators.hpp"
#include "sim/plan.hpp"
#include "sim/report.hpp"
#include "sim/source.hpp"
#include "sim/target.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/mailbox_element.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::sim {

struct simulation_options {
  std::uint64_t seed = 1;
  int hours = 6;
  std::optional<canary> broken;
  std::function<void(std::string_view line)> log; ///< empty: nothing is written, which is much faster
};

/// One seed: a world drawn from it, hours of work with everything going wrong, then a quiet phase in which
/// all of it must come to rest. Hours follow each other alike, so a shorter run is a longer one's beginning.
class simulation {
public:
  explicit simulation(simulation_options options);

  /// Once. Ends with the first violation.
  [[nodiscard]] report run();

private:
  enum class happening : std::uint8_t {
    records_change,
    operators_act,
    operators_stop,
    operators_stop_amid_work,
    operators_resume,
    operators_count_backfill,
    operators_start_backfill,
    operators_abort_backfill,
    node_crashes,
    lease_is_lost,
    rule_actor_dies,
    clock_goes_forward,
    clock_goes_back,
    target_forgets,
    tokens_are_revoked,
    target_goes_down,
    flood_begins,
    somebody_looks,
    audience_acts,
    mailroom_acts,
  };
  struct event {
    core::duration at{};
    happening what = happening::records_change;
    std::size_t count = 0;     ///< of records
    audience_event audience{}; ///< where it acts …
    mail_event mail{};         ///< … or they do
  };

  void set_up();
  void set_up_audience();
  void set_up_mailroom();
  void play();
  void work_an_hour();
  void rest();
  void end();

  // simulation_events.cpp
  [[nodiscard]] std::vector<event> draw_hour();
  void draw_flurries(std::vector<event>& into, core::duration begin, core::duration length,
                     std::size_t changes);
  void draw_others(std::vector<event>& into, core::duration begin);
  void draw_acts(std::vector<event>& into, core::duration begin);
  void draw_quarter(std::vector<event>& into, core::duration begin);
  void let_happen(const event& what);
  void let_operators(happening what);
  /// Records change, and the node gets into the middle of delivering them.
  void get_to_work();
  void crash();
  void lose_everything();
  void people_forget();
  void lose_the_lease();
  void kill_a_rule();
  void set_clock(core::duration by);

  /// Time passes until then; messages are delivered one at a time, and a crash may come between any two.
  void pass_to(core::duration end);
  void deliver_all();
  void heed_answers();
  void saw(caf::mailbox_element& element, const caf::abstract_actor& receiver);
  void note_calls(caf::mailbox_element& element, const caf::abstract_actor& receiver);
  [[nodiscard]] bool at_rest();

  // simulation_looks.cpp
  void look();
  [[nodiscard]] observation observe(const plan::rule& rule);
  [[nodiscard]] std::string state_text();

  void note(const std::string& what);
  [[nodiscard]] moment now();
  [[nodiscard]] bool failed() const {
    return checker_.found() || event_checker_.found() || notification_checker_.found();
  }

  simulation_options options_;
  dice dice_;
  crypto::uuid_stand_in uuids_;
  faults faults_;
  plan plan_;
  std::optional<cage> cage_;
  checker checker_;
  event_checker event_checker_;
  notification_checker notification_checker_;
  harness::world world_;
  std::vector<std::unique_ptr<target>> targets_;
  std::unique_ptr<source> source_;
  std::unique_ptr<operators> operators_;
  std::unique_ptr<audience> audience_; ///< of a world with subscriptions
  std::unique_ptr<mailroom> mailroom_; ///< of a world with notifications
  report report_;
  core::duration began_at_{};
  int hour_ = 0;
  std::vector<event> carried_; ///< what an hour drew for the next one
  std::int64_t crash_in_ = 0;  ///< messages; 0: none is near
  std::unordered_map<core::rule_id, std::size_t> calls_out_;
};

} // namespace sluice::sim
