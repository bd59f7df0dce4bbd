#include "storage/pull.hpp"

#include "storage/delivery_outcomes.hpp"
#include "storage/dialect.hpp"
#include "storage/event_columns.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

locked_subscription pulled_subscription(session& db, core::subscription_id id) {
  auto of = lock_subscription(db, id);
  if (!of || of->removed || of->mode != core::subscription_mode::pull)
    throw abandoned{{error::not_found, "There is no such pull subscription."}};
  if (of->status != core::subscription_status::active)
    throw abandoned{{error::refused, "The subscription is " + std::string(core::to_string(of->status))
                                         + "; its events wait until it is active again."}};
  return std::move(*of);
}

/// Between them lies what can be read.
struct pull_range {
  core::event_position retained{};   ///< behind it events are retained whole
  core::event_position fanned_out{}; ///< up to it fan-out has come
};

pull_range read_range(session& db) {
  pull_range range;
  core::event_position events{}, deliveries{};
  query(db, "SELECT position, pruned_position, deliveries_pruned_position FROM fan_out_cursor")
      .into(range.fanned_out)
      .into(events)
      .into(deliveries)
      .run();
  range.retained = std::max(events, deliveries);
  return range;
}

constexpr std::string_view readable =
    " JOIN event_deliveries AS d ON d.position = e.position WHERE d.subscription_id = :subscription "
    "AND d.position > :after AND d.position <= :until AND d.state IN ('pending', 'delivered') "
    "ORDER BY d.position";

struct fitting {
  core::event_position last{};
  bool whole = true; ///< nothing more is there up to where fan-out has come
};

/// How far the wish reaches, by its limits.
fitting last_that_fits(session& db, const core::pull_wish& wish, core::event_position after,
                       core::event_position until) {
  fitting found;
  core::event_position position{};
  std::int64_t bytes = 0, count = 0;
  std::size_t sum = 0;
  query rows(db, "SELECT e.position, " + dialect::text_bytes(db.kind(), "e.body") + " FROM change_events AS e"
                     + std::string(readable) + " LIMIT :limit");
  rows.use("subscription", wish.subscription).use("after", after).use("until", until);
  rows.use("limit", wish.limit + 1).into(position).into(bytes);
  while (rows.next()) {
    sum += static_cast<std::size_t>(bytes);
    if (++count > wish.limit || (count > 1 && sum > wish.bytes_max)) {
      found.whole = false;
      break;
    }
    found.last = position;
  }
  return found;
}

std::vector<core::change_event> read_between(session& db, core::subscription_id subscription,
                                             core::event_position after, core::event_position until) {
  std::vector<core::change_event> events;
  event_target target;
  query rows(db, "SELECT " + std::string(event_columns) + " FROM " + std::string(event_tables)
                     + std::string(readable));
  rows.use("subscription", subscription).use("after", after).use("until", until);
  target.bind(rows);
  while (rows.next())
    events.push_back(target.take());
  return events;
}

/// Only what follows what was offered before widens it: who skips ahead was not shown what lies between.
void remember_offer(session& db, const locked_subscription& of, core::event_position after,
                    core::event_position next) {
  if (after > of.offered || next <= of.offered)
    return;
  query(db, "UPDATE subscriptions SET offered_position = :next WHERE id = :id AND offered_position < :next")
      .use("next", next)
      .use("id", of.id)
      .run();
}

core::cursor_verdict judge(const core::pull_advance& wanted, const locked_subscription& of,
                           core::event_position furthest) {
  if (wanted.from != of.cursor)
    return core::cursor_verdict::stale;
  if (wanted.to < of.cursor)
    return core::cursor_verdict::backward;
  return wanted.to > furthest ? core::cursor_verdict::beyond : core::cursor_verdict::advanced;
}

/// The deliveries the cursor passes, in the order of their positions.
std::vector<delivery_row> covered_rows(session& db, const core::pull_advance& wanted, core::timestamp now) {
  auto rows = read_rows(
      db, wanted.subscription, open_claims{}, // what is pulled is never on its way
      " AND d.position > :from AND d.position <= :to AND d.state = 'pending' ORDER BY d.position LIMIT :limit"
          + std::string(dialect::for_update(db.kind())),
      [&](query& of) { of.use("from", wanted.from).use("to", wanted.to).use("limit", wanted.limit); });
  for (auto& row : rows) {
    auto step =
        core::apply(row.progress, core::delivery_transition::advance_pull_cursor,
                    {.by = core::transition_cause::adapter_callback, .now = now, .cursor_covers = true});
    if (!step)
      throw abandoned{{error::corrupt, "A cursor cannot cover a delivery: " + step.error().sentence}};
    row.progress = std::move(step->now);
  }
  return rows;
}

} // namespace

result<core::pull_page> read_pull(session& db, const core::pull_wish& wish) {
  return guarded(db, "Reading a subscription's events", [&] {
    core::pull_page page;
    const auto of = pulled_subscription(db, wish.subscription);
    const auto range = read_range(db);
    const auto after = std::max(wish.after, of.starts_after);
    page.next = after;
    if (after < range.retained) {
      page.gone = true;
      page.earliest = range.retained;
      return page;
    }
    if (after >= range.fanned_out)
      return page;
    const auto fits = last_that_fits(db, wish, after, range.fanned_out);
    if (fits.last)
      page.events = read_between(db, wish.subscription, after, fits.last);
    page.through = fits.whole;
    page.next = fits.whole ? range.fanned_out : fits.last;
    remember_offer(db, of, after, page.next);
    return page;
  });
}

result<core::pull_advanced> advance_pull(session& db, const core::pull_advance& wanted, core::timestamp now) {
  return guarded(db, "Advancing a cursor", [&] {
    const auto of = pulled_subscription(db, wanted.subscription);
    core::pull_advanced answer;
    answer.cursor = of.cursor;
    answer.offered = std::max(of.offered, read_range(db).retained);
    answer.verdict = judge(wanted, of, answer.offered);
    if (answer.verdict != core::cursor_verdict::advanced || wanted.to == of.cursor)
      return answer;
    const auto rows = covered_rows(db, wanted, now);
    write_rows(db, of.id, rows, now);
    answer.covered = std::ssize(rows);
    answer.through = answer.covered < wanted.limit;
    answer.cursor = answer.through ? wanted.to : rows.back().position;
    query(db, "UPDATE subscriptions SET cursor_position = :cursor WHERE id = :id")
        .use("cursor", answer.cursor)
        .use("id", of.id)
        .run();
    return answer;
  });
}

} // namespace sluice::storage
