#include "storage/sealed_columns.hpp"

#include "crypto/seal.hpp"
#include "storage/seal_places.hpp"

#include <array>
#include <vector>

namespace sluice::storage {
namespace {

using core::keyed_thing;

/// So many rows are looked at for each that may be written: a step is short also where few need the key.
constexpr std::int64_t looked_at_for_each = 50;

/// A sealed text begins "v1.<key>.", and a key's name has 32 characters at most: no more is read of it.
constexpr std::string_view mark = "v1.";

constexpr std::string_view of_tenant = " JOIN tenants AS t ON t.id = x.tenant_id";
constexpr std::string_view of_subscription = " JOIN subscriptions AS s ON s.id = x.subscription_id";

constexpr std::array columns{
    sealed_column{keyed_thing::profile_credentials, "provider_profiles", "credentials", "sealing_key",
                  "t.public_id", "x.public_id", of_tenant, profile_place},
    sealed_column{keyed_thing::notification_contents, "notifications", "content", "", "t.public_id",
                  "x.public_id", of_tenant, content_place},
    sealed_column{keyed_thing::provider_reports, "provider_reports", "body", "", "CAST(x.profile_id AS TEXT)",
                  "x.digest", "", report_place},
    sealed_column{keyed_thing::connection_credentials, "connections", "credentials", "", "x.public_id", "''",
                  "", [](std::string_view id, std::string_view) { return connection_place(id); }},
    sealed_column{keyed_thing::subscription_headers, "subscriptions", "headers", "", "x.public_id", "''", "",
                  [](std::string_view id, std::string_view) { return headers_place(id); }},
    sealed_column{keyed_thing::subscription_secrets, "subscription_secrets", "secret", "", "s.public_id",
                  "''", of_subscription,
                  [](std::string_view id, std::string_view) { return secret_place(id); }},
};

std::string text(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const auto part : parts)
    all += part;
  return all;
}

/// The last row that a step looks at, and whether there is none behind it.
struct stretch {
  std::int64_t last = 0;
  bool through = false;
};

stretch stretch_after(session& db, const sealed_column& of, const core::resealing_order& order) {
  const auto rows_max = order.limit * looked_at_for_each;
  std::optional<std::int64_t> last;
  std::int64_t rows = 0;
  query(db, text({"SELECT max(id), count(*) FROM (SELECT id FROM ", of.table,
                  " WHERE id > :after ORDER BY id LIMIT :limit) AS looked_at"}))
      .use("after", order.after_id)
      .use("limit", rows_max)
      .into(last)
      .into(rows)
      .run();
  return {last.value_or(order.after_id), rows < rows_max};
}

std::vector<std::int64_t> rows_under(session& db, const sealed_column& of, const core::resealing_order& order,
                                     std::int64_t last) {
  const auto begins = text({mark, order.key, "."});
  query rows(db, text({"SELECT id FROM ", of.table, " WHERE id > :after AND id <= :last AND substr(",
                       of.column, ", 1, :length) = :begins ORDER BY id LIMIT :limit"}));
  rows.use("after", order.after_id).use("last", last).use("length", std::ssize(begins));
  rows.use("begins", begins).use("limit", order.limit);
  std::int64_t id = 0;
  rows.into(id);
  std::vector<std::int64_t> found;
  while (rows.next())
    found.push_back(id);
  return found;
}

bool replace(session& db, const sealed_column& of, std::int64_t id, const std::string& old,
             const std::string& renewed, const crypto::key_ring& keys) {
  const auto named = of.key_column.empty() ? std::string{} : text({", ", of.key_column, " = :name"});
  query update(db, text({"UPDATE ", of.table, " SET ", of.column, " = :renewed", named,
                         " WHERE id = :id AND ", of.column, " = :old"}));
  update.use("renewed", renewed).use("id", id).use("old", old);
  if (!named.empty())
    update.use("name", keys.sealing_key()->name());
  return update.run() == 1;
}

void renew(session& db, const sealed_column& of, std::int64_t id, const crypto::key_ring& keys,
           core::resealing_step& step) {
  std::string sealed;
  std::string first;
  std::string second;
  query row(db, text({"SELECT x.", of.column, ", ", of.first, ", ", of.second, " FROM ", of.table, " AS x",
                      of.joined, " WHERE x.id = :id"}));
  if (!row.use("id", id).into(sealed).into(first).into(second).next()) {
    ++step.changed_meanwhile;
    return;
  }
  while (row.next()) {
  }
  const auto plain = crypto::open(keys, sealed, of.place(first, second));
  if (!plain) {
    ++step.unopened;
    return;
  }
  const auto renewed = crypto::seal(keys, *plain, of.place(first, second));
  if (!renewed)
    throw abandoned{{error::sealed, text({"What a key was used for cannot be sealed anew: ",
                                          crypto::to_string(renewed.error())})}};
  ++(replace(db, of, id, sealed, *renewed, keys) ? step.renewed : step.changed_meanwhile);
}

/// The name of the key a text of the column was sealed with.
std::string key_of(engine kind, std::string_view column) {
  if (kind == engine::postgresql)
    return text({"split_part(substr(", column, ", 1, 40), '.', 2)"});
  return text({"substr(", column, ", 4, instr(substr(", column, ", 4, 40), '.') - 1)"});
}

} // namespace

std::span<const sealed_column> sealed_columns() {
  return columns;
}

void count_keys(session& db, const sealed_column& of, std::vector<core::key_use>& to) {
  core::key_use one;
  one.thing = of.thing;
  query rows(db, text({"SELECT ", key_of(db.kind(), of.column), " AS sealed_with, count(*) FROM ", of.table,
                       " WHERE substr(", of.column, ", 1, 3) = '", mark,
                       "' GROUP BY sealed_with ORDER BY sealed_with"}));
  rows.into(one.key).into(one.live);
  while (rows.next())
    to.push_back(one);
}

core::resealing_step reseal_column(session& db, const sealed_column& of, const core::resealing_order& order,
                                   const crypto::key_ring& keys) {
  const auto looked_at = stretch_after(db, of, order);
  const auto rows = rows_under(db, of, order, looked_at.last);
  core::resealing_step step{.last_id = looked_at.last, .through = looked_at.through};
  if (std::ssize(rows) == order.limit) {
    step.last_id = rows.back();
    step.through = step.through && rows.back() == looked_at.last;
  }
  for (const auto id : rows)
    renew(db, of, id, keys, step);
  return step;
}

} // namespace sluice::storage
