#include "api/operations.hpp"
#include "api/subscription_parts.hpp"

#include <limits>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::int64_t covered_rows = 5000; ///< deliveries in one transaction
constexpr auto position_max = std::numeric_limits<std::int64_t>::max();

bool pulls(const core::subscription& one, const responder& answer) {
  if (one.mode == core::subscription_mode::pull)
    return true;
  answer(as_response(conflict("its events are pushed; a pull subscription's are read")));
  return false;
}

problem no_longer_retained(core::event_position earliest) {
  problem made{410,
               "gone",
               "What was asked for is retained no more.",
               "events behind this cursor were removed; the earliest cursor that can be read from is "
                   + std::to_string(earliest.value),
               {},
               {}};
  made.members["earliest"] = earliest.value;
  return made;
}

/// Without `after`, from its cursor on.
void read_events(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "after");
  if (!place) {
    answer(as_response(place.error()));
    return;
  }
  const auto from_cursor = query_text(asked, "after").empty();
  with_subscription(at, asked, answer, [&at, answer, place = *place, from_cursor](core::subscription& one) {
    if (!pulls(one, answer))
      return;
    m::read_pull question;
    question.wish.subscription = one.id;
    question.wish.after = from_cursor ? one.cursor : core::event_position{place.from};
    question.wish.limit = place.limit;
    at.ask<core::pull_page>(
        at.links().subscription_registrar, question, answer, [answer](core::pull_page& page) {
          response made;
          made.body = pull_page_text(page);
          answer(page.gone ? as_response(no_longer_retained(page.earliest)) : std::move(made));
        });
  });
}

problem not_advanced(const core::pull_advanced& done) {
  auto made = conflict("the cursor is " + std::to_string(done.cursor.value) + ", and not where `from` says");
  if (done.verdict == core::cursor_verdict::beyond)
    made.detail = "events were offered up to " + std::to_string(done.offered.value)
                  + "; a cursor goes no further than what was read";
  if (done.verdict == core::cursor_verdict::backward)
    made.detail = "the cursor is " + std::to_string(done.cursor.value) + " and only goes forward";
  made.members["cursor"] = done.cursor.value;
  made.members["offered"] = done.offered.value;
  return made;
}

/// One transaction after the other, so that a long way holds nobody else up. Each begins where the one before
/// ended: somebody else who moves the cursor meanwhile is met as at the first.
void advance(desk& at, const core::pull_advance& wanted, std::int64_t covered, const responder& answer) {
  at.ask<core::pull_advanced>(
      at.links().subscription_registrar, m::advance_cursor{wanted}, answer,
      [&at, wanted, covered, answer](core::pull_advanced& done) {
        const auto all = covered + done.covered;
        if (done.verdict != core::cursor_verdict::advanced) {
          answer(as_response(not_advanced(done)));
        } else if (done.through) {
          answer(json_response(
              {{"cursor", done.cursor.value}, {"offered", done.offered.value}, {"covered", all}}));
        } else {
          auto rest = wanted;
          rest.from = done.cursor;
          advance(at, rest, all, answer);
        }
      });
}

void move_cursor(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  core::pull_advance wanted;
  wanted.from = {body.number("from", 0, position_max)};
  wanted.to = {body.number("to", 0, position_max)};
  wanted.limit = covered_rows;
  if (refused(body.finish(), answer))
    return;
  with_subscription(at, asked, answer, [&at, answer, wanted](core::subscription& one) {
    if (!pulls(one, answer))
      return;
    auto act = wanted;
    act.subscription = one.id;
    advance(at, act, 0, answer);
  });
}

} // namespace

void add_pull_operations(router& to) {
  // Reading is remembered: a viewer changes nothing.
  to.add("GET", "/v1/subscriptions/{subscription}/events", access::operate, read_events);
  to.add("POST", "/v1/subscriptions/{subscription}/cursor", access::operate, move_cursor);
}

} // namespace sluice::api
