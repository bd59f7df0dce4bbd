#include "storage/event_pruning.hpp"

#include "storage/delivery_outcomes.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/dialect.hpp"
#include "storage/events.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <map>

namespace sluice::storage {
namespace {

/// A delivery that goes, and what waits for it.
struct going_delivery {
  core::subscription_id subscription{};
  core::event_position position{};
  std::string state;
  std::optional<std::string> ordering_key;

  [[nodiscard]] bool open() const { return state == "pending" || state == "retrying"; }
};

using going_deliveries = std::vector<going_delivery>;

/// `condition` is about `d`.
going_deliveries read_going(session& db, std::string_view condition, std::int64_t limit,
                            const std::function<void(query&)>& bind) {
  going_deliveries found;
  going_delivery one;
  query rows(db, "SELECT d.subscription_id, d.position, d.state, d.ordering_key FROM event_deliveries AS d "
                 "WHERE "
                     + std::string(condition) + " ORDER BY d.position, d.subscription_id LIMIT :limit"
                     + std::string(dialect::for_update(db.kind())));
  bind(rows);
  rows.use("limit", limit).into(one.subscription).into(one.position).into(one.state).into(one.ordering_key);
  while (rows.next())
    found.push_back(one);
  return found;
}

std::int64_t delete_rows(session& db, std::string_view table, const going_deliveries& going) {
  if (db.kind() == engine::sqlite) {
    direct_statement remove(db, "DELETE FROM " + std::string(table)
                                    + " WHERE subscription_id = ?1 AND position = ?2");
    std::int64_t removed = 0;
    for (const auto& one : going)
      removed += remove.bind(1, one.subscription.value).bind(2, one.position.value).run();
    return removed;
  }
  std::map<core::subscription_id, std::vector<std::int64_t>> positions;
  for (const auto& one : going)
    positions[one.subscription].push_back(one.position.value);
  std::int64_t removed = 0;
  for (const auto& [subscription, of_it] : positions)
    removed += query(db, "DELETE FROM " + std::string(table) + " WHERE subscription_id = :subscription AND "
                             + in_list(db.kind(), "position", "positions"))
                   .use("subscription", subscription)
                   .use("positions", integer_list(db.kind(), of_it))
                   .run();
  return removed;
}

/// With their attempts; what waited for one of them by its ordering key goes on. Whoever puts something aside
/// holds its subscription's row, so that row is locked first.
std::int64_t remove_deliveries(session& db, const going_deliveries& going, core::timestamp now) {
  std::map<core::subscription_id, std::vector<std::string>> keys;
  for (const auto& one : going)
    if (one.open() && one.ordering_key)
      keys[one.subscription].push_back(*one.ordering_key);
  for (const auto& [subscription, of_it] : keys)
    static_cast<void>(lock_subscription(db, subscription));
  const auto removed =
      delete_rows(db, "delivery_attempts", going) + delete_rows(db, "event_deliveries", going);
  for (auto& [subscription, of_it] : keys)
    free_keys(db, subscription, std::move(of_it), now);
  return removed;
}

/// How far retention has come, by the name of its column in fan_out_cursor.
struct pruning {
  std::string_view column;
  core::event_position from{};
  core::event_position to{}; ///< as far as this call may go
};

/// Events lie nearly in the order of their sequencing: as many from the mark on as are old enough, and fanned
/// out.
pruning begin_pruning(session& db, std::string_view column, core::timestamp until, std::int64_t limit) {
  pruning found{.column = column, .from = {}, .to = {}};
  core::event_position fanned_out{};
  query(db, "SELECT " + std::string(column) + ", position FROM fan_out_cursor"
                + std::string(dialect::for_update(db.kind())))
      .into(found.from)
      .into(fanned_out)
      .run();
  found.to = found.from;
  core::event_position position{};
  core::timestamp sequenced_at{};
  query rows(db, "SELECT position, sequenced_at FROM change_events WHERE position > :from "
                 "AND position <= :fanned_out ORDER BY position LIMIT :limit");
  rows.use("from", found.from).use("fanned_out", fanned_out).use("limit", limit);
  rows.into(position).into(sequenced_at);
  while (rows.next() && sequenced_at < until)
    found.to = position;
  return found;
}

void end_pruning(session& db, const pruning& done) {
  query(db, "UPDATE fan_out_cursor SET " + std::string(done.column) + " = :to WHERE "
                + std::string(done.column) + " = :from")
      .use("to", done.to)
      .use("from", done.from)
      .run();
}

/// A reader behind this position is told so from the first delivery that goes: it must not take what is left
/// for all there was.
void no_longer_readable(session& db, core::event_position to) {
  query(db,
        "UPDATE fan_out_cursor SET deliveries_pruned_position = :to WHERE deliveries_pruned_position < :to")
      .use("to", to)
      .run();
}

void use_range(query& rows, const pruning& range) {
  rows.use("from", range.from).use("to", range.to);
}

constexpr std::string_view in_range = "d.position > :from AND d.position <= :to";
constexpr std::string_view settled = " AND d.state NOT IN ('pending', 'retrying')";

std::int64_t delete_events(session& db, std::string_view condition, const std::function<void(query&)>& bind) {
  query rows(db, "DELETE FROM change_events WHERE " + std::string(condition));
  bind(rows);
  return rows.run();
}

/// What goes from one table alone, whose deliveries `d` stay or go with it.
template <class Remove>
result<std::int64_t> prune_settled(session& db, std::string_view column, std::string_view condition,
                                   core::timestamp until, std::int64_t limit, Remove remove) {
  return guarded(db, "Pruning deliveries", [&]() -> std::int64_t {
    const auto range = begin_pruning(db, column, until, limit);
    if (range.to == range.from)
      return 0;
    const auto going = read_going(db, std::string(in_range).append(settled).append(condition), limit,
                                  [&](query& rows) { use_range(rows, range); });
    if (std::ssize(going) < limit)
      end_pruning(db, range);
    return std::max<std::int64_t>(remove(going), 1); // the mark has moved: there may be more behind it
  });
}

} // namespace

result<core::pruned_events> prune_events(session& db, core::timestamp until, std::int64_t limit,
                                         core::timestamp now) {
  return guarded(db, "Pruning events", [&]() -> core::pruned_events {
    const auto range = begin_pruning(db, "pruned_position", until, limit);
    if (range.to == range.from)
      return {};
    const auto going = read_going(db, in_range, limit, [&](query& rows) { use_range(rows, range); });
    if (!going.empty()) {
      no_longer_readable(db, range.to);
      return {remove_deliveries(db, going, now), std::ranges::count_if(going, &going_delivery::open)};
    }
    const auto removed = delete_events(db, "position > :from AND position <= :to",
                                       [&](query& rows) { use_range(rows, range); });
    end_pruning(db, range);
    return {removed, 0};
  });
}

result<std::int64_t> prune_deliveries(session& db, core::timestamp until, std::int64_t limit) {
  return prune_settled(db, "deliveries_pruned_position", "", until, limit,
                       [&](const going_deliveries& going) { return remove_deliveries(db, going, until); });
}

result<std::int64_t> prune_attempts(session& db, core::timestamp until, std::int64_t limit) {
  return prune_settled(
      db, "attempts_pruned_position",
      " AND EXISTS (SELECT 1 FROM delivery_attempts AS a WHERE a.subscription_id = d.subscription_id "
      "AND a.position = d.position)",
      until, limit,
      [&](const going_deliveries& going) { return delete_rows(db, "delivery_attempts", going); });
}

std::int64_t remove_events_of(session& db, core::connection_id source, std::int64_t limit,
                              core::timestamp now) {
  // Fan-out moves this row before it looks which events are there: it writes no delivery of one that goes
  // here.
  query(db, "SELECT 1 FROM fan_out_cursor" + std::string(dialect::for_update(db.kind()))).run();
  std::vector<std::int64_t> ids, positions;
  std::int64_t id = 0;
  std::optional<std::int64_t> position;
  query rows(db, "SELECT id, position FROM change_events WHERE source_connection_id = :source "
                 "ORDER BY id LIMIT :limit");
  rows.use("source", source).use("limit", limit).into(id).into(position);
  while (rows.next()) {
    ids.push_back(id);
    if (position)
      positions.push_back(*position);
  }
  if (ids.empty())
    return 0;
  const auto going = read_going(db, in_list(db.kind(), "d.position", "positions"), limit,
                                [&](query& of) { of.use("positions", integer_list(db.kind(), positions)); });
  if (!going.empty())
    return remove_deliveries(db, going, now);
  return delete_events(db, in_list(db.kind(), "id", "ids"),
                       [&](query& of) { of.use("ids", integer_list(db.kind(), ids)); });
}

} // namespace sluice::storage
