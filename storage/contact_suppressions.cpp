#include "storage/contact_suppressions.hpp"

#include "core/error_text.hpp"
#include "storage/audit.hpp"
#include "storage/contact_points.hpp"
#include "storage/dialect.hpp"

#include <nlohmann/json.hpp>

namespace sluice::storage {
namespace {

using nlohmann::json;

core::contact_record must_lock(session& db, core::contact_point_id contact) {
  auto found = lock_contact(db, contact);
  if (!found)
    throw abandoned{{error::not_found, "The contact point does not exist."}};
  return std::move(*found);
}

void write_suppression(session& db, core::contact_point_id contact,
                       const std::optional<core::contact_suppression>& stands, core::timestamp now) {
  query update(db, "UPDATE contact_points SET suppressed_reason = :reason, suppressed_detail = :detail, "
                   "suppressed_at = :at, suppressed_by = :by, retired_at = :retired_at, updated_at = :now "
                   "WHERE id = :id");
  if (stands)
    update.use("reason", core::to_string(stands->reason)).use("at", stands->at);
  else
    update.use_null("reason").use_null("at");
  const auto shown = stands.value_or(core::contact_suppression{});
  update.use("detail", shown.detail).use("by", shown.by).use("retired_at", shown.retired_at);
  update.use("now", now).use("id", contact).run();
}

struct audited_act {
  std::string_view act;
  std::string by;
  core::suppression_reason reason;
  std::string detail;
};

void audit(session& db, const core::contact_record& of, const audited_act& done, core::timestamp now) {
  const json details{{"reason", core::to_string(done.reason)},
                     {"detail", core::error_text(done.detail, core::suppression_detail_bytes_max)}};
  needed(add_audit(db, {.at = now,
                        .by = done.by,
                        .act = std::string(done.act),
                        .subject = of.public_id,
                        .tenant = of.tenant,
                        .details = details.dump(),
                        .count = 1}));
}

/// What comes to stand where `told` is known of it; false: nothing changes.
bool suppress(session& db, const core::contact_record& contact, core::contact_suppression told,
              core::timestamp now) {
  told.detail = core::error_text(std::move(told.detail), core::suppression_detail_bytes_max);
  const auto after = core::suppression_after(contact.suppression, told, contact.token_seen_at);
  if (!after)
    return false;
  write_suppression(db, contact.id, after, now);
  audit(db, contact, {"suppress_contact_point", after->by, after->reason, after->detail}, now);
  return true;
}

std::vector<core::contact_suppression> forget_removed(session& db, const keyed_address& address) {
  const auto condition =
      of_address(address) + " AND p.deleted_at IS NOT NULL AND p.fingerprint <> '' ORDER BY p.id";
  std::vector<core::contact_suppression> found;
  for (const auto& one : read_contacts(db, condition, [&](query& rows) { use_address(rows, address); })) {
    const auto forgotten = query(db, "UPDATE contact_points SET fingerprint = '', fingerprint_key = '' "
                                     "WHERE id = :id AND fingerprint <> ''")
                               .use("id", one.id)
                               .run();
    if (forgotten == 1 && one.suppression)
      found.push_back(*one.suppression);
  }
  return found;
}

} // namespace

result<bool> suppress_contact_point(session& db, core::contact_point_id contact,
                                    const core::contact_suppression& told) {
  return guarded(db, "Suppressing a contact point",
                 [&] { return suppress(db, must_lock(db, contact), told, told.at); });
}

result<bool> lift_suppression(session& db, const core::suppression_lifting& wanted, core::timestamp now) {
  return guarded(db, "Lifting a suppression", [&] {
    const auto contact = must_lock(db, wanted.contact);
    if (!contact.suppression)
      return false;
    write_suppression(db, contact.id, std::nullopt, now);
    audit(db, contact, {"lift_suppression", wanted.by, contact.suppression->reason, wanted.note}, now);
    return true;
  });
}

void note_registration(session& db, core::contact_point_id contact, core::timestamp registered_at,
                       const std::string& by, core::timestamp now) {
  const auto stored = must_lock(db, contact);
  if (!stored.token_seen_at || *stored.token_seen_at < registered_at)
    query(db, "UPDATE contact_points SET token_seen_at = :seen, updated_at = :now WHERE id = :id")
        .use("seen", registered_at)
        .use("now", now)
        .use("id", contact)
        .run();
  if (!stored.suppression || !core::is_outlived(*stored.suppression, registered_at))
    return;
  write_suppression(db, contact, std::nullopt, now);
  audit(db, stored, {"lift_suppression", by, stored.suppression->reason, "It was registered anew."}, now);
}

void take_over_suppressions(session& db, core::contact_point_id made, const keyed_address& address,
                            core::timestamp now) {
  for (const auto& told : forget_removed(db, address))
    suppress(db, must_lock(db, made), told, now);
}

} // namespace sluice::storage
