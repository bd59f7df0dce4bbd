#include "storage/backfills.hpp"

#include "storage/cursor.hpp"
#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"
#include "storage/stored_rule.hpp"

#include <string>

namespace sluice::storage {
namespace {

/// A rule that a person may backfill, or why not.
core::sync_rule need_rule(session& db, core::rule_id id) {
  auto stored = needed(read_rule(db, id));
  if (!stored || stored->deleted())
    throw abandoned{{error::not_found, "The rule does not exist."}};
  const auto refuse = [](const char* why) { throw abandoned{{error::refused, why}}; };
  if (stored->rule.direction != core::rule_direction::push_out)
    refuse("The rule does not deliver: only a push_out rule can be backfilled.");
  if (stored->rule.dependent())
    refuse("The rule's domain depends on another one: its records go out once they change, and it cannot be "
           "backfilled.");
  if (!stored->has_cursor)
    refuse("The rule has never been active: its first activation opens its first backfill.");
  return std::move(stored->rule);
}

/// Of a live record `m` and its ledger row `r`: a backfill would create it. A row that waits for its retry is
/// created by the drain, and counts; what is undeliverable may have been corrected, and counts.
constexpr std::string_view would_create =
    "(r.rule_id IS NULL OR (r.deleted_at IS NULL AND r.target_state = 'absent' "
    "AND r.status NOT IN ('ambiguous', 'remote_gone', 'exhausted') "
    "AND (r.delivered_content_changed_at IS NULL OR r.delivered_content_changed_at < m.content_changed_at) "
    "AND (r.status <> 'filtered' OR r.seen_content_changed_at < m.content_changed_at "
    "OR r.seen_revision < :revision)))";

/// … or would send it again to a target that has it.
constexpr std::string_view would_update =
    "(:overwrites = 1 AND r.deleted_at IS NULL AND r.target_state <> 'absent' "
    "AND r.status NOT IN ('ambiguous', 'remote_gone', 'exhausted') AND (:resend = 1 "
    "OR r.delivered_content_changed_at IS NULL OR r.delivered_content_changed_at < m.content_changed_at))";

std::string count_of(std::string_view condition) {
  return "coalesce(sum(CASE WHEN " + std::string(condition) + " THEN 1 ELSE 0 END), 0)";
}

const std::string& preview_sql() {
  static const std::string text =
      "SELECT " + count_of("m.deleted_at IS NULL OR (:propagates = 1 AND m.deletion_reason = 'source_event')")
      + ", " + count_of("m.deleted_at IS NULL AND " + std::string(would_create)) + ", "
      + count_of("m.deleted_at IS NULL AND " + std::string(would_update))
      + " FROM mirror_records AS m LEFT JOIN outbound_deliveries AS r ON r.rule_id = :rule "
        "AND r.source_id = m.source_id WHERE m.source_connection_id = :source AND m.domain = :domain "
        "AND m.content_changed_at < :until";
  return text;
}

core::backfill_preview count(session& db, const core::sync_rule& rule, core::timestamp until, bool resend) {
  core::backfill_preview preview{.until = until};
  query rows(db, preview_sql());
  rows.use("propagates", rule.deletes != core::delete_policy::ignore).use("revision", rule.revision);
  rows.use("overwrites", rule.updates == core::update_mode::overwrite).use("resend", resend);
  rows.use("rule", rule.id).use("source", rule.source).use("domain", rule.domain).use("until", until);
  rows.into(preview.records).into(preview.creates).into(preview.updates).run();
  return preview;
}

/// Compare-and-set: none is in progress.
void open(session& db, const core::backfill_start& start) {
  query update(db, "UPDATE delivery_cursors SET backfill_until = :until, backfill_at = 0, backfill_id = 0, "
                   "backfill_generation = backfill_generation + 1, backfill_resend = :resend "
                   "WHERE rule_id = :rule AND backfill_until IS NULL");
  update.use("until", start.until).use("resend", start.resend).use("rule", start.rule);
  if (update.run() == 0)
    throw abandoned{{error::refused, "A backfill of the rule is in progress: a new one follows when it has "
                                     "ended or was aborted."}};
}

void confirm(session& db, const core::backfill_start& start, core::connection_id target,
             std::int64_t generation, core::timestamp now) {
  query insert(db,
               "INSERT INTO backfill_confirmations (rule_id, target_connection_id, backfill_until, "
               "backfill_generation, records, creates, resend, confirmed_by, confirmed_at) VALUES (:rule, "
               ":target, :until, :generation, :records, :creates, :resend, :by, :now)");
  insert.use("rule", start.rule).use("target", target).use("until", start.until);
  insert.use("generation", generation).use("records", start.records).use("creates", start.creates);
  insert.use("resend", start.resend).use("by", start.by).use("now", now).run();
}

/// `condition` is about confirmation `b`; takes :id.
std::optional<core::backfill_confirmation> newest_confirmation(session& db, std::string_view condition,
                                                               std::int64_t id) {
  core::backfill_confirmation one;
  query rows(db, "SELECT b.rule_id, b.target_connection_id, b.backfill_until, b.backfill_generation, "
                 "b.records, b.creates, b.resend, b.confirmed_by, b.confirmed_at "
                 "FROM backfill_confirmations AS b WHERE "
                     + std::string(condition) + " ORDER BY b.confirmed_at DESC, b.id DESC LIMIT 1");
  rows.use("id", id).into(one.rule).into(one.target).into(one.until).into(one.generation);
  rows.into(one.records).into(one.creates).into(one.resend).into(one.confirmed_by).into(one.confirmed_at);
  rows.run();
  return one.rule ? std::optional{one} : std::nullopt;
}

std::int64_t count_before(session& db, const core::sync_rule& rule, core::timestamp until) {
  std::int64_t found = 0;
  query rows(db, "SELECT count(*) FROM mirror_records WHERE source_connection_id = :source "
                 "AND domain = :domain AND content_changed_at < :until");
  rows.use("source", rule.source).use("domain", rule.domain).use("until", until).into(found).run();
  return found;
}

std::int64_t count_at(session& db, const core::sync_rule& rule, core::position to) {
  std::int64_t found = 0;
  query rows(db, "SELECT count(*) FROM mirror_records WHERE source_connection_id = :source "
                 "AND domain = :domain AND content_changed_at = :at AND id <= :id");
  rows.use("source", rule.source).use("domain", rule.domain).use("at", to.changed_at).use("id", to.id);
  rows.into(found).run();
  return found;
}

} // namespace

result<core::backfill_preview> preview_backfill(session& db, core::rule_id rule, core::timestamp until,
                                                bool resend) {
  return guarded(db, "Counting a backfill", [&] { return count(db, need_rule(db, rule), until, resend); });
}

result<core::delivery_cursor> open_backfill(session& db, const core::backfill_start& start,
                                            core::timestamp now) {
  return guarded(db, "Starting a backfill", [&] {
    const auto rule = need_rule(db, start.rule);
    if (start.until > now)
      throw abandoned{{error::refused, "The backfill's bound lies in the future: the present moment is the "
                                       "latest that is allowed."}};
    open(db, start);
    const auto counted = count(db, rule, start.until, start.resend);
    if (counted.creates > start.creates)
      throw abandoned{{error::refused, "The backfill would now send " + std::to_string(counted.creates)
                                           + " creates, and " + std::to_string(start.creates)
                                           + " were confirmed: count again and confirm anew."}};
    auto cursor = needed(find_cursor(db, start.rule));
    confirm(db, start, rule.target, cursor->backfill_generation, now);
    return *cursor;
  });
}

result<bool> abort_backfill(session& db, core::rule_id rule, core::timestamp until, std::int64_t generation) {
  return guarded(db, "Aborting a backfill", [&] {
    return query(db, "UPDATE delivery_cursors SET backfill_until = NULL WHERE rule_id = :rule "
                     "AND backfill_until = :until AND backfill_generation = :generation")
               .use("rule", rule)
               .use("until", until)
               .use("generation", generation)
               .run()
           == 1;
  });
}

result<std::optional<core::backfill_confirmation>> latest_confirmation(session& db,
                                                                       core::connection_id target) {
  return guarded(db, "Finding a confirmation",
                 [&] { return newest_confirmation(db, "b.target_connection_id = :id", target.value); });
}

result<std::optional<core::backfill_confirmation>> latest_confirmation(session& db, core::rule_id rule) {
  return guarded(db, "Finding a confirmation", [&] {
    return newest_confirmation(
        db, "b.target_connection_id = (SELECT target_connection_id FROM sync_rules WHERE id = :id)",
        rule.value);
  });
}

result<std::optional<core::backfill_confirmation>> confirmation_in_progress(session& db, core::rule_id rule) {
  return guarded(db, "Finding the confirmation of a backfill", [&] {
    return newest_confirmation(
        db,
        "b.rule_id = :id AND (b.backfill_until, b.backfill_generation) = (SELECT backfill_until, "
        "backfill_generation FROM delivery_cursors WHERE rule_id = :id)",
        rule.value);
  });
}

result<std::optional<core::backfill_progress>> read_progress(session& db, core::rule_id rule) {
  return in_snapshot(db, "Reading a backfill's progress", [&]() -> std::optional<core::backfill_progress> {
    const auto cursor = needed(find_cursor(db, rule));
    const auto stored = needed(read_rule(db, rule));
    if (!cursor || !stored || !cursor->backfill_until)
      return std::nullopt;
    core::backfill_progress progress{*cursor->backfill_until, cursor->backfill_generation};
    progress.total = count_before(db, stored->rule, progress.until);
    progress.passed = count_before(db, stored->rule, cursor->backfill.changed_at)
                      + count_at(db, stored->rule, cursor->backfill);
    return progress;
  });
}

} // namespace sluice::storage
