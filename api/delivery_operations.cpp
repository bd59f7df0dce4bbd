#include "api/operations.hpp"
#include "api/subscription_parts.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

void list_deliveries(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "before");
  const auto word = query_text(asked, "state");
  core::event_delivery_page page;
  page.state = core::parse_delivery_state(word);
  if (!place || (!word.empty() && !page.state)) {
    answer(as_response(place ? invalid_member("state", "state must be pending, delivered, retrying, failed, "
                                                       "dead or skipped_filter")
                             : place.error()));
    return;
  }
  page.before = {place->from};
  page.limit = place->limit;
  with_subscription(at, asked, answer, [&at, answer, page](core::subscription& one) {
    auto question = m::list_deliveries{page};
    question.page.subscription = one.id;
    at.show<m::deliveries_listed>(
        at.links().subscription_overview, question, answer,
        [limit = page.limit](const m::deliveries_listed& listed) {
          return listed_view("deliveries", "next_before", listed.deliveries, limit, event_delivery_view,
                             [](const auto& delivery) { return delivery.position.value; });
        });
  });
}

void show_delivery(desk& at, const request& asked, const responder& answer) {
  with_delivery(at, asked, answer, [answer](const core::subscription&, core::event_delivery& delivery) {
    answer(json_response(event_delivery_view(delivery)));
  });
}

void list_attempts(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "after");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  with_subscription(
      at, asked, answer,
      [&at, answer, event = asked.parameters.at("event"), place = *place](core::subscription& one) {
        at.show<m::attempts_listed>(
            at.links().subscription_overview, m::list_attempts{one.id, event, place.from, place.limit},
            answer, [limit = place.limit](const m::attempts_listed& listed) {
              return listed_view("attempts", "next_after", listed.attempts, limit, attempt_view,
                                 [](const auto& attempt) { return attempt.number; });
            });
      });
}

/// Answered once it is pending again.
void retry(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_delivery(
      at, asked, answer, [&at, answer, by](const core::subscription& one, core::event_delivery& delivery) {
        core::delivery_restart wanted{one.id, delivery.position, core::operator_request::retry, by};
        at.show<core::event_delivery>(at.links().push_dispatcher, m::restart_delivery{std::move(wanted)},
                                      answer, event_delivery_view);
      });
}

} // namespace

void add_delivery_operations(router& to) {
  const std::string all = "/v1/subscriptions/{subscription}/deliveries";
  to.add("GET", all, access::viewer, list_deliveries);
  to.add("GET", all + "/{event}", access::viewer, show_delivery);
  to.add("GET", all + "/{event}/attempts", access::viewer, list_attempts);
  to.add("POST", all + "/{event}/retry", access::operate, retry);
}

} // namespace sluice::api
