#include "storage/intents.hpp"

#include "storage/array_text.hpp"
#include "storage/intent_batches.hpp"
#include "storage/intent_body.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace sluice::storage {
namespace {

void write_sqlite(session& db, core::rule_id rule, std::span<const core::intent> intents) {
  direct_statement write(db, "INSERT OR REPLACE INTO delivery_intents (record_id, rule_id, source_id, "
                             "content_changed_at, create_generation, run_id, made_at, idempotency_key, body, "
                             "settle_at, settle_attempts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
                             "?11)");
  write.bind(2, rule.value);
  for (const auto& one : intents) {
    write.bind(1, one.record.value)
        .bind(3, one.source_id)
        .bind(4, one.content_changed_at)
        .bind(5, std::int64_t{one.create_generation})
        .bind(6, one.run.value)
        .bind(7, one.made_at)
        .bind(8, one.idempotency_key)
        .bind(9, one.body)
        .bind(10, one.settle_at)
        .bind(11, std::int64_t{one.settle_attempts})
        .run();
  }
}

constexpr std::string_view postgresql_write =
    "INSERT INTO delivery_intents (record_id, rule_id, source_id, content_changed_at, create_generation, "
    "run_id, made_at, idempotency_key, body, settle_at, settle_attempts) "
    "SELECT i.record_id, CAST(:rule AS bigint), i.source_id, i.changed, i.generation, i.run, i.made, i.key, "
    "i.body, i.settle, i.attempts "
    "FROM unnest(CAST(:records AS bigint[]), CAST(:source_ids AS text[]), CAST(:changed AS bigint[]), "
    "CAST(:generations AS bigint[]), CAST(:runs AS bigint[]), CAST(:made AS bigint[]), "
    "CAST(:keys AS text[]), CAST(:bodies AS text[]), CAST(:settle AS bigint[]), "
    "CAST(:attempts AS bigint[])) AS i (record_id, source_id, changed, generation, run, made, key, body, "
    "settle, attempts) "
    "ON CONFLICT (rule_id, record_id) DO UPDATE SET source_id = excluded.source_id, "
    "content_changed_at = excluded.content_changed_at, create_generation = excluded.create_generation, "
    "run_id = excluded.run_id, made_at = excluded.made_at, idempotency_key = excluded.idempotency_key, "
    "body = excluded.body, settle_at = excluded.settle_at, settle_attempts = excluded.settle_attempts";

void write_postgresql(session& db, core::rule_id rule, std::span<const core::intent> intents) {
  // One statement may not name a row twice: the last intent of a record counts.
  std::unordered_map<std::int64_t, const core::intent*> last;
  for (const auto& one : intents)
    last[one.record.value] = &one;
  array_text records, source_ids, changed, generations, runs, made, idempotency_keys, bodies, settle,
      attempts;
  for (const auto& one : intents) {
    if (last[one.record.value] != &one)
      continue;
    records.add(one.record.value);
    source_ids.add(std::string_view(one.source_id));
    changed.add(one.content_changed_at);
    generations.add(std::int64_t{one.create_generation});
    runs.add(one.run.value);
    made.add(one.made_at);
    idempotency_keys.add(std::string_view(one.idempotency_key));
    bodies.add(std::string_view(one.body));
    settle.add(one.settle_at);
    attempts.add(std::int64_t{one.settle_attempts});
  }
  query write(db, postgresql_write);
  write.use("rule", rule).use("records", records.take()).use("source_ids", source_ids.take());
  write.use("changed", changed.take()).use("generations", generations.take()).use("runs", runs.take());
  write.use("made", made.take()).use("keys", idempotency_keys.take()).use("bodies", bodies.take());
  write.use("settle", settle.take()).use("attempts", attempts.take()).run();
}

} // namespace

result<void> keep_sealed_intents(session& db, core::rule_id rule, std::span<const core::intent> intents) {
  return guarded(db, "Writing intents", [&] {
    if (intents.empty())
      return;
    if (db.kind() == engine::sqlite)
      write_sqlite(db, rule, intents);
    else
      write_postgresql(db, rule, intents);
  });
}

result<void> write_intents(session& db, core::rule_id rule, std::span<const core::intent> intents,
                           const crypto::key_ring& keys) {
  return guarded(db, "Sealing intents", [&] {
    std::vector<core::intent> sealed(intents.begin(), intents.end());
    for (auto& one : sealed)
      one.body = sealed_body(rule, one, keys);
    return keep_sealed_intents(db, rule, sealed);
  });
}

result<void> delete_intents(session& db, core::rule_id rule, std::span<const core::record_id> records) {
  return guarded(db, "Deleting intents", [&] {
    if (records.empty())
      return;
    if (db.kind() == engine::sqlite) {
      direct_statement erase(db, "DELETE FROM delivery_intents WHERE record_id = ?1 AND rule_id = ?2");
      erase.bind(2, rule.value);
      for (const auto record : records)
        erase.bind(1, record.value).run();
      return;
    }
    array_text ids;
    for (const auto record : records)
      ids.add(record.value);
    query erase(db, "DELETE FROM delivery_intents WHERE record_id = ANY(CAST(:ids AS bigint[])) "
                    "AND rule_id = :rule");
    erase.use("ids", ids.take()).use("rule", rule).run();
  });
}

result<void> postpone_intents(session& db, core::rule_id rule,
                              std::span<const core::postponed_intent> times) {
  return guarded(db, "Postponing intents", [&] {
    if (times.empty())
      return;
    if (db.kind() == engine::sqlite) {
      direct_statement postpone(db, "UPDATE delivery_intents SET settle_at = ?3, settle_attempts = ?4 "
                                    "WHERE record_id = ?1 AND rule_id = ?2");
      postpone.bind(2, rule.value);
      for (const auto& one : times)
        postpone.bind(1, one.record.value).bind(3, one.settle_at).bind(4, std::int64_t{one.attempts}).run();
      return;
    }
    array_text ids, moments, attempts;
    for (const auto& one : times) {
      ids.add(one.record.value);
      moments.add(one.settle_at);
      attempts.add(std::int64_t{one.attempts});
    }
    const auto id_text = ids.take();
    query postpone(db, "UPDATE delivery_intents AS d SET settle_at = i.moment, settle_attempts = i.attempts "
                       "FROM unnest(CAST(:ids AS bigint[]), CAST(:moments AS bigint[]), "
                       "CAST(:attempts AS bigint[])) AS i (record_id, moment, attempts) "
                       "WHERE d.record_id = i.record_id AND d.rule_id = :rule "
                       "AND d.record_id = ANY(CAST(:chosen AS bigint[]))");
    postpone.use("ids", id_text).use("moments", moments.take()).use("attempts", attempts.take());
    postpone.use("rule", rule).use("chosen", id_text).run();
  });
}

result<std::vector<core::rule_id>> rules_of_due_creates(session& db, core::timestamp now) {
  return guarded(db, "Reading whose creates are unknown", [&] {
    std::vector<core::rule_id> found;
    core::rule_id one{};
    query rows(db, "SELECT DISTINCT rule_id FROM delivery_intents WHERE settle_at IS NOT NULL "
                   "AND settle_at <= :now AND settle_attempts >= :own ORDER BY rule_id");
    rows.use("now", now).use("own", std::int64_t{core::own_looks_at_create}).into(one);
    while (rows.next())
      found.push_back(one);
    return found;
  });
}

result<std::vector<core::intent>> read_intents(session& db, core::rule_id rule,
                                               std::optional<core::timestamp> due, std::int64_t limit,
                                               const crypto::key_ring& keys) {
  return guarded(db, "Reading intents", [&] {
    std::string text = "SELECT record_id, source_id, content_changed_at, create_generation, run_id, made_at, "
                       "idempotency_key, body, settle_at, settle_attempts FROM delivery_intents "
                       "WHERE rule_id = :rule";
    if (due)
      text += " AND settle_at IS NOT NULL AND settle_at <= :due";
    query rows(db, text + " ORDER BY record_id LIMIT :limit");
    rows.use("rule", rule).use("limit", limit);
    if (due)
      rows.use("due", *due);
    core::intent one;
    rows.into(one.record)
        .into(one.source_id)
        .into(one.content_changed_at)
        .into(one.create_generation)
        .into(one.run)
        .into(one.made_at)
        .into(one.idempotency_key)
        .into(one.body)
        .into(one.settle_at)
        .into(one.settle_attempts);
    std::vector<core::intent> found;
    while (rows.next()) {
      found.push_back(one);
      found.back().body = opened_body(rule, one.source_id, one.body, keys);
    }
    if (due)
      return found;
    auto of_batches = read_intent_batches(db, rule, keys);
    if (!of_batches)
      throw abandoned{std::move(of_batches.error())};
    std::ranges::move(*of_batches, std::back_inserter(found));
    std::ranges::stable_sort(found, {}, &core::intent::record);
    found.resize(std::min(found.size(), static_cast<std::size_t>(limit)));
    return found;
  });
}

} // namespace sluice::storage
