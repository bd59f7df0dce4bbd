#include "sim/mailroom.hpp"

#include "core/contact_normalisation.hpp"
#include "providers/notification_adapter.hpp"
#include "sim/provider_keys.hpp"
#include "storage/contact_points.hpp"
#include "storage/notification_routes.hpp"
#include "storage/notifications.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <numeric>

namespace sluice::sim {

using namespace std::chrono_literals;
using core::contact_kind;
using core::provider_kind;
namespace m = messages;

namespace {

constexpr const char* tenant = "acme";
constexpr double seeds_with_notifications = 0.12; ///< each costs as much time as seven others
constexpr std::int64_t notifications_an_hour = 60;
constexpr std::size_t contacts_of_a_kind = 6;

/// Another sequence than the world's and than that of those around subscriptions.
dice dice_of(std::uint64_t seed) {
  return dice{seed * 0xd1342543de82ef95U + 3};
}

crypto::key_ring finding_keys() {
  const std::vector<crypto::named_key> keys{{"finds", std::string(64, '7')}};
  return crypto::key_ring::read(keys).value();
}

} // namespace

bool has_mailroom(std::uint64_t seed) {
  auto from = dice_of(seed);
  return from.chance(seeds_with_notifications);
}

notification_checker_settings checked_notifications(const config::settings& settings) {
  return {settings.notifications.retry_schedule, settings.notifications.asked_beyond_max};
}

actors::adapter_maker simulated_adapters() {
  return [](const core::provider_profile& of) {
    return providers::make_notification_adapter(of, {callbacks_at + of.public_id});
  };
}

mailroom::mailroom(std::uint64_t seed, harness::world& world, notification_checker& checker)
    : dice_(dice_of(seed)), faults_(dice_, fault_count), world_(world), checker_(checker),
      fingerprints_(finding_keys()) {}

void mailroom::note(const std::string& what) const {
  if (log_)
    log_(what);
}

void mailroom::log_to(std::function<void(const std::string&)> log) {
  log_ = std::move(log);
}

void mailroom::set_up() {
  for (std::size_t i = 0; i < core::provider_kinds; ++i) {
    auto kind = static_cast<provider_kind>(i);
    providers_.push_back(std::make_unique<provider>(kind, dice_, faults_, world_, checker_));
    providers_.back()->tell([this](const provider::message& of) { plan(of); });
    if (log_)
      providers_.back()->log_to(log_);
  }
  auto& sns = world_.add_endpoint("sns", sns_address);
  sns.on("GET", harness::answer(200, sns_certificate));
  using enum provider_kind;
  make_route(contact_kind::email, {ses, smtp, webhook});
  make_route(contact_kind::email, {smtp, ses});
  make_route(contact_kind::phone, {twilio, webhook});
  make_route(contact_kind::phone, {twilio});
  make_route(contact_kind::fcm_installation, {fcm, webhook});
  make_route(contact_kind::apns_token, {apns, webhook});
  make_route(contact_kind::web_push, {web_push, webhook});
  make_route(contact_kind::other, {webhook});
}

void mailroom::make_route(contact_kind reaches, std::vector<provider_kind> over) {
  route made;
  made.reaches = reaches;
  core::notification_route wanted;
  wanted.tenant = tenant;
  wanted.name = "route " + std::to_string(routes_.size());
  for (auto kind : over) {
    made.providers.push_back(static_cast<std::size_t>(kind));
    wanted.steps.push_back({std::string{to_string(kind)}, {}, {}});
  }
  made.id = world_
                .must(storage::transact(world_.db(),
                                        [&](storage::session& db) {
                                          return storage::make_notification_route(db, wanted, world_.now());
                                        }))
                .id;
  routes_.push_back(std::move(made));
}

std::vector<std::pair<core::duration, mail_event>> mailroom::draw_hour(core::duration begin) {
  std::vector<std::pair<core::duration, mail_event>> events;
  auto draw = [&](mail_event what) { events.emplace_back(begin + dice_.between(0s, 59min), what); };
  for (auto left = notifications_an_hour; left > 0; --left)
    draw(mail_event::somebody_is_told);
  for (auto left = dice_.between(2, 8); left > 0; --left)
    draw(mail_event::people_act);
  constexpr std::pair<fault, mail_event> kinds[] = {
      {fault::provider_down, mail_event::provider_goes_down},
      {fault::notifier_died, mail_event::notifier_dies},
      {fault::reconciler_died, mail_event::reconciler_dies},
  };
  for (const auto& [what, how] : kinds) {
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (dice_.chance(faults_.probability(what)))
        draw(how);
    }
  }
  return events;
}

void mailroom::let_happen(mail_event what) {
  switch (what) {
  case mail_event::somebody_is_told:
    somebody_is_told();
    break;
  case mail_event::people_act:
    act();
    break;
  case mail_event::provider_goes_down: {
    auto& one = *dice_.pick(providers_);
    note("provider " + one.name() + " goes down");
    faults_.count(fault::provider_down);
    one.go_down(dice_.between(10s, 10min));
    break;
  }
  case mail_event::notifier_dies:
    get_to_work();
    kill_a_notifier();
    break;
  case mail_event::reconciler_dies:
    get_to_work();
    note("the reconciler dies");
    faults_.count(fault::reconciler_died);
    world_.kill(world_.reconciler());
    break;
  }
}

/// The node gets into the middle of sending.
void mailroom::get_to_work() {
  somebody_is_told();
  for (auto left = dice_.between(3, 25); left > 0 && world_.deliver_next(); --left) {
  }
}

/// One has a notifier while it is its turn.
void mailroom::kill_a_notifier() {
  for (const auto& each : providers_) {
    auto actor = world_.notifier(each->profile());
    if (!actor)
      continue;
    note("the notifier of " + each->name() + " dies");
    faults_.count(fault::notifier_died);
    checker_.lost();
    return world_.kill(actor);
  }
}

core::contact_point_id mailroom::contact_for(contact_kind kind, std::int64_t notification) {
  auto number = kind == contact_kind::web_push ? notification
                                               : static_cast<std::int64_t>(dice_.below(contacts_of_a_kind));
  auto address = core::normalise_contact(kind, contact_text(kind, number));
  if (!address)
    world_.fail("an address of the simulation is none: " + address.error());
  core::contact_wish wish;
  wish.tenant = tenant;
  wish.address = *address;
  wish.by = "an application";
  return world_
      .must(storage::transact(world_.db(),
                              [&](storage::session& db) {
                                return storage::find_or_create_contact_point(
                                    db, wish, {*world_.keys(), fingerprints_}, world_.now());
                              }))
      .record.id;
}

/// Who asked may ask again, and now and then nobody tells the node of it.
void mailroom::somebody_is_told() {
  auto number = ++told_;
  const auto& over = dice_.pick(routes_);
  core::notification_wish wish;
  wish.tenant = tenant;
  wish.idempotency_key = "wish " + std::to_string(number);
  wish.request_digest = wish.idempotency_key;
  wish.contact = contact_for(over.reaches, number);
  wish.route = over.id;
  wish.content.subject = wish.content.title = "Your order";
  wish.content.text = "It is on its way: " + marked_text(number);
  if (dice_.chance(0.15))
    wish.expires_at = world_.now() + dice_.between(1min, 20min);
  checker_.posted(number, over.providers);
  for (auto left = faults_.strikes(fault::published_twice) ? 2 : 1; left > 0; --left) {
    auto made = world_.must(storage::transact(world_.db(), [&](storage::session& db) {
      return storage::make_notification(db, wish, *world_.keys(), world_.now());
    }));
    number_of_[made.record.id] = number;
    if (made.record.progress.due_at && dice_.chance(0.9))
      caf::anon_send(world_.notification_dispatcher(),
                     m::notifications_due{{{made.record.profile, *made.record.progress.due_at}}});
  }
  note("notification " + std::to_string(number) + " is wanted");
}

std::int64_t mailroom::calls() const {
  return std::accumulate(providers_.begin(), providers_.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& each) { return sum + each->calls(); });
}

} // namespace sluice::sim
