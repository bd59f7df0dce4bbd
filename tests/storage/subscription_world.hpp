#pragma once

#include "core/event_delivery.hpp"
#include "core/fan_out.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/events.hpp"
#include "storage/fan_out.hpp"
#include "storage/subscriptions.hpp"
#include "tests/storage/delivery_world.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

/// A world whose tenant "acme" has subscriptions. Each step is a transaction of its own.
struct subscription_world : delivery_world {
  using delivery_world::delivery_world;

  static core::subscription wanted(const std::string& name,
                                   core::subscription_mode mode = core::subscription_mode::push) {
    core::subscription made;
    made.tenant = "acme";
    made.name = name;
    made.mode = mode;
    if (mode == core::subscription_mode::push)
      made.url = "https://hooks.example.com/sluice";
    return made;
  }

  core::subscription subscribe(const core::subscription& what, core::timestamp now = at()) {
    return committed(db(), [&](storage::session& within) {
      return storage::make_subscription(within, what, "whsec_" + what.name, keys(), now);
    });
  }

  core::subscription subscribe(const std::string& name,
                               core::subscription_mode mode = core::subscription_mode::push) {
    return subscribe(wanted(name, mode));
  }

  storage::result<core::published_event> publish(const core::event_to_publish& what,
                                                 core::timestamp now = at()) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::publish_event(within, what, now); });
  }

  static core::event_to_publish event(const std::string& type, const std::string& body = "{}") {
    core::event_to_publish made;
    made.tenant = "acme";
    made.type = type;
    made.body = body;
    return made;
  }

  std::int64_t sequence(std::int64_t limit = 1000, core::timestamp now = at()) {
    return committed(db(),
                     [&](storage::session& within) { return storage::sequence_events(within, limit, now); });
  }

  /// So many published events, sequenced; returns the first one's position.
  std::int64_t publish_many(int count, core::timestamp now = at()) {
    const auto before = must(storage::read_fan_out_place(db())).sequenced.value;
    for (int n = 0; n < count; ++n)
      must(publish(event("orders.created", R"({"n":)" + std::to_string(n) + "}"), now));
    sequence(count, now);
    return before + 1;
  }

  std::vector<core::change_event> events() { return must(storage::read_events(db(), {}, 1000, 1 << 20)); }

  bool write(const core::fan_out_batch& batch, core::timestamp now = at()) {
    return committed(db(),
                     [&](storage::session& within) { return storage::write_fan_out(within, batch, now); });
  }

  /// Everything sequenced that is not fanned out goes to one subscription, by these keys in turn.
  void fan_out_to(const core::subscription& to, const std::vector<std::optional<std::string>>& keys = {},
                  core::timestamp now = at()) {
    const auto place = must(storage::read_fan_out_place(db()));
    core::fan_out_batch batch{.from = place.cursor, .to = {place.sequenced, {}}, .deliveries = {}};
    for (auto position = place.cursor.position.value + 1; position <= place.sequenced.value; ++position) {
      const auto n = batch.deliveries.size();
      batch.deliveries.push_back({.subscription = to.id,
                                  .position = {position},
                                  .mode = to.mode,
                                  .passes = true,
                                  .ordering_key = n < keys.size() ? keys[n] : std::nullopt});
    }
    REQUIRE(write(batch, now));
  }

  static core::claim_wish wish(const core::subscription& of, std::int64_t limit = 100) {
    core::claim_wish made;
    made.subscription = of.id;
    made.limit = limit;
    made.lease = std::chrono::seconds{30};
    return made;
  }

  core::delivery_claims claim(const core::claim_wish& how, core::timestamp now) {
    return committed(db(),
                     [&](storage::session& within) { return storage::claim_deliveries(within, how, now); });
  }

  static core::ended_attempt ended(const core::claimed_delivery& of, core::attempt_ending how,
                                   std::optional<core::timestamp> retry_at = std::nullopt) {
    core::ended_attempt made;
    made.position = of.event.position;
    made.end = {of.claim.number, how, retry_at, {}, {}};
    if (how != core::attempt_ending::acknowledged) {
      made.end.error_class = "http_503";
      made.end.error = "The subscriber answered 503.";
    }
    made.status = how == core::attempt_ending::acknowledged ? 204 : 503;
    made.took = std::chrono::milliseconds{7};
    return made;
  }

  core::attempts_recorded record(const core::subscription& of, const std::vector<core::ended_attempt>& what,
                                 core::timestamp now, std::int32_t threshold = 20) {
    return committed(db(), [&](storage::session& within) {
      return storage::record_attempt_ends(within, of.id, what, threshold, now);
    });
  }

  core::event_delivery delivery(const core::subscription& of, std::int64_t position) {
    core::event_delivery_page page;
    page.subscription = of.id;
    page.before = {position + 1};
    page.limit = 1;
    auto found = must(storage::list_event_deliveries(db(), page));
    REQUIRE(found.size() == 1);
    REQUIRE(found.front().position.value == position);
    return found.front();
  }

  core::delivery_state state(const core::subscription& of, std::int64_t position) {
    return delivery(of, position).progress.state;
  }

  std::vector<core::delivery_attempt> attempts(const core::subscription& of, std::int64_t position) {
    return must(storage::list_attempts(db(), of.id, {position}, 0, 100));
  }

  core::subscription stored(const core::subscription& of) {
    auto found = must(storage::find_subscription(db(), of.public_id, {}, keys()));
    REQUIRE(found);
    return *found;
  }

  bool set_status(const core::subscription& of, core::subscription_status from, core::subscription_status to,
                  core::timestamp now = at()) {
    core::subscription_status_change change;
    change.subscription = of.id;
    change.from = from;
    change.to = to;
    if (to == core::subscription_status::disabled)
      change.cause = core::disable_cause::person;
    return committed(db(), [&](storage::session& within) {
      return storage::set_subscription_status(within, change, now);
    });
  }
};

inline std::vector<std::int64_t> positions(const core::delivery_claims& claims) {
  std::vector<std::int64_t> found;
  for (const auto& one : claims.deliveries)
    found.push_back(one.event.position.value);
  return found;
}

} // namespace sluice::tests
