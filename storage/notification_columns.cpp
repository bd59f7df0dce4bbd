#include "storage/notification_columns.hpp"

#include "core/stop.hpp"
#include "storage/notification_rows.hpp"

namespace sluice::storage {
namespace {

class record_target {
public:
  void bind(query& rows) {
    auto& progress = one_.progress;
    rows.into(one_.id).into(one_.public_id).into(one_.tenant).into(one_.idempotency_key);
    rows.into(one_.contact).into(one_.contact_public_id).into(one_.profile).into(one_.profile_name);
    rows.into(route_).into(one_.terms.expires_at).into(state_).into(progress.place);
    rows.into(progress.attempts).into(progress.place_attempts).into(progress.due_at).into(lease_until_);
    rows.into(progress.error_class).into(progress.error).into(one_.created_at).into(one_.updated_at);
    rows.into(stopped_by_).into(stopped_for_);
  }

  core::notification_record take() {
    one_.terms.route_length = static_cast<std::int32_t>(route_of(route_).size());
    one_.progress.state = known(core::parse_notification_state(state_), "notifications.state");
    one_.progress.claim.reset();
    if (lease_until_)
      one_.progress.claim = core::attempt_claim{one_.progress.attempts, *lease_until_};
    one_.stopped.clear();
    if (stopped_by_)
      one_.stopped = core::stopped_by(*stopped_by_, stopped_for_.value_or(""));
    return one_;
  }

private:
  core::notification_record one_;
  std::string route_;
  std::string state_;
  std::optional<core::timestamp> lease_until_;
  std::optional<std::string> stopped_by_, stopped_for_; ///< of the oldest stop that reaches it
};

/// A column of the oldest stop that keeps a queued notification waiting.
std::string of_stop(const std::string& column) {
  return "CASE n.state WHEN 'queued' THEN (SELECT s." + column
         + " FROM delivery_stops AS s WHERE s.ended_at IS NULL AND s.cause = 'manual' AND (s.scope = "
           "'global' "
           "OR (s.scope = 'profile' AND s.profile_id = n.profile_id)) ORDER BY s.set_at, s.id LIMIT 1) END";
}

} // namespace

std::vector<core::notification_record> read_notifications(session& db, const std::string& condition,
                                                          const std::function<void(query&)>& bind) {
  query rows(db,
             "SELECT n.id, n.public_id, t.name, n.idempotency_key, n.contact_point_id, "
             "(SELECT c.public_id FROM contact_points AS c WHERE c.id = n.contact_point_id), n.profile_id, "
             "(SELECT p.name FROM provider_profiles AS p WHERE p.id = n.profile_id), n.route, n.expires_at, "
             "n.state, n.place, n.attempts, n.place_attempts, n.next_attempt_at, n.lease_until, "
             "n.error_class, n.error, n.created_at, n.updated_at, "
                 + of_stop("set_by") + ", " + of_stop("reason")
                 + " FROM notifications AS n "
                   "JOIN tenants AS t ON t.id = n.tenant_id WHERE "
                 + condition);
  bind(rows);
  record_target target;
  target.bind(rows);
  std::vector<core::notification_record> found;
  while (rows.next())
    found.push_back(target.take());
  return found;
}

std::optional<core::notification_record> read_notification(session& db, const std::string& condition,
                                                           const std::function<void(query&)>& bind) {
  auto found = read_notifications(db, condition, bind);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

core::notification_record notification_of(session& db, core::notification_id id) {
  return known(read_notification(db, "n.id = :id", [&](query& row) { row.use("id", id); }),
               "notifications.id");
}

} // namespace sluice::storage
