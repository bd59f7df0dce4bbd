#include "storage/provider_event_append.hpp"

#include "core/error_text.hpp"
#include "core/provider_event_key.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "storage/provider_events.hpp"
#include "storage/report_body.hpp"
#include "storage/tenant_ids.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

std::string fitting(const std::string& text) {
  return core::error_text(text, core::provider_text_bytes_max);
}

/// The key is of what the provider gave, before anything is cut.
new_event prepared(const core::provider_event& given, core::provider_profile_id profile,
                   std::string_view digest) {
  const auto key = crypto::sha256(core::provider_event_key(profile, given, digest));
  new_event one{.what = given, .key = crypto::to_base64url(crypto::as_bytes(key))};
  for (auto* text : {&one.what.event_id, &one.what.provider_message_id, &one.what.attempt_id,
                     &one.what.provider_type, &one.what.detail})
    *text = fitting(*text);
  return one;
}

std::vector<new_report> prepared(session& db, std::span<const core::provider_report> reports,
                                 const crypto::key_ring& keys) {
  tenant_ids tenants(db);
  std::vector<new_report> made;
  made.reserve(reports.size());
  for (const auto& report : reports) {
    const auto digest = crypto::sha256(report.body);
    auto& one = made.emplace_back();
    one.what = &report;
    one.tenant = tenants.of(report.tenant);
    one.digest = crypto::to_hex(crypto::as_bytes(digest));
    one.sealed = sealed_report(report.profile, one.digest, report.body, keys);
    for (const auto& event : report.events)
      one.events.push_back(prepared(event, report.profile, one.digest));
  }
  return made;
}

class sqlite_append {
public:
  explicit sqlite_append(session& db)
      : report_(db, "INSERT INTO provider_reports (tenant_id, profile_id, source, received_at, digest, body, "
                    "events) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id"),
        known_(db, "SELECT event_id FROM provider_event_keys WHERE key = ?1"),
        event_(db, "INSERT INTO provider_events (report_id, tenant_id, profile_id, key, duplicate_of, "
                   "event_id, provider_message_id, attempt_id, type, provider_type, occurred_at, suppresses, "
                   "detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING id"),
        key_(db, "INSERT INTO provider_event_keys (key, event_id) VALUES (?1, ?2)"),
        pending_(db, "INSERT INTO pending_events (event_id) VALUES (?1)") {}

  void add(new_report& report) {
    const auto& what = *report.what;
    report_.bind(1, report.tenant).bind(2, what.profile.value).bind(3, core::to_string(what.source));
    report_.bind(4, what.received_at).bind(5, report.digest).bind(6, report.sealed);
    report_.bind(7, std::ssize(report.events));
    report.id = given_id(report_);
    event_.bind(1, report.id).bind(2, report.tenant).bind(3, what.profile.value);
    for (auto& one : report.events)
      add(one);
  }

private:
  static std::int64_t given_id(direct_statement& insert) {
    insert.next();
    const auto id = insert.number(0);
    insert.run();
    return id;
  }

  /// There is one writer: nobody writes the key between the look and the insert.
  void add(new_event& one) {
    known_.bind(1, one.key);
    one.duplicate_of = known_.next() ? known_.number(0) : 0;
    known_.reset();
    event_.bind(4, one.key).bind(6, one.what.event_id).bind(7, one.what.provider_message_id);
    event_.bind(5, one.duplicate_of != 0 ? std::optional(one.duplicate_of) : std::nullopt);
    event_.bind(8, one.what.attempt_id).bind(9, core::to_string(one.what.type));
    event_.bind(10, one.what.provider_type).bind(11, one.what.occurred_at);
    event_.bind(12, suppresses(one.what)).bind(13, one.what.detail);
    one.id = given_id(event_);
    if (one.duplicate_of != 0)
      return;
    key_.bind(1, one.key).bind(2, one.id).run();
    pending_.bind(1, one.id).run();
  }

  direct_statement report_, known_, event_, key_, pending_;
};

core::reports_appended summary_of(const std::vector<new_report>& reports) {
  core::reports_appended made;
  for (const auto& report : reports) {
    made.reports.push_back({report.id});
    made.events += std::ssize(report.events);
    made.duplicates +=
        std::ranges::count_if(report.events, [](const new_event& one) { return one.duplicate_of != 0; });
  }
  return made;
}

} // namespace

result<core::reports_appended> append_reports(session& db, std::span<const core::provider_report> reports,
                                              const crypto::key_ring& keys) {
  return guarded(db, "Keeping what a provider told", [&] {
    auto made = prepared(db, reports, keys);
    if (db.kind() == engine::postgresql && !made.empty()) {
      append_postgresql(db, made);
    } else if (!made.empty()) {
      sqlite_append append(db);
      for (auto& report : made)
        append.add(report);
    }
    return summary_of(made);
  });
}

} // namespace sluice::storage
