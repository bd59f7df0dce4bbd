#include "storage/array_text.hpp"
#include "storage/provider_event_append.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace sluice::storage {
namespace {

/// Ids of the table's own sequence, rising.
std::vector<std::int64_t> next_ids(session& db, std::string_view table, std::size_t count) {
  std::vector<std::int64_t> ids;
  std::int64_t one = 0;
  query rows(db, "SELECT nextval(pg_get_serial_sequence('" + std::string(table)
                     + "', 'id')) FROM generate_series(1, CAST(:count AS bigint))");
  rows.use("count", static_cast<std::int64_t>(count)).into(one);
  while (rows.next())
    ids.push_back(one);
  return ids;
}

std::vector<new_event*> events_of(std::vector<new_report>& reports) {
  std::vector<new_event*> all;
  for (auto& report : reports)
    for (auto& one : report.events)
      all.push_back(&one);
  return all;
}

void give_ids(session& db, std::vector<new_report>& reports, const std::vector<new_event*>& events) {
  const auto report_ids = next_ids(db, "provider_reports", reports.size());
  for (std::size_t at = 0; at < reports.size(); ++at)
    reports[at].id = report_ids[at];
  const auto event_ids = next_ids(db, "provider_events", events.size());
  for (std::size_t at = 0; at < events.size(); ++at)
    events[at]->id = event_ids[at];
}

void insert_reports(session& db, const std::vector<new_report>& reports) {
  array_text ids, tenants, profiles, sources, times, digests, bodies, counts;
  for (const auto& one : reports) {
    ids.add(one.id);
    tenants.add(one.tenant);
    profiles.add(one.what->profile.value);
    sources.add(core::to_string(one.what->source));
    times.add(one.what->received_at);
    digests.add(std::string_view(one.digest));
    bodies.add(std::string_view(one.sealed));
    counts.add(std::int64_t{std::ssize(one.events)});
  }
  query write(db, "INSERT INTO provider_reports (id, tenant_id, profile_id, source, received_at, digest, "
                  "body, events) SELECT * FROM unnest(CAST(:ids AS bigint[]), CAST(:tenants AS bigint[]), "
                  "CAST(:profiles AS bigint[]), CAST(:sources AS text[]), CAST(:times AS bigint[]), "
                  "CAST(:digests AS text[]), CAST(:bodies AS text[]), CAST(:counts AS bigint[]))");
  write.use("ids", ids.take()).use("tenants", tenants.take()).use("profiles", profiles.take());
  write.use("sources", sources.take()).use("times", times.take()).use("digests", digests.take());
  write.use("bodies", bodies.take()).use("counts", counts.take()).run();
}

/// Writes the keys, in their order, lest two wait for each other; returns the ids of the events whose keys
/// were new. Another's key that is not committed yet is waited for.
std::unordered_set<std::int64_t> claim_keys(session& db, std::vector<new_event*> events) {
  std::ranges::sort(events, {}, [](const new_event* one) { return std::tie(one->key, one->id); });
  array_text keys, ids;
  for (const auto* one : events) {
    keys.add(std::string_view(one->key));
    ids.add(one->id);
  }
  std::unordered_set<std::int64_t> claimed;
  std::int64_t id = 0;
  query write(db, "INSERT INTO provider_event_keys (key, event_id) SELECT i.key, i.event_id FROM unnest("
                  "CAST(:keys AS text[]), CAST(:ids AS bigint[])) AS i (key, event_id) "
                  "ON CONFLICT DO NOTHING RETURNING event_id");
  write.use("keys", keys.take()).use("ids", ids.take()).into(id);
  while (write.next())
    claimed.insert(id);
  return claimed;
}

void find_firsts(session& db, const std::vector<new_event*>& duplicates) {
  if (duplicates.empty())
    return;
  array_text keys;
  for (const auto* one : duplicates)
    keys.add(std::string_view(one->key));
  std::unordered_map<std::string, std::int64_t> firsts;
  std::string key;
  std::int64_t id = 0;
  query rows(db, "SELECT key, event_id FROM provider_event_keys WHERE key = ANY(CAST(:keys AS text[]))");
  rows.use("keys", keys.take()).into(key).into(id);
  while (rows.next())
    firsts[key] = id;
  for (auto* one : duplicates)
    one->duplicate_of = firsts[one->key];
  if (std::ranges::any_of(duplicates, [](const new_event* one) { return one->duplicate_of == 0; }))
    throw abandoned{{error::busy, "An event told before is being removed at this moment."}};
}

void insert_events(session& db, const std::vector<new_report>& reports) {
  array_text ids, report_ids, tenants, profiles, keys, firsts, event_ids, messages, attempts, types, words,
      times, suppressed, details;
  for (const auto& report : reports)
    for (const auto& one : report.events) {
      ids.add(one.id);
      report_ids.add(report.id);
      tenants.add(report.tenant);
      profiles.add(report.what->profile.value);
      keys.add(std::string_view(one.key));
      firsts.add(one.duplicate_of);
      event_ids.add(std::string_view(one.what.event_id));
      messages.add(std::string_view(one.what.provider_message_id));
      attempts.add(std::string_view(one.what.attempt_id));
      types.add(core::to_string(one.what.type));
      words.add(std::string_view(one.what.provider_type));
      times.add(one.what.occurred_at);
      suppressed.add(suppresses(one.what));
      details.add(std::string_view(one.what.detail));
    }
  query write(db, "INSERT INTO provider_events (id, report_id, tenant_id, profile_id, key, duplicate_of, "
                  "event_id, provider_message_id, attempt_id, type, provider_type, occurred_at, suppresses, "
                  "detail) SELECT i.id, i.report_id, i.tenant_id, i.profile_id, i.key, nullif(i.first, 0), "
                  "i.event_id, i.message, i.attempt, i.type, i.word, i.moment, i.suppressed, i.detail "
                  "FROM unnest(CAST(:ids AS bigint[]), CAST(:reports AS bigint[]), "
                  "CAST(:tenants AS bigint[]), CAST(:profiles AS bigint[]), CAST(:keys AS text[]), "
                  "CAST(:firsts AS bigint[]), CAST(:event_ids AS text[]), CAST(:messages AS text[]), "
                  "CAST(:attempts AS text[]), CAST(:types AS text[]), CAST(:words AS text[]), "
                  "CAST(:times AS bigint[]), CAST(:suppressed AS text[]), CAST(:details AS text[])) "
                  "AS i (id, report_id, tenant_id, profile_id, key, first, event_id, message, attempt, type, "
                  "word, moment, suppressed, detail)");
  write.use("ids", ids.take()).use("reports", report_ids.take()).use("tenants", tenants.take());
  write.use("profiles", profiles.take()).use("keys", keys.take()).use("firsts", firsts.take());
  write.use("event_ids", event_ids.take()).use("messages", messages.take());
  write.use("attempts", attempts.take()).use("types", types.take()).use("words", words.take());
  write.use("times", times.take()).use("suppressed", suppressed.take()).use("details", details.take()).run();
}

void insert_pending(session& db, const std::unordered_set<std::int64_t>& claimed) {
  array_text ids;
  for (const auto id : claimed)
    ids.add(id);
  query(db, "INSERT INTO pending_events (event_id) SELECT unnest(CAST(:ids AS bigint[]))")
      .use("ids", ids.take())
      .run();
}

} // namespace

void append_postgresql(session& db, std::vector<new_report>& reports) {
  const auto events = events_of(reports);
  give_ids(db, reports, events);
  insert_reports(db, reports);
  if (events.empty())
    return;
  const auto claimed = claim_keys(db, events);
  std::vector<new_event*> duplicates;
  std::ranges::copy_if(events, std::back_inserter(duplicates),
                       [&](const new_event* one) { return !claimed.contains(one->id); });
  find_firsts(db, duplicates);
  insert_events(db, reports);
  insert_pending(db, claimed);
}

} // namespace sluice::storage
