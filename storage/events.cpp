#include "storage/events.hpp"

#include "core/assertion.hpp"
#include "crypto/random.hpp"
#include "storage/array_text.hpp"
#include "storage/dialect.hpp"
#include "storage/event_columns.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

#include <limits>

namespace sluice::storage {
namespace {

/// Empty: its idempotency key was used before.
std::string insert_event(session& db, const core::event_to_publish& wanted, std::int64_t tenant,
                         core::timestamp now) {
  query insert(db,
               "INSERT INTO change_events (public_id, tenant_id, kind, type, body, idempotency_key, "
               "only_subscription_id, occurred_at) VALUES (:public_id, :tenant, :kind, :type, :body, :key, "
               ":only, :now) ON CONFLICT DO NOTHING RETURNING public_id");
  insert.use("public_id", crypto::uuid_v7(now))
      .use("tenant", tenant)
      .use("kind", core::to_string(wanted.kind));
  insert.use("type", wanted.type).use("body", wanted.body).use("now", now);
  insert.use("key", wanted.idempotency_key.empty() ? std::nullopt : std::optional(wanted.idempotency_key));
  insert.use("only", wanted.only ? std::optional(wanted.only.value) : std::nullopt);
  std::string public_id;
  insert.into(public_id).run();
  return public_id;
}

core::published_event earlier_event(session& db, const core::event_to_publish& wanted, std::int64_t tenant) {
  std::string public_id, type, body;
  query(db, "SELECT public_id, type, body FROM change_events WHERE tenant_id = :tenant "
            "AND idempotency_key = :key")
      .use("tenant", tenant)
      .use("key", wanted.idempotency_key)
      .into(public_id)
      .into(type)
      .into(body)
      .run();
  if (public_id.empty())
    throw abandoned{{error::busy, "The event of this idempotency key is being removed at this moment."}};
  if (type != wanted.type || body != wanted.body)
    throw abandoned{{error::refused, "This idempotency key was used for an event of another type or body."}};
  return {std::move(public_id), true};
}

struct unsequenced_event {
  core::change_event_id id{};
  std::string public_id; ///< empty: it has none yet
  core::timestamp occurred_at{};
};

std::vector<unsequenced_event> read_unsequenced(session& db, std::int64_t limit) {
  std::vector<unsequenced_event> found;
  unsequenced_event one;
  query rows(db, "SELECT id, public_id, occurred_at FROM change_events WHERE position IS NULL "
                 "ORDER BY id LIMIT :limit");
  rows.use("limit", limit).into(one.id).into(one.public_id).into(one.occurred_at);
  while (rows.next()) {
    if (one.public_id.empty())
      one.public_id = crypto::uuid_v7(one.occurred_at);
    found.push_back(one);
  }
  return found;
}

/// The events are named once each, and whoever gives positions holds the cursor's row.
void write_positions(session& db, const std::vector<unsequenced_event>& events, core::event_position last,
                     core::timestamp now) {
  if (db.kind() == engine::sqlite) {
    direct_statement write(db, "UPDATE change_events SET position = ?2, public_id = ?3, sequenced_at = ?4 "
                               "WHERE id = ?1");
    for (const auto& one : events)
      write.bind(1, one.id.value).bind(2, ++last.value).bind(3, one.public_id).bind(4, now).run();
    return;
  }
  array_text ids, positions, public_ids;
  for (const auto& one : events) {
    ids.add(one.id.value);
    positions.add(++last.value);
    public_ids.add(std::string_view(one.public_id));
  }
  query(db, "UPDATE change_events AS e SET position = i.position, public_id = i.public_id, "
            "sequenced_at = :now FROM unnest(CAST(:ids AS bigint[]), CAST(:positions AS bigint[]), "
            "CAST(:public_ids AS text[])) AS i (id, position, public_id) WHERE e.id = i.id")
      .use("now", now)
      .use("ids", ids.take())
      .use("positions", positions.take())
      .use("public_ids", public_ids.take())
      .run();
}

/// The last position of those that may be read together; 0: there are none.
std::int64_t last_that_fits(session& db, core::event_position after, std::int64_t limit,
                            std::size_t bytes_max) {
  std::int64_t position = 0, bytes = 0, last = 0;
  std::size_t sum = 0;
  query rows(db, "SELECT position, " + dialect::text_bytes(db.kind(), "body")
                     + " FROM change_events WHERE position > :after ORDER BY position LIMIT :limit");
  rows.use("after", after).use("limit", limit).into(position).into(bytes);
  while (rows.next()) {
    sum += static_cast<std::size_t>(bytes);
    if (last != 0 && sum > bytes_max)
      break;
    last = position;
  }
  return last;
}

} // namespace

result<core::published_event> publish_event(session& db, const core::event_to_publish& wanted,
                                            core::timestamp now) {
  core::assert_that(wanted.kind != core::event_kind::change, "changes are told by the mirror's triggers");
  return guarded(db, "Publishing an event", [&]() -> core::published_event {
    const auto tenant = tenant_named(db, wanted.tenant).id;
    if (auto made = insert_event(db, wanted, tenant, now); !made.empty())
      return {std::move(made), false};
    return earlier_event(db, wanted, tenant);
  });
}

result<std::int64_t> sequence_events(session& db, std::int64_t limit, core::timestamp now) {
  return guarded(db, "Sequencing events", [&]() -> std::int64_t {
    core::event_position last{};
    query(db, "SELECT sequenced_position FROM fan_out_cursor" + std::string(dialect::for_update(db.kind())))
        .into(last)
        .run();
    const auto events = read_unsequenced(db, limit);
    if (events.empty())
      return 0;
    write_positions(db, events, last, now);
    query(db, "UPDATE fan_out_cursor SET sequenced_position = :last")
        .use("last", last.value + std::ssize(events))
        .run();
    return std::ssize(events);
  });
}

result<std::vector<core::change_event>> read_events(session& db, core::event_position after,
                                                    std::int64_t limit, std::size_t bytes_max) {
  return in_snapshot(db, "Reading events", [&] {
    std::vector<core::change_event> events;
    const auto last = last_that_fits(db, after, limit, bytes_max);
    event_target target;
    query rows(db, "SELECT " + std::string(event_columns) + " FROM " + std::string(event_tables)
                       + " WHERE e.position > :after AND e.position <= :last ORDER BY e.position");
    rows.use("after", after).use("last", last);
    target.bind(rows);
    while (rows.next())
      events.push_back(target.take());
    return events;
  });
}

result<std::optional<core::change_event>> find_event(session& db, std::string_view public_id,
                                                     const core::tenant_scope& tenants) {
  return guarded(db, "Finding an event", [&]() -> std::optional<core::change_event> {
    event_target target;
    query rows(db, "SELECT " + std::string(event_columns) + " FROM " + std::string(event_tables)
                       + " WHERE e.public_id = :public_id" + only_tenants_named(tenants, "t.name"));
    rows.use("public_id", public_id);
    use_tenants(rows, tenants);
    target.bind(rows);
    if (!rows.next())
      return std::nullopt;
    return target.take();
  });
}

result<std::vector<core::change_event>> list_events(session& db, const core::event_page& page) {
  return guarded(db, "Listing events", [&] {
    std::string text = "SELECT " + std::string(event_columns_without_body) + " FROM "
                       + std::string(event_tables) + " WHERE e.id < :before AND e.public_id IS NOT NULL"
                       + only_tenants_named(page.tenants, "t.name");
    if (page.tenant)
      text += " AND t.name = :tenant";
    if (!page.type.empty())
      text += " AND e.type = :type";
    query rows(db, text + " ORDER BY e.id DESC LIMIT :limit");
    use_tenants(rows, page.tenants);
    rows.use("before", page.before_id ? page.before_id.value : std::numeric_limits<std::int64_t>::max());
    rows.use("limit", page.limit);
    if (page.tenant)
      rows.use("tenant", *page.tenant);
    if (!page.type.empty())
      rows.use("type", page.type);
    event_target target;
    target.bind(rows);
    std::vector<core::change_event> listed;
    while (rows.next())
      listed.push_back(target.take());
    return listed;
  });
}

} // namespace sluice::storage
