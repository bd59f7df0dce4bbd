#include "api/operation_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr auto count_max = std::numeric_limits<std::int64_t>::max();

void show_backfill(desk& at, const request& asked, const responder& answer) {
  at.with_rule(asked, answer, [&at, answer](m::rule_found& found) {
    at.show<m::backfill_read>(
        at.links().reader, m::read_backfill{found.rule.id}, answer, [](const m::backfill_read& read) {
          const auto view = [](const auto& confirmation) {
            return confirmation ? confirmation_view(*confirmation) : json(nullptr);
          };
          return json{{"progress", read.progress ? progress_view(*read.progress) : json(nullptr)},
                      {"confirmation", view(read.confirmation)},
                      {"latest_into_target", view(read.latest)}};
        });
  });
}

/// Counted against the bound the query names, or now.
void preview(desk& at, const request& asked, const responder& answer) {
  const auto until_text = query_text(asked, "until");
  const auto resend = query_text(asked, "resend");
  auto until = until_text.empty() ? std::expected<core::timestamp, std::string>{at.now()}
                                  : core::parse_rfc3339(until_text);
  if (!until) {
    answer(as_response(invalid_member("until", "until must be a time such as 2026-01-31T12:00:00Z")));
    return;
  }
  if (!resend.empty() && resend != "true" && resend != "false") {
    answer(as_response(invalid_member("resend", "resend must be true or false")));
    return;
  }
  at.with_rule(asked, answer, [&at, answer, until = *until, resend = resend == "true"](m::rule_found& found) {
    at.show<core::backfill_preview>(at.links().reader, m::preview_backfill{found.rule.id, until, resend},
                                    answer, preview_view);
  });
}

/// With the bound and the numbers of a preview that somebody has seen.
void start(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  core::backfill_start wanted;
  wanted.until = body.time("until");
  wanted.records = body.number("records", 0, count_max);
  wanted.creates = body.number("creates", 0, count_max);
  wanted.resend = body.flag("resend");
  wanted.by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  at.with_rule(asked, answer, [&at, answer, wanted](m::rule_found& found) {
    auto act = m::start_backfill{wanted};
    act.start.rule = found.rule.id;
    at.ask<core::delivery_cursor>(
        at.links().dispatcher, std::move(act), answer,
        [answer](core::delivery_cursor& cursor) { answer(json_response(cursor_view(cursor), 201)); });
  });
}

void abort(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  at.with_rule(asked, answer, [&at, answer, by](m::rule_found& found) {
    at.show<core::delivery_cursor>(at.links().dispatcher, m::abort_backfill{found.rule.id, by}, answer,
                                   cursor_view);
  });
}

} // namespace

void add_backfill_operations(router& to) {
  to.add("GET", "/v1/rules/{rule}/backfill", access::viewer, show_backfill);
  to.add("POST", "/v1/rules/{rule}/backfill", access::operate, start);
  to.add("GET", "/v1/rules/{rule}/backfill/preview", access::viewer, preview);
  to.add("POST", "/v1/rules/{rule}/backfill/abort", access::operate, abort);
}

} // namespace sluice::api
