#include "sim/simulation.hpp"

#include "storage/ledger.hpp"

#include <caf/mailbox_element.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace sluice::sim {

namespace m = messages;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t messages_max = 1'000'000; ///< in one moment
constexpr std::int64_t looks_every = 16;        ///< messages, at how many wait
constexpr core::duration rests_at_most = 6h;
constexpr core::duration rest_step = 10min;
/// A rule whose filter changed is swept at its next turn, which a clock set back puts off.
constexpr core::duration rests_at_least = 40min;

std::vector<target_facts> facts_of(const std::vector<plan::target>& targets) {
  std::vector<target_facts> facts;
  facts.reserve(targets.size());
  for (const auto& target : targets)
    facts.push_back(
        {{}, target.options.requests_per_minute, target.options.idempotency_key, target.options.lookup});
  return facts;
}

harness::world_options world_of(const plan& plan, std::uint64_t seed, std::optional<cage>& cage) {
  harness::world_options made;
  made.subscriptions = has_audience(seed);
  made.notifications = made.callbacks = has_mailroom(seed);
  made.settings = plan.settings;
  made.log_lines = 0;
  made.shape = [&cage](harness::node_parts& parts) {
    parts.make_adapter = simulated_adapters();
    if (cage)
      cage->shape(parts);
  };
  return made;
}

} // namespace

simulation::simulation(simulation_options options)
    : options_(std::move(options)), dice_(options_.seed), uuids_([this] { return dice_.roll(); }),
      faults_(dice_), plan_(draw_plan(dice_)),
      cage_(options_.broken ? std::optional<cage>{*options_.broken} : std::nullopt),
      checker_(checked_settings(plan_.settings), facts_of(plan_.targets)),
      event_checker_(checked_subscriptions(plan_.settings)),
      notification_checker_(checked_notifications(plan_.settings)),
      world_(world_of(plan_, options_.seed, cage_)) {
  report_.seed = options_.seed;
  report_.hours = options_.hours;
}

report simulation::run() {
  try {
    set_up();
    play();
  } catch (const harness::failure& failure) {
    checker_.never_ended(failure.what());
  }
  report_.found = checker_.found()         ? checker_.found()
                  : event_checker_.found() ? event_checker_.found()
                                           : notification_checker_.found();
  report_.found_in_hour = hour_;
  for (const auto& target : targets_)
    report_.calls += target->calls();
  report_.changes = source_ ? source_->changes() : 0;
  report_.acts = (operators_ ? operators_->acts() : 0) + (audience_ ? audience_->acts() : 0)
                 + (mailroom_ ? mailroom_->acts() : 0);
  report_.calls += (audience_ ? audience_->calls() : 0) + (mailroom_ ? mailroom_->calls() : 0);
  for (std::size_t i = 0; i < fault_count; ++i)
    report_.faults[i] = faults_.counted(static_cast<fault>(i))
                        + (audience_ ? audience_->its_faults().counted(static_cast<fault>(i)) : 0)
                        + (mailroom_ ? mailroom_->its_faults().counted(static_cast<fault>(i)) : 0);
  if (options_.log)
    options_.log(verdict(report_) + "\n" + summary(report_));
  return report_;
}

void simulation::set_up() {
  world_.its_stage().show_to(
      [this](caf::mailbox_element& element, const caf::abstract_actor& receiver) { saw(element, receiver); });
  world_.add_source("shop");
  source_ = std::make_unique<source>(dice_, faults_, world_, checker_, plan_.domains);
  if (options_.log)
    source_->log_to([this](const std::string& what) { note(what); });
  for (std::size_t i = 0; i < plan_.targets.size(); ++i) {
    auto& scripted = world_.add_target(plan_.targets[i].name, plan_.targets[i].options);
    checker_.target_is(i, world_.connection_id(plan_.targets[i].name));
    targets_.push_back(std::make_unique<target>(dice_, faults_, world_, checker_, i, scripted));
    if (options_.log)
      targets_.back()->log_to([this](const std::string& what) { note(what); });
  }
  if (has_audience(options_.seed))
    set_up_audience();
  if (has_mailroom(options_.seed))
    set_up_mailroom();
  // What was there before the first activation is a backfill's.
  for (std::int64_t left = dice_.between(0, 4); left > 0; --left)
    source_->change(dice_.below(40) + 1);
  for (const auto& rule : plan_.rules) {
    world_.add_rule(rule.name, rule.options);
    checker_.rule_is(facts_of(world_, rule));
  }
  operators_ =
      std::make_unique<operators>(dice_, world_, checker_, event_checker_, notification_checker_, plan_);
  if (audience_) {
    audience_->set_up();
    operators_->look_after(audience_->pushed_to());
  }
  began_at_ = world_.clock().steady();
}

void simulation::set_up_audience() {
  audience_ = std::make_unique<audience>(options_.seed, world_, event_checker_);
  source_->tell([this](const record_change& change) { event_checker_.changed(change, now()); });
  if (options_.log)
    audience_->log_to([this](const std::string& what) { note(what); });
}

void simulation::set_up_mailroom() {
  mailroom_ = std::make_unique<mailroom>(options_.seed, world_, notification_checker_);
  if (options_.log)
    mailroom_->log_to([this](const std::string& what) { note(what); });
  mailroom_->set_up();
}

void simulation::play() {
  for (hour_ = 1; hour_ <= options_.hours; ++hour_) {
    work_an_hour();
    if (failed())
      return;
  }
  rest();
  if (!failed())
    end();
}

void simulation::work_an_hour() {
  for (const auto& next : draw_hour()) {
    pass_to(next.at);
    if (failed())
      return;
    let_happen(next);
  }
  pass_to(began_at_ + hour_ * 1h);
}

/// No more faults and no more changes: now everything must come to an end.
void simulation::rest() {
  faults_.rest();
  note("rest");
  crash_in_ = 0;
  operators_->mend_all();
  if (audience_)
    audience_->rest();
  if (mailroom_)
    mailroom_->rest();
  auto began = world_.clock().steady();
  pass_to(began + rests_at_least);
  look();
  while (!failed() && !at_rest() && world_.clock().steady() < began + rests_at_most) {
    operators_
        ->mend_all(); // an answer on its way may have broken a connection, a last deletion tripped a hold
    if (audience_)
      audience_->rest();
    if (mailroom_)
      mailroom_->rest();
    pass_to(world_.clock().steady() + rest_step);
    look();
  }
  if (!failed() && !at_rest())
    checker_.never_ended("the world has not come to rest in " + core::to_text(rests_at_most));
}

void simulation::end() {
  for (const auto& rule : plan_.rules) {
    auto seen = observe(rule);
    auto held = targets_[rule.target]->held();
    checker_.ended(seen, held);
  }
  if (audience_)
    audience_->end();
  if (mailroom_)
    mailroom_->end();
}

bool simulation::at_rest() {
  return world_.live_stops().empty() && (!audience_ || audience_->at_rest())
         && (!mailroom_ || mailroom_->at_rest())
         && std::ranges::all_of(plan_.rules, [this](const plan::rule& rule) {
              auto cursor = world_.cursor(rule.name);
              auto due = world_.must(storage::next_due(world_.db(), world_.rule_id(rule.name)));
              return !due && !cursor.backfill_until && cursor.completed_counter == cursor.change_counter;
            });
}

void simulation::pass_to(core::duration end) {
  for (;;) {
    deliver_all();
    if (failed())
      return;
    auto posted = mailroom_ ? mailroom_->next_due() : std::nullopt;
    auto until = std::min(end, posted.value_or(end));
    if (!world_.wait_for_due(until) && until == end)
      return;
    heed_answers();
  }
}

void simulation::heed_answers() {
  operators_->heed_answers();
  if (audience_)
    audience_->heed_answers();
  if (mailroom_)
    mailroom_->pump();
}

void simulation::deliver_all() {
  for (std::size_t count = 0; !failed(); ++count) {
    auto crashes = crash_in_ == 1;
    if (crash_in_ > 0)
      --crash_in_;
    if (crashes)
      crash();
    if (!world_.deliver_next())
      return;
    heed_answers();
    if (count > messages_max)
      checker_.never_ended("no end of messages is in sight");
  }
}

void simulation::saw(caf::mailbox_element& element, const caf::abstract_actor& receiver) {
  if (++report_.messages % looks_every == 0) {
    auto waiting = world_.its_stage().waiting();
    report_.most_waiting = std::max(report_.most_waiting, static_cast<std::int64_t>(waiting));
    checker_.messages_wait(waiting);
  }
  if (cage_)
    cage_->alter(element, world_);
  if (options_.log)
    options_.log(to_string(world_.its_stage().line_of(element, &receiver)));
  note_calls(element, receiver);
}

void simulation::note_calls(caf::mailbox_element& element, const caf::abstract_actor&) {
  const auto& content = element.content();
  if (content.match_elements<m::place_calls>()) {
    const auto& calls = content.get_as<m::place_calls>(0).calls;
    if (!calls.empty() && calls.front().owner.rule())
      checker_.calls_out(calls.front().owner.rule(), calls_out_[calls.front().owner.rule()] += calls.size());
  } else if (content.match_elements<m::calls_answered>()) {
    const auto& answers = content.get_as<m::calls_answered>(0).answers;
    if (answers.empty() || !answers.front().owner.rule())
      return;
    auto& out = calls_out_[answers.front().owner.rule()];
    out -= std::min(out, answers.size());
  }
}

void simulation::note(const std::string& what) {
  if (options_.log)
    options_.log(core::to_rfc3339(world_.now()).substr(11) + "  -- " + what);
}

moment simulation::now() {
  return {world_.clock().steady(), world_.now()};
}

} // namespace sluice::sim
