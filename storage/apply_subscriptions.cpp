#include "storage/apply_subscriptions.hpp"

#include "storage/audit.hpp"
#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"
#include "storage/subscriptions.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sluice::storage {
namespace {

constexpr auto paused_by_file = "The apply file has it paused.";

/// What is written with the row itself; the pause is an act of its own.
bool writes_row(const std::vector<std::string>& fields) {
  return std::ranges::any_of(fields, [](const std::string& field) { return field != "paused"; });
}

result<void> audit(session& db, const core::subscription& of, const std::string& by, const std::string& act,
                   core::timestamp now) {
  core::audit_entry entry;
  entry.at = now;
  entry.by = by;
  entry.act = act;
  entry.subject = of.public_id;
  entry.tenant = of.tenant;
  entry.count = 1;
  return add_audit(db, entry);
}

result<core::subscription> write_row(session& db, const apply_plan::subscription& entry,
                                     const std::string& by, const crypto::key_ring& keys,
                                     core::timestamp now) {
  if (entry.stored && !writes_row(entry.fields))
    return *entry.stored;
  auto written = entry.stored ? change_subscription(db, entry.wished, keys, now)
                              : make_subscription(db, entry.wished, entry.secret, keys, now);
  if (!written)
    return written;
  if (auto kept = audit(db, *written, by, entry.stored ? "change_subscription" : "make_subscription", now);
      !kept)
    return std::unexpected{kept.error()};
  return written;
}

/// Compare-and-set on the status `before`, which it was compared in: one that was disabled meanwhile stays
/// so.
result<void> write_pause(session& db, const core::subscription& there, core::subscription_status before,
                         core::subscription_status wished, const std::string& by, core::timestamp now) {
  if (before == wished)
    return {};
  const bool pauses = wished == core::subscription_status::paused;
  core::subscription_status_change change;
  change.subscription = there.id;
  change.from = before;
  change.to = wished;
  change.reason = pauses ? paused_by_file : "";
  auto changed = set_subscription_status(db, change, now);
  if (!changed)
    return std::unexpected{changed.error()};
  if (!*changed)
    return std::unexpected{failure{error::refused, "The status of subscription \"" + there.name
                                                       + "\" was changed meanwhile: apply again."}};
  return audit(db, there, by, pauses ? "pause_subscription" : "resume_subscription", now);
}

} // namespace

result<void> lock_tenants_of(session& db, const std::vector<core::subscription_wish>& wishes) {
  std::set<std::string> names;
  for (const auto& wish : wishes)
    names.insert(wish.written.tenant);
  return guarded(db, "Locking tenants", [&] {
    for (const auto& name : names) {
      std::int64_t id = 0;
      query(db, "SELECT id FROM tenants WHERE name = :name" + std::string(dialect::for_update(db.kind())))
          .use("name", name)
          .into(id)
          .run();
    }
  });
}

result<apply_plan::subscription> compare_subscription(session& db, const core::subscription_wish& wish,
                                                      const crypto::key_ring& keys,
                                                      std::vector<std::string>& refusals) {
  auto served = load_subscription(db, wish.written.tenant, wish.written.name, keys);
  if (!served)
    return std::unexpected{served.error()};
  apply_plan::subscription entry{{}, {}, {}, wish.secret};
  if (*served)
    entry.stored = std::move((*served)->settings);
  entry.wished = core::wished_subscription(entry.stored.value_or(core::subscription{}), wish);
  if (!entry.stored)
    return entry;
  entry.fields = core::changed_members(*entry.stored, entry.wished);
  if (entry.stored->mode != entry.wished.mode)
    refusals.push_back("subscription \"" + wish.written.name + "\" of tenant \"" + wish.written.tenant
                       + "\" stays " + std::string(core::to_string(entry.stored->mode))
                       + ": make another one.");
  return entry;
}

result<void> write_subscription(session& db, const apply_plan::subscription& entry, const std::string& by,
                                const crypto::key_ring& keys, core::timestamp now) {
  const auto there = write_row(db, entry, by, keys, now);
  if (!there)
    return std::unexpected{there.error()};
  const auto before = entry.stored ? entry.stored->status : core::subscription_status::active;
  return write_pause(db, *there, before, entry.wished.status, by, now);
}

} // namespace sluice::storage
