#include "storage/fan_out.hpp"

#include "core/event_delivery.hpp"
#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/soci_session.hpp"
#include "storage/subscription_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace sluice::storage {
namespace {

bool move_cursor(session& db, const core::fan_out_cursor& from, const core::fan_out_cursor& to) {
  return query(db, "UPDATE fan_out_cursor SET position = :to_position, subscription_id = :to_subscription "
                   "WHERE position = :from_position AND subscription_id = :from_subscription")
             .use("to_position", to.position)
             .use("to_subscription", to.subscription)
             .use("from_position", from.position)
             .use("from_subscription", from.subscription)
             .run()
         == 1;
}

/// Of these positions, those whose events are there: a purge may have removed some since they were read.
std::set<std::int64_t> existing(session& db, const std::set<std::int64_t>& positions) {
  std::set<std::int64_t> found;
  std::int64_t one = 0;
  const std::vector<std::int64_t> list(positions.begin(), positions.end());
  query rows(db, "SELECT position FROM change_events WHERE " + in_list(db.kind(), "position", "positions"));
  rows.use("positions", integer_list(db.kind(), list)).into(one);
  while (rows.next())
    found.insert(one);
  return found;
}

using cursors = std::map<core::subscription_id, core::event_position>;

/// Pull subscriptions whose cursor stands at `least` or behind it.
cursors cursors_from(session& db, core::event_position least) {
  cursors found;
  core::subscription_id id{};
  core::event_position cursor{};
  query rows(db, "SELECT id, cursor_position FROM subscriptions WHERE mode = 'pull' "
                 "AND cursor_position >= :least");
  rows.use("least", least).into(id).into(cursor);
  while (rows.next())
    found.emplace(id, cursor);
  return found;
}

/// A delivery and how it begins.
struct fresh_row {
  const core::fanned_out* what = nullptr;
  core::delivery_progress progress;
};

core::delivery_progress progress_of(const core::fanned_out& what, const cursors& ahead, core::timestamp now) {
  auto progress = core::begin_delivery(what.mode, what.passes, now);
  const auto cursor = ahead.find(what.subscription);
  if (cursor == ahead.end() || cursor->second < what.position || !what.passes)
    return progress;
  const auto covered =
      core::apply(progress, core::delivery_transition::advance_pull_cursor,
                  {.by = core::transition_cause::adapter_callback, .now = now, .cursor_covers = true});
  return covered ? covered->now : progress;
}

/// In the order of the table's key, which keeps what is written at once near to each other.
std::vector<fresh_row> fresh_rows(session& db, const std::vector<core::fanned_out>& deliveries,
                                  core::timestamp now) {
  std::set<std::int64_t> positions;
  bool pulled = false;
  for (const auto& one : deliveries) {
    if (positions.empty() || *positions.rbegin() != one.position.value)
      positions.insert(one.position.value);
    pulled = pulled || one.mode == core::subscription_mode::pull;
  }
  const auto there = existing(db, positions);
  const auto ahead = pulled ? cursors_from(db, {*positions.begin()}) : cursors{};
  std::vector<fresh_row> rows;
  rows.reserve(deliveries.size());
  for (const auto& one : deliveries)
    if (there.size() == positions.size() || there.contains(one.position.value))
      rows.push_back({&one, progress_of(one, ahead, now)});
  std::ranges::sort(
      rows, {}, [](const fresh_row& row) { return std::pair(row.what->subscription, row.what->position); });
  return rows;
}

void insert_sqlite(session& db, const std::vector<fresh_row>& rows, core::timestamp now) {
  direct_statement insert(db, "INSERT INTO event_deliveries (subscription_id, position, state, ordering_key, "
                              "next_attempt_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) "
                              "ON CONFLICT DO NOTHING");
  insert.bind(6, now);
  for (const auto& [what, progress] : rows) {
    insert.bind(1, what->subscription.value).bind(2, what->position.value);
    insert.bind(3, core::to_string(progress.state)).bind(5, progress.due_at);
    insert.bind(4, what->ordering_key ? std::optional(std::string_view(*what->ordering_key)) : std::nullopt);
    insert.run();
  }
}

/// Rows that begin alike.
class alike_rows {
public:
  void add(const fresh_row& row) {
    subscriptions_.add(row.what->subscription.value);
    positions_.add(row.what->position.value);
    keys_.add(row.what->ordering_key ? std::optional(std::string_view(*row.what->ordering_key))
                                     : std::nullopt);
    keyed_ = keyed_ || row.what->ordering_key;
    progress_ = &row.progress;
  }

  void insert(session& db, core::timestamp now) {
    if (progress_ == nullptr)
      return;
    static const std::array texts{text(false), text(true)};
    query write(db, texts[keyed_ ? 1 : 0]);
    write.use("subscriptions", subscriptions_.take()).use("positions", positions_.take());
    if (keyed_)
      write.use("keys", keys_.take());
    write.use("state", core::to_string(progress_->state)).use("due", progress_->due_at).use("now", now).run();
  }

private:
  static std::string text(bool keyed) {
    return std::string("INSERT INTO event_deliveries (subscription_id, position, ordering_key, state, "
                       "next_attempt_at, created_at, updated_at) SELECT i.subscription_id, i.position, ")
           + (keyed ? "i.ordering_key" : "NULL")
           + ", CAST(:state AS text), CAST(:due AS bigint), CAST(:now AS bigint), CAST(:now AS bigint) "
             "FROM unnest(CAST(:subscriptions AS bigint[]), CAST(:positions AS bigint[])"
           + (keyed ? ", CAST(:keys AS text[])) AS i (subscription_id, position, ordering_key)"
                    : ") AS i (subscription_id, position)")
           + " ON CONFLICT DO NOTHING";
  }

  array_text subscriptions_, positions_, keys_;
  const core::delivery_progress* progress_ = nullptr; ///< of one of them
  bool keyed_ = false;
};

void insert_postgresql(session& db, const std::vector<fresh_row>& rows, core::timestamp now) {
  std::map<std::pair<core::delivery_state, bool>, alike_rows> groups;
  for (const auto& row : rows)
    groups[{row.progress.state, row.progress.due_at.has_value()}].add(row);
  for (auto& [how, group] : groups)
    group.insert(db, now);
}

} // namespace

result<core::fan_out_place> read_fan_out_place(session& db) {
  return guarded(db, "Reading how far events are fanned out", [&] {
    core::fan_out_place place;
    query(db, "SELECT c.position, c.subscription_id, c.sequenced_position, c.pruned_position, v.version "
              "FROM fan_out_cursor AS c, subscriptions_version AS v")
        .into(place.cursor.position)
        .into(place.cursor.subscription)
        .into(place.sequenced)
        .into(place.pruned)
        .into(place.subscriptions_version)
        .run();
    return place;
  });
}

result<std::vector<core::fan_out_subscription>> read_fan_out_subscriptions(session& db) {
  return guarded(db, "Reading who wants events", [&] {
    std::vector<core::fan_out_subscription> found;
    core::fan_out_subscription one;
    std::string mode, event_types;
    query rows(db, "SELECT s.id, t.name, s.mode, s.event_types, s.filter, s.ordered_by, s.access_accepted, "
                   "s.starts_after FROM "
                       + std::string(subscription_tables) + " WHERE s.deleted_at IS NULL ORDER BY s.id");
    rows.into(one.id).into(one.tenant).into(mode).into(event_types).into(one.filter).into(one.ordered_by);
    rows.into(one.access_accepted).into(one.starts_after);
    while (rows.next()) {
      one.mode = known(core::parse_subscription_mode(mode), "subscriptions.mode");
      one.event_types = read_text_list(event_types, "subscriptions.event_types");
      found.push_back(one);
    }
    return found;
  });
}

result<bool> write_fan_out(session& db, const core::fan_out_batch& batch, core::timestamp now) {
  return guarded(db, "Fanning events out", [&] {
    if (!move_cursor(db, batch.from, batch.to))
      return false;
    if (batch.deliveries.empty())
      return true;
    const auto rows = fresh_rows(db, batch.deliveries, now);
    if (db.kind() == engine::sqlite)
      insert_sqlite(db, rows, now);
    else
      insert_postgresql(db, rows, now);
    return true;
  });
}

} // namespace sluice::storage
