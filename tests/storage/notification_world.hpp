#pragma once

#include "core/notification_record.hpp"
#include "core/notification_work.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/notification_routes.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"
#include "tests/core/notification_fixture.hpp"
#include "tests/storage/contact_world.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

/// A world where tenant "acme" has a contact point and a route over two profiles, "mail" and then "backup".
/// Each step is a transaction of its own.
struct notification_world : contact_world {
  explicit notification_world(storage::engine kind)
      : contact_world(kind), mail(make(profile("mail")).profile.id),
        backup(make(profile("backup")).profile.id), person(contact("ada@x.example")),
        route(make_route({"mail", "backup"})) {}

  core::notification_route_id make_route(const std::vector<std::string>& profiles) {
    core::notification_route wanted;
    wanted.tenant = "acme";
    wanted.name = "over " + profiles.front();
    for (const auto& each : profiles)
      wanted.steps.push_back({each, {}, {}});
    return committed(db(),
                     [&](storage::session& in) { return storage::make_notification_route(in, wanted, at()); })
        .id;
  }

  core::notification_wish wanted(const std::string& key = "") const {
    core::notification_wish made;
    made.tenant = "acme";
    made.idempotency_key = key;
    made.request_digest = "digest";
    made.contact = person.id;
    made.route = route;
    made.content.subject = "Your order";
    made.content.text = "It is on its way.";
    return made;
  }

  storage::result<core::made_notification> try_make(storage::session& in, const core::notification_wish& what,
                                                    core::timestamp now = at()) {
    return storage::transact(
        in, [&](storage::session& within) { return storage::make_notification(within, what, sealing, now); });
  }

  core::notification_record notify(const core::notification_wish& what) {
    return must(try_make(db(), what)).record;
  }
  core::notification_record notify() { return notify(wanted()); }

  [[nodiscard]] core::notification_claim_wish claim_wish(std::int64_t limit = 100) const {
    return {mail, limit, std::chrono::minutes{1}, {}};
  }

  core::notification_claims claim(const core::notification_claim_wish& wish, double seconds = 1) {
    return committed(db(), [&](storage::session& in) {
      return storage::claim_notifications(in, wish, sealing, at(seconds));
    });
  }
  core::notification_claims claim(double seconds = 1) { return claim(claim_wish(), seconds); }
  core::notification_claims claim_at_backup(double seconds) {
    auto wish = claim_wish();
    wish.profile = backup;
    return claim(wish, seconds);
  }

  /// Made, and its first attempt claimed.
  core::notification_record sent() {
    auto made = notify();
    REQUIRE(claim().notifications.size() == 1);
    return made;
  }

  core::submissions_recorded record(const std::vector<core::ended_submission>& ended, double seconds = 2,
                                    core::provider_profile_id profile = {}) {
    return committed(db(), [&](storage::session& in) {
      return storage::record_submissions(in, profile ? profile : mail, ended, {}, at(seconds));
    });
  }
  core::submissions_recorded record(const core::notification_record& of, core::submission_end end,
                                    double seconds = 2) {
    return record({{of.id, std::move(end)}}, seconds);
  }

  static core::submission_end accepted(const std::string& message, std::int64_t number = 1) {
    auto end = core::accepted_end(number);
    end.what.provider_message_id = message;
    return end;
  }

  static core::submission_end retryable(std::optional<core::timestamp> retry_at, std::int64_t number = 1) {
    auto end = core::retryable_end(true, number);
    end.retry_at = retry_at;
    return end;
  }

  storage::result<core::notification_record>
  try_settle(const core::notification_record& of, core::settlement_kind as, std::int64_t number = 0,
             core::notification_cause by = core::notification_cause::person) {
    core::notification_settlement found;
    found.notification = of.id;
    found.what = {number, as};
    found.by = by;
    found.who = "ada";
    found.note = "I asked them.";
    return storage::transact(
        db(), [&](storage::session& in) { return storage::settle_notification(in, found, at(100)); });
  }

  storage::result<core::notification_record> try_cancel(const core::notification_record& of) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::cancel_notification(in, {of.id, "ada", "A mistake."}, at(100));
    });
  }

  core::notification_record now(const core::notification_record& of) {
    const auto found = must(storage::find_notification(db(), of.public_id, {}));
    REQUIRE(found);
    return *found;
  }

  core::notification_state state(const core::notification_record& of) { return now(of).progress.state; }

  std::vector<core::notification_attempt> attempts(const core::notification_record& of) {
    return must(storage::list_notification_attempts(db(), of.id, 0, 100));
  }

  /// The numbers and states of its attempts: "1 retryable, 2 accepted".
  std::string history(const core::notification_record& of) {
    std::string text;
    for (const auto& one : attempts(of))
      text.append(text.empty() ? "" : ", ")
          .append(std::to_string(one.number) + " ")
          .append(core::to_string(one.state));
    return text;
  }

  /// A provider tells of a message, and it is projected; what that comes to is recorded.
  void append_event(core::provider_event event, double seconds = 2) {
    core::provider_report report;
    report.profile = mail;
    report.tenant = "acme";
    report.received_at = at(seconds);
    report.body = "{}";
    report.events.push_back(std::move(event));
    committed(db(), [&](storage::session& in) {
      return storage::append_reports(in, std::vector{report}, sealing);
    });
  }

  static core::provider_event event(core::provider_event_type type, const std::string& message,
                                    const std::string& attempt = "") {
    core::provider_event made;
    made.event_id = std::string(core::to_string(type)) + message + attempt;
    made.provider_message_id = message;
    made.attempt_id = attempt;
    made.type = type;
    made.provider_type = core::to_string(type);
    made.occurred_at = at(2);
    return made;
  }

  core::told_recorded project(double seconds = 3) {
    return committed(db(), [&](storage::session& in) -> storage::result<core::told_recorded> {
      const auto told = storage::project_events(in, 100, {}, at(seconds));
      if (!told)
        return std::unexpected{told.error()};
      return storage::record_told(in, *told, at(seconds));
    });
  }

  [[nodiscard]] std::string count(const std::string& from) const {
    return value("SELECT count(*) FROM " + from);
  }

  core::provider_profile_id mail;
  core::provider_profile_id backup;
  core::contact_record person;
  core::notification_route_id route;
};

} // namespace sluice::tests
