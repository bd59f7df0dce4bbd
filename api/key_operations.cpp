#include "api/notification_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::int64_t rows_max = 1000; ///< of a step, which is one transaction
constexpr std::size_t key_bytes_max = 32;

void show(desk& at, const request& asked, const responder& answer) {
  if (refused(limited_to_tenants(asked.who), answer))
    return;
  at.show<m::key_uses_counted>(at.links().notification_overview, m::count_key_uses{}, answer,
                               [](const m::key_uses_counted& counted) { return key_uses_view(counted); });
}

core::resealing_order order_of(body_reader& body) {
  core::resealing_order order;
  const auto thing = core::parse_keyed_thing(body.text("thing", 1, 40));
  if (!thing)
    body.refuse("thing", "thing must be " + words_of<core::keyed_thing>(core::keyed_things));
  order.thing = thing.value_or(core::keyed_thing::contact_addresses);
  order.key = body.text("key", 1, key_bytes_max);
  order.after_id = body.optional_number("after", 0, std::numeric_limits<std::int64_t>::max()).value_or(0);
  order.limit = body.optional_number("limit", 1, rows_max).value_or(order.limit);
  return order;
}

/// One step; whoever asks goes on at `next` until there is none.
void reseal(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  m::reseal_step act{order_of(body), {}};
  act.by = actor_of(asked, body);
  if (refused(body.finish(), answer) || refused(limited_to_tenants(asked.who), answer))
    return;
  at.ask<core::resealing_step>(
      at.links().notification_registrar, std::move(act), answer, [answer](core::resealing_step& done) {
        answer(json_response({{"renewed", done.renewed},
                              {"changed_meanwhile", done.changed_meanwhile},
                              {"unopened", done.unopened},
                              {"taken", done.taken},
                              {"next", done.through ? json(nullptr) : json(done.last_id)}}));
      });
}

} // namespace

void add_key_operations(router& to) {
  to.add("GET", "/v1/keys", access::administer, show);
  to.add("POST", "/v1/keys/reseal", access::administer, reseal);
}

} // namespace sluice::api
