#include "storage/delivery_rows.hpp"
#include "storage/provider_events.hpp"
#include "storage/report_body.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_sql.hpp"

#include <functional>
#include <limits>

namespace sluice::storage {
namespace {

constexpr std::string_view selected =
    "SELECT e.id, e.report_id, t.name, e.profile_id, r.source, r.received_at, e.event_id, "
    "e.provider_message_id, e.attempt_id, e.type, e.provider_type, e.occurred_at, e.suppresses, e.detail, "
    "e.duplicate_of, m.attempt_id, u.event_id FROM provider_events AS e JOIN provider_reports AS r "
    "ON r.id = e.report_id JOIN tenants AS t ON t.id = e.tenant_id LEFT JOIN matched_events AS m "
    "ON m.event_id = e.id LEFT JOIN unmatched_events AS u ON u.event_id = e.id WHERE ";

/// Where a query puts an event.
class kept_event_target {
public:
  void bind(query& rows) {
    auto& what = event_.what;
    rows.into(event_.id).into(event_.report).into(event_.tenant).into(event_.profile).into(source_);
    rows.into(event_.received_at).into(what.event_id).into(what.provider_message_id).into(what.attempt_id);
    rows.into(type_).into(what.provider_type).into(what.occurred_at).into(suppresses_).into(what.detail);
    rows.into(duplicate_of_).into(attempt_).into(unmatched_);
  }

  [[nodiscard]] core::kept_event take() {
    event_.source = known(core::parse_report_source(source_), "provider_reports.source");
    event_.what.type = known(core::parse_provider_event_type(type_), "provider_events.type");
    event_.what.suppresses.reset();
    if (suppresses_)
      event_.what.suppresses =
          known(core::parse_suppression_reason(*suppresses_), "provider_events.suppresses");
    event_.duplicate_of.reset();
    if (duplicate_of_)
      event_.duplicate_of = core::provider_event_id{*duplicate_of_};
    event_.attempt.reset();
    if (attempt_)
      event_.attempt = core::notification_attempt_id{*attempt_};
    event_.progress = progress();
    return event_;
  }

private:
  [[nodiscard]] core::event_progress progress() const {
    using enum core::event_progress;
    if (duplicate_of_)
      return duplicate;
    return attempt_ ? matched : unmatched_ ? unmatched : pending;
  }

  core::kept_event event_;
  std::string source_, type_;
  std::optional<std::string> suppresses_;
  std::optional<std::int64_t> duplicate_of_, attempt_, unmatched_;
};

std::vector<core::kept_event> read(session& db, const std::string& condition,
                                   const std::function<void(query&)>& bind) {
  std::vector<core::kept_event> found;
  kept_event_target target;
  query rows(db, std::string(selected) + condition);
  bind(rows);
  target.bind(rows);
  while (rows.next())
    found.push_back(target.take());
  return found;
}

std::string_view condition_of(core::event_progress progress) {
  switch (progress) {
  case core::event_progress::pending:
    return " AND e.id IN (SELECT event_id FROM pending_events)";
  case core::event_progress::unmatched:
    return " AND e.id IN (SELECT event_id FROM unmatched_events)";
  case core::event_progress::matched:
    return " AND m.event_id IS NOT NULL";
  case core::event_progress::duplicate:
    return " AND e.duplicate_of IS NOT NULL";
  }
  return "";
}

std::string condition_of(const core::kept_event_page& page) {
  std::string text = "e.id < :before" + only_tenants_named(page.tenants, "t.name");
  if (page.profile)
    text += " AND e.profile_id = :profile";
  if (page.attempt)
    text += " AND e.id IN (SELECT event_id FROM matched_events WHERE attempt_id = :attempt)";
  if (!page.provider_message_id.empty())
    text += " AND e.provider_message_id = :message";
  if (page.progress)
    text += condition_of(*page.progress);
  return text;
}

void use_condition(query& rows, const core::kept_event_page& page) {
  rows.use("before", page.before ? page.before.value : std::numeric_limits<std::int64_t>::max());
  use_tenants(rows, page.tenants);
  if (page.profile)
    rows.use("profile", *page.profile);
  if (page.attempt)
    rows.use("attempt", *page.attempt);
  if (!page.provider_message_id.empty())
    rows.use("message", page.provider_message_id);
}

} // namespace

result<std::vector<core::attempt_projection>>
read_projections(session& db, std::span<const core::notification_attempt_id> attempts) {
  return guarded(db, "Reading what became of attempts", [&] {
    std::vector<std::int64_t> ids;
    for (const auto id : attempts)
      ids.push_back(id.value);
    std::vector<core::attempt_projection> found;
    core::attempt_projection one;
    std::string state;
    std::optional<std::int64_t> event;
    query rows(db, "SELECT attempt_id, state, rank, at, event_key, event_id, updated_at "
                   "FROM attempt_projections WHERE "
                       + in_list(db.kind(), "attempt_id", "ids") + " ORDER BY attempt_id");
    rows.use("ids", integer_list(db.kind(), ids)).into(one.attempt).into(state).into(one.told.rank);
    rows.into(one.told.at).into(one.told.event).into(event).into(one.updated_at);
    while (rows.next()) {
      one.told.state = known(core::parse_provider_event_type(state), "attempt_projections.state");
      one.event.reset();
      if (event)
        one.event = core::provider_event_id{*event};
      found.push_back(one);
    }
    return found;
  });
}

result<std::vector<core::kept_event>> list_provider_events(session& db, const core::kept_event_page& page) {
  return guarded(db, "Listing providers' events", [&] {
    return read(db, condition_of(page) + " ORDER BY e.id DESC LIMIT :limit", [&](query& rows) {
      use_condition(rows, page);
      rows.use("limit", page.limit);
    });
  });
}

result<std::optional<std::string>> open_report(session& db, core::provider_report_id id,
                                               const core::tenant_scope& tenants,
                                               const crypto::key_ring& keys) {
  return guarded(db, "Opening what a provider told", [&]() -> std::optional<std::string> {
    core::provider_profile_id profile{};
    std::string digest, body;
    query rows(db, "SELECT r.profile_id, r.digest, r.body FROM provider_reports AS r JOIN tenants AS t "
                   "ON t.id = r.tenant_id WHERE r.id = :id"
                       + only_tenants_named(tenants, "t.name"));
    rows.use("id", id);
    use_tenants(rows, tenants);
    rows.into(profile).into(digest).into(body);
    if (!rows.next())
      return std::nullopt;
    return opened_report(profile, digest, body, keys);
  });
}

} // namespace sluice::storage
