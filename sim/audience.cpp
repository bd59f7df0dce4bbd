#include "sim/audience.hpp"

#include "crypto/encoding.hpp"
#include "sim/plan.hpp"
#include "storage/events.hpp"
#include "storage/subscriptions.hpp"

#include <algorithm>
#include <numeric>

namespace sluice::sim {

using namespace std::chrono_literals;

namespace {

constexpr const char* tenant = "acme";
constexpr double subscribed_seeds = 0.15; ///< each costs as much time as eight others
constexpr std::int64_t publications_an_hour = 40;
constexpr std::int64_t reads_an_hour = 6;
constexpr std::size_t ids_published_of = 5;

/// Another sequence than the world's.
dice dice_of(std::uint64_t seed) {
  return dice{seed * 0x9e3779b97f4a7c15U + 1};
}

} // namespace

bool has_audience(std::uint64_t seed) {
  auto from = dice_of(seed);
  return from.chance(subscribed_seeds);
}

event_checker_settings checked_subscriptions(const config::settings& settings) {
  const auto& of = settings.subscriptions;
  return {of.retry_schedule, of.asked_beyond_max, of.lease};
}

audience::audience(std::uint64_t seed, harness::world& world, event_checker& checker)
    : dice_(dice_of(seed)), faults_(dice_, fault_count_of_events), world_(world), checker_(checker) {}

void audience::note(const std::string& what) const {
  if (log_)
    log_(what);
}

/// One takes all there is: what happens to any record is an event.
void audience::set_up() {
  subscribe({{}, "all", false, {"*"}, false, dice_.chance(0.3)});
  if (dice_.chance(0.7))
    subscribe({{}, "ordered", false, {"*"}, dice_.chance(0.5), true});
  if (dice_.chance(0.5))
    subscribe({{}, "some", false, {"customers.*", "app.paid"}, dice_.chance(0.5), false});
  if (dice_.chance(0.7))
    subscribe({{}, "pulled", true, {"*"}, dice_.chance(0.5), false});
  checker_.begin();
}

std::string audience::fresh_secret() {
  std::string bytes(32, '\0');
  std::ranges::generate(bytes, [this] { return static_cast<char>(dice_.below(256)); });
  return "whsec_" + crypto::to_base64(bytes);
}

void audience::subscribe(subscription_facts facts) {
  core::subscription wanted;
  subscription made;
  wanted.tenant = tenant;
  wanted.name = facts.name;
  wanted.event_types = facts.types;
  if (facts.filtered)
    wanted.filter = tier_filter;
  if (facts.ordered)
    wanted.ordered_by = "/id";
  if (facts.pulls) {
    wanted.mode = core::subscription_mode::pull;
  } else {
    auto& scripted = world_.add_target(facts.name);
    wanted.url = scripted.address() + "/events";
    made.receiver = std::make_unique<subscriber>(dice_, faults_, world_, checker_, scripted);
    if (log_)
      made.receiver->log_to(log_);
  }
  auto secret = facts.pulls ? std::string{} : fresh_secret();
  auto stored = world_.must(storage::transact(world_.db(), [&](storage::session& db) {
    return storage::make_subscription(db, wanted, secret, *world_.keys(), world_.now());
  }));
  facts.subscription = stored.id;
  if (made.receiver)
    made.receiver->receive_for(stored.id);
  checker_.subscribed(facts, secret, now());
  made.facts = std::move(facts);
  subscriptions_.push_back(std::move(made));
  world_.hint();
}

std::vector<std::pair<core::duration, audience_event>> audience::draw_hour(core::duration begin) {
  std::vector<std::pair<core::duration, audience_event>> events;
  auto draw = [&](audience_event what) { events.emplace_back(begin + dice_.between(0s, 59min), what); };
  for (auto left = publications_an_hour; left > 0; --left)
    draw(audience_event::application_publishes);
  for (auto left = reads_an_hour; left > 0; --left)
    draw(audience_event::owners_read);
  for (auto left = dice_.between(1, 4); left > 0; --left)
    draw(audience_event::people_act);
  constexpr std::pair<fault, audience_event> kinds[] = {
      {fault::subscriber_down, audience_event::subscriber_goes_down},
      {fault::fan_out_died, audience_event::fan_out_dies},
      {fault::subscription_actor_died, audience_event::subscription_actor_dies},
  };
  for (const auto& [what, how] : kinds) {
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (dice_.chance(faults_.probability(what)))
        draw(how);
    }
  }
  return events;
}

void audience::let_happen(audience_event what) {
  const auto& one = dice_.pick(subscriptions_);
  switch (what) {
  case audience_event::application_publishes:
    publish();
    break;
  case audience_event::people_act:
    act();
    break;
  case audience_event::owners_read:
    read_all();
    break;
  case audience_event::subscriber_goes_down:
    if (!one.receiver)
      return;
    note("subscriber " + one.facts.name + " goes down");
    faults_.count(fault::subscriber_down);
    one.receiver->go_down(dice_.between(10s, 10min));
    break;
  case audience_event::fan_out_dies:
    get_to_work();
    note("fan-out dies");
    faults_.count(fault::fan_out_died);
    world_.kill(world_.fan_out());
    break;
  case audience_event::subscription_actor_dies:
    get_to_work();
    kill_a_pusher();
    break;
  }
}

/// Something is published, and the node gets into the middle of fanning out or pushing it.
void audience::get_to_work() {
  publish();
  for (auto left = dice_.between(5, 45); left > 0 && world_.deliver_next(); --left) {
  }
}

/// One has an actor while it is its turn.
void audience::kill_a_pusher() {
  for (const auto& each : subscriptions_) {
    auto actor = world_.subscription_actor(each.facts.subscription);
    if (!actor)
      continue;
    note("the actor of subscription " + each.facts.name + " dies");
    faults_.count(fault::subscription_actor_died);
    checker_.lost(now());
    return world_.kill(actor);
  }
}

/// White space and digits are the application's own.
void audience::publish() {
  constexpr const char* types[] = {"app.paid", "app.shipped", "news"};
  auto number = std::to_string(++published_);
  auto about = "p-" + std::to_string(dice_.below(ids_published_of));
  auto passes = dice_.chance(0.7);
  core::event_to_publish wanted;
  wanted.tenant = tenant;
  wanted.type = dice_.pick(types);
  wanted.body = R"({ "id":")" + about + R"(", "n":)" + number + R"(,"amount" : 10.5000000000000000000)"
                + number + R"(, "tier":")" + (passes ? "a" : "b") + "\" }";
  wanted.idempotency_key = "publication " + number;
  note("an application publishes " + wanted.body);
  checker_.published(wanted.type, about, passes, wanted.body, now());
  for (auto left = faults_.strikes(fault::published_twice) ? 2 : 1; left > 0; --left)
    world_.must(storage::transact(
        world_.db(), [&](storage::session& db) { return storage::publish_event(db, wanted, world_.now()); }));
  world_.hint();
}

std::vector<core::subscription_id> audience::pushed_to() const {
  std::vector<core::subscription_id> found;
  for (const auto& each : subscriptions_) {
    if (each.receiver)
      found.push_back(each.facts.subscription);
  }
  return found;
}

std::int64_t audience::calls() const {
  return std::accumulate(subscriptions_.begin(), subscriptions_.end(), std::int64_t{0},
                         [](std::int64_t sum, const subscription& each) {
                           return sum + (each.receiver ? each.receiver->calls() : 0);
                         });
}

} // namespace sluice::sim
