#include "storage/notifications.hpp"

#include "crypto/random.hpp"
#include "storage/contact_columns.hpp"
#include "storage/notification_columns.hpp"
#include "storage/notification_content.hpp"
#include "storage/notification_rows.hpp"
#include "storage/plans.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

#include <limits>

namespace sluice::storage {
namespace {

[[noreturn]] void abandon(error code, std::string sentence) {
  throw abandoned{{code, std::move(sentence)}};
}

/// The notification of the key, where it has one and it was asked for alike.
std::optional<core::notification_record> earlier(session& db, const core::notification_wish& wanted,
                                                 std::int64_t tenant) {
  if (wanted.idempotency_key.empty())
    return std::nullopt;
  core::notification_id id{};
  std::string digest;
  query(db, "SELECT id, request_digest FROM notifications WHERE tenant_id = :tenant "
            "AND idempotency_key = :key")
      .use("tenant", tenant)
      .use("key", wanted.idempotency_key)
      .into(id)
      .into(digest)
      .run();
  if (!id)
    return std::nullopt;
  if (digest != wanted.request_digest)
    abandon(error::refused, "This idempotency key was used for another notification.");
  return notification_of(db, id);
}

core::contact_record contact_of(session& db, const core::notification_wish& wanted, std::int64_t tenant) {
  auto found = read_contact(db, "p.id = :id AND p.tenant_id = :tenant AND p.deleted_at IS NULL",
                            [&](query& row) { row.use("id", wanted.contact).use("tenant", tenant); });
  if (!found)
    abandon(error::not_found, "The contact point does not exist.");
  return std::move(*found);
}

std::vector<std::int64_t> profiles_of(session& db, const core::notification_wish& wanted,
                                      std::int64_t tenant) {
  std::vector<std::int64_t> profiles;
  std::int64_t profile = 0;
  query rows(db, "SELECT s.profile_id FROM notification_routes AS r JOIN notification_route_steps AS s "
                 "ON s.route_id = r.id WHERE r.id = :route AND r.tenant_id = :tenant "
                 "AND r.deleted_at IS NULL ORDER BY s.place");
  rows.use("route", wanted.route).use("tenant", tenant).into(profile);
  while (rows.next())
    profiles.push_back(profile);
  if (profiles.empty())
    abandon(error::not_found, "The route does not exist.");
  return profiles;
}

core::notification_progress begin(const core::notification_terms& terms, const core::contact_record& contact,
                                  core::timestamp now) {
  auto progress = core::begin_notification(terms, now);
  if (!contact.suppression)
    return progress;
  core::notification_facts facts;
  facts.now = now;
  facts.suppressed = contact.suppression->reason;
  auto step = core::apply(progress, terms, core::notification_transition::refuse_suppressed, facts);
  return step ? std::move(step->now) : progress;
}

/// None: the key was used at this moment.
core::notification_id insert(session& db, const core::notification_wish& wanted, const tenant_row& tenant,
                             const crypto::key_ring& keys, core::timestamp now) {
  const auto contact = contact_of(db, wanted, tenant.id);
  const auto profiles = profiles_of(db, wanted, tenant.id);
  const core::notification_terms terms{static_cast<std::int32_t>(profiles.size()), wanted.expires_at};
  const auto progress = begin(terms, contact, now);
  const auto public_id = crypto::uuid_v7(now);
  core::notification_id id{};
  query insert(db, "INSERT INTO notifications (public_id, tenant_id, idempotency_key, request_digest, "
                   "contact_point_id, route, content, expires_at, state, profile_id, next_attempt_at, "
                   "error_class, error, created_at, updated_at) VALUES (:public_id, :tenant, :key, :digest, "
                   ":contact, :route, :content, :expires_at, :state, :profile, :due, :error_class, :error, "
                   ":now, :now) ON CONFLICT DO NOTHING RETURNING id");
  insert.use("public_id", public_id).use("tenant", tenant.id).use("digest", wanted.request_digest);
  insert.use("key", wanted.idempotency_key.empty() ? std::nullopt : std::optional(wanted.idempotency_key));
  insert.use("contact", wanted.contact).use("route", route_text(profiles));
  insert.use("content", seal_content(wanted.content, tenant.public_id, public_id, keys));
  insert.use("expires_at", wanted.expires_at).use("state", core::to_string(progress.state));
  insert.use("profile", profiles.front()).use("due", progress.due_at);
  insert.use("error_class", progress.error_class).use("error", progress.error).use("now", now);
  insert.into(id).run();
  return id;
}

/// The partial index of what went wrong is read where the state is one of its own: said in its words.
std::string of_state(core::notification_state state) {
  using enum core::notification_state;
  auto text = " AND n.state = '" + std::string(core::to_string(state)) + "'";
  if (state == ambiguous || state == rejected || state == failed || state == expired)
    text += " AND n.state IN ('ambiguous', 'rejected', 'failed', 'expired')";
  return text;
}

std::string condition_of(const core::notification_page& page) {
  auto text = "n.id < :before" + only_tenants_named(page.tenants, "t.name");
  if (page.tenant)
    text += " AND t.name = :tenant";
  if (page.state)
    text += of_state(*page.state);
  if (page.contact)
    text += " AND n.contact_point_id = :contact";
  return text + " ORDER BY n.id DESC LIMIT :limit";
}

class attempt_target {
public:
  void bind(query& rows) {
    rows.into(one_.id).into(one_.public_id).into(one_.number).into(one_.profile).into(one_.profile_name);
    rows.into(state_).into(one_.submitted_at).into(one_.ended_at).into(one_.provider_message_id);
    rows.into(cause_).into(one_.error_class).into(one_.error).into(told_).into(one_.told_at);
  }

  core::notification_attempt take() {
    one_.state = known(core::parse_notification_attempt_state(state_), "notification_attempts.state");
    one_.cause.reset();
    if (cause_)
      one_.cause = known(core::parse_rejection_cause(*cause_), "notification_attempts.cause");
    one_.told.reset();
    if (told_)
      one_.told = known(core::parse_provider_event_type(*told_), "attempt_projections.state");
    return one_;
  }

private:
  core::notification_attempt one_;
  std::string state_;
  std::optional<std::string> cause_;
  std::optional<std::string> told_;
};

} // namespace

result<core::made_notification> make_notification(session& db, const core::notification_wish& wanted,
                                                  const crypto::key_ring& keys, core::timestamp now) {
  return guarded(db, "Making a notification", [&] {
    find_by_index(db);
    const auto tenant = tenant_named(db, wanted.tenant);
    if (auto there = earlier(db, wanted, tenant.id))
      return core::made_notification{std::move(*there), false};
    if (const auto id = insert(db, wanted, tenant, keys, now))
      return core::made_notification{notification_of(db, id), true};
    auto there = earlier(db, wanted, tenant.id);
    if (!there)
      abandon(error::busy, "The notification of this idempotency key is being removed at this moment.");
    return core::made_notification{std::move(*there), false};
  });
}

result<std::optional<core::notification_record>> find_notification(session& db, std::string_view public_id,
                                                                   const core::tenant_scope& tenants) {
  return guarded(db, "Finding a notification", [&] {
    return read_notification(db, "n.public_id = :id" + only_tenants_named(tenants, "t.name"),
                             [&](query& row) {
                               row.use("id", public_id);
                               use_tenants(row, tenants);
                             });
  });
}

result<std::vector<core::notification_record>> list_notifications(session& db,
                                                                  const core::notification_page& page) {
  return guarded(db, "Listing notifications", [&] {
    return read_notifications(db, condition_of(page), [&](query& rows) {
      rows.use("before", page.before ? page.before.value : std::numeric_limits<std::int64_t>::max());
      rows.use("limit", page.limit);
      use_tenants(rows, page.tenants);
      if (page.tenant)
        rows.use("tenant", *page.tenant);
      if (page.contact)
        rows.use("contact", *page.contact);
    });
  });
}

result<std::vector<core::notification_attempt>> list_notification_attempts(session& db,
                                                                           core::notification_id notification,
                                                                           std::int64_t after_number,
                                                                           std::int64_t limit) {
  return guarded(db, "Listing attempts", [&] {
    query rows(db, "SELECT a.id, a.public_id, a.number, a.profile_id, (SELECT p.name "
                   "FROM provider_profiles AS p WHERE p.id = a.profile_id), a.state, a.submitted_at, "
                   "a.ended_at, a.provider_message_id, a.cause, a.error_class, a.error, r.state, r.at "
                   "FROM notification_attempts AS a LEFT JOIN attempt_projections AS r "
                   "ON r.attempt_id = a.id WHERE a.notification_id = :notification AND a.number > :after "
                   "ORDER BY a.number LIMIT :limit");
    rows.use("notification", notification).use("after", after_number).use("limit", limit);
    attempt_target target;
    target.bind(rows);
    std::vector<core::notification_attempt> listed;
    while (rows.next())
      listed.push_back(target.take());
    return listed;
  });
}

} // namespace sluice::storage
