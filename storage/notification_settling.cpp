#include "storage/notification_settling.hpp"

#include "core/assertion.hpp"
#include "core/provider_report.hpp"
#include "storage/audit.hpp"
#include "storage/notification_columns.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"

#include <nlohmann/json.hpp>

namespace sluice::storage {
namespace {

using nlohmann::json;
using enum core::notification_transition;

[[noreturn]] void refuse(const core::transition_refusal& why) {
  throw abandoned{{error::refused, "The notification cannot go on so: " + why.sentence + "."}};
}

struct audited_act {
  std::string_view act;
  std::string by;
  json details;
};

void audit(session& db, const core::notification_record& of, const audited_act& done, core::timestamp now) {
  needed(add_audit(db, {.at = now,
                        .by = done.by,
                        .act = std::string(done.act),
                        .subject = of.public_id,
                        .tenant = of.tenant,
                        .details = done.details.dump(-1, ' ', false, json::error_handler_t::replace),
                        .count = 1}));
}

core::provider_profile_id profile_of(session& db, core::notification_id id) {
  core::provider_profile_id profile{};
  query(db, "SELECT profile_id FROM notifications WHERE id = :id").use("id", id).into(profile).run();
  return profile;
}

} // namespace

void match_found_message(session& db, core::provider_profile_id profile,
                         const std::string& provider_message_id) {
  if (provider_message_id.empty())
    return;
  const core::named_attempt named{{}, profile, provider_message_id};
  static_cast<void>(needed(match_early_events(db, {&named, 1})));
}

std::optional<core::transition_refusal> settle_row(notification_changes& changes, notification_row& row,
                                                   const core::notification_settlement& found,
                                                   core::timestamp now) {
  const bool accepted = found.what.kind == core::settlement_kind::accepted;
  core::notification_facts facts;
  facts.by = found.by;
  facts.now = now;
  facts.settled = found.what;
  if (found.what.number == 0)
    facts.settled->number = row.progress.attempts;
  if (auto refused = changes.apply(row, accepted ? settle_as_accepted : settle_as_not_sent, facts))
    return refused;
  if (accepted)
    changes.note_message({row.id, row.progress.attempts}, found.provider_message_id);
  return std::nullopt;
}

result<core::notification_record> settle_notification(session& db, const core::notification_settlement& found,
                                                      core::timestamp now) {
  using cause = core::notification_cause;
  core::assert_that(found.by == cause::person || found.by == cause::reconciler,
                    "an ambiguity is settled by who found out");
  return guarded(db, "Settling a notification", [&] {
    match_found_message(db, profile_of(db, found.notification), found.provider_message_id);
    auto row = lock_notification(db, found.notification);
    const core::reconciliation_schedule looks;
    notification_changes changes(db, looks, now);
    if (const auto refused = settle_row(changes, row, found, now))
      refuse(*refused);
    changes.write();
    auto settled = notification_of(db, found.notification);
    if (found.by == cause::person)
      audit(db, settled,
            {"settle_notification", found.who,
             json{{"as", core::to_string(found.what.kind)},
                  {"attempt", row.progress.attempts},
                  {"note", found.note}}},
            now);
    return settled;
  });
}

result<core::notification_record>
cancel_notification(session& db, const core::notification_cancellation& wanted, core::timestamp now) {
  return guarded(db, "Cancelling a notification", [&] {
    auto row = lock_notification(db, wanted.notification);
    const core::reconciliation_schedule looks;
    notification_changes changes(db, looks, now);
    core::notification_facts facts;
    facts.by = core::notification_cause::person;
    facts.now = now;
    if (const auto refused = changes.apply(row, cancel, facts))
      refuse(*refused);
    changes.write();
    auto cancelled = notification_of(db, wanted.notification);
    audit(db, cancelled, {"cancel_notification", wanted.who, json{{"note", wanted.note}}}, now);
    return cancelled;
  });
}

} // namespace sluice::storage
