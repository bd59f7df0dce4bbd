#include "core/explanation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr auto noon = timestamp{std::chrono::sys_days{std::chrono::year{2026} / 1 / 31} + 12h};

/// A rule that is open and a record that nothing was done about.
explanation_facts facts() {
  explanation_facts out;
  out.rule.name = "to-crm";
  out.rule.domain = "customers";
  out.rule.mapping = R"({"name":{"from":"/name","required":true}})";
  out.source.name = "shop";
  out.target.name = "crm";
  out.source_id = "A1";
  out.record.emplace();
  out.record->id = record_id{1};
  out.record->source_id = "A1";
  out.record->content_changed_at = noon;
  out.record->payload = R"({"name":"Ann"})";
  out.cursor = delivery_cursor{};
  out.now = noon + 1min;
  return out;
}

ledger_row row(delivery_status status) {
  ledger_row out;
  out.source_id = "A1";
  out.status = status;
  out.seen_content_changed_at = noon;
  out.seen_revision = 1;
  return out;
}

bool says(const explanation_facts& about, std::string_view part) {
  const auto sentences = explain_record(about);
  return std::ranges::any_of(sentences, [&](const auto& s) { return s.find(part) != std::string::npos; });
}

TEST_CASE("a new record is said to be created next") {
  CHECK(says(facts(),
             "Record \"A1\" of customers is in the mirror of shop, last changed at 2026-01-31T12:00:00"));
  CHECK(says(facts(), "has not recorded anything about it yet"));
  CHECK(says(facts(), "The next pass creates it"));
}

TEST_CASE("a delivered record names the target's id, and what a change would do") {
  auto about = facts();
  about.row = row(delivery_status::delivered);
  about.row->target = target_state::active;
  about.row->remote_id = "77";
  about.row->delivered_content_changed_at = noon;
  CHECK(says(about, "The target holds it as \"77\""));
  CHECK(says(about, "There is nothing to send"));
  about.record->content_changed_at = noon + 1s;
  CHECK(says(about, "The next pass updates it"));
}

TEST_CASE("a failed record says after what it is tried again, and when") {
  auto about = facts();
  about.row = row(delivery_status::failed);
  about.row->attempts = 2;
  about.row->error_class = "http_500";
  about.row->error = "the target failed";
  about.row->next_attempt_at = noon + 5min;
  CHECK(says(
      about,
      "It failed after 2 attempts (http_500: the target failed). It is tried again at 2026-01-31T12:05"));
  CHECK(says(about, "Nothing is sent for it now"));
  about.now = noon + 6min;
  CHECK(says(about, "The next pass creates it"));
}

TEST_CASE("a record that cannot be projected names the field") {
  auto about = facts();
  about.record->payload = "{}";
  const auto next = foresee(about);
  REQUIRE(next);
  CHECK(next->what == action::refuse);
  CHECK(says(about, "The next pass refuses it: name "));
}

TEST_CASE("a record the filter leaves out is said to be left out") {
  auto about = facts();
  about.rule.filter = R"({"field":"/name","equals":"Bob"})";
  CHECK(says(about, "the rule's filter does not let it through"));
}

TEST_CASE("what closes the rule is said instead of what would come next") {
  auto about = facts();
  about.rule.active = false;
  about.target.status = connection_status::error;
  about.target.status_reason = "the token was refused";
  CHECK(says(about, "Rule to-crm is switched off"));
  CHECK(says(about, "Connection crm is in error (the token was refused)"));
  CHECK_FALSE(says(about, "The next pass"));
}

TEST_CASE("a block of the target, an unsettled create and a bad run are named") {
  auto about = facts();
  about.blocked_until = noon + 2min;
  about.made = intent{};
  about.made->made_at = noon;
  about.latest_run = listed_run{};
  about.latest_run->ending = run_ending::faulted;
  about.latest_run->reason = "unauthorized";
  CHECK(says(about, "Connection crm is throttled until 2026-01-31T12:02"));
  CHECK(says(about, "A create of it was begun at 2026-01-31T12:00"));
  CHECK(says(about, "is settled before anything else is sent"));
  CHECK(says(about, "latest run ended faulted (unauthorized)"));
}

TEST_CASE("a stop says who stopped what, since when and why, and nothing about a next pass") {
  auto about = facts();
  delivery_stop stop;
  stop.set_at = noon - 1h;
  stop.set_by = "ann";
  stop.reason = "doubles in the CRM";
  about.stops = {stop};
  CHECK(says(about,
             "All delivery has been stopped since 2026-01-31T11:00:00.000000Z by ann (doubles in the CRM)"));
  CHECK_FALSE(says(about, "The next pass"));
  about.stops[0].target.scope = stop_scope::connection;
  CHECK(says(about, "Delivery into crm has been stopped"));
  about.stops[0].target.scope = stop_scope::rule;
  CHECK(says(about, "Rule to-crm has been stopped"));
}

TEST_CASE("a held record names the hold's finding, or that the hold has ended") {
  auto about = facts();
  about.rule.deletes = delete_policy::delete_record;
  about.record->deleted_at = noon;
  about.record->reason = deletion_reason::source_event;
  about.row = row(delivery_status::held);
  about.row->target = target_state::active;
  about.row->remote_id = "7";
  CHECK(says(about, "The hold has ended"));
  delivery_stop hold;
  hold.cause = stop_cause::volume_breaker;
  hold.target.scope = stop_scope::rule;
  hold.set_at = noon;
  hold.finding = hold_finding{501, 1000, 500};
  about.stops = {hold};
  CHECK(says(about, "which found 501 withdrawals where 500 may go (the target holds 1000 records)"));
  CHECK(says(about, "Nothing is sent for it now"));
  about.stops.clear();
  about.row->status = delivery_status::delivered;
  about.row->seen_content_changed_at = about.row->delivered_content_changed_at.emplace(noon - 1min);
  CHECK(says(about, "The next pass withdraws it"));
}

/// A record that waits for parent "P" of domain "customers".
explanation_facts waiting() {
  auto about = facts();
  about.rule.domain = "consents";
  about.rule.anchor_domain = "customers";
  about.rule.anchor_pointer = "/customer";
  about.row = row(delivery_status::awaiting_anchor);
  about.row->anchor_source_id = "P";
  about.parent.emplace();
  about.parent->rule_name = "customers-to-crm";
  about.parent->rule_active = true;
  about.parent->source_id = "P";
  about.parent->in_mirror = true;
  return about;
}

TEST_CASE("a waiting record says why its parent does not move") {
  auto about = waiting();
  CHECK(says(about, "Its parent \"P\" of customers has not been delivered (rule customers-to-crm)."));
  about.parent->rule_active = false;
  CHECK(says(about, "and that rule is switched off"));
  about.parent->deleted = true;
  CHECK(says(about, "was deleted at the source"));
  about.parent->in_mirror = false;
  CHECK(says(about, "is not in the mirror of shop"));
  about.parent->row = row(delivery_status::exhausted);
  about.parent->row->error = "no luck";
  CHECK(says(about, "is exhausted (rule customers-to-crm) (no luck): a person must reopen it first"));
  about.parent->row->status = delivery_status::remote_gone;
  CHECK(says(about, "is remote_gone (rule customers-to-crm) (no luck): a person must reopen it first"));
  about.parent->row->target = target_state::active;
  about.parent->row->remote_id = "77";
  CHECK(says(about, "is in the target as \"77\""));
  about.parent->source_id.clear();
  CHECK(says(about, "It names no parent: its payload has nothing at /customer"));
  about.parent->rule_name.clear();
  CHECK(says(about, "No rule delivers customers from shop to crm"));
}

TEST_CASE("a record nothing was recorded of is before the backfill's position, behind every one, or new") {
  auto about = facts();
  about.cursor->activated_at = noon + 30s;
  about.cursor->backfill_until = noon + 30s;
  CHECK(says(about,
             "the backfill up to 2026-01-31T12:00:30.000000Z has come to nothing yet and reaches it later"));
  about.cursor->backfill = {noon - 1h, record_id{9}};
  CHECK(says(about, "has come to 2026-01-31T11:00:00.000000Z and reaches it later"));
  about.cursor->backfill = {noon, record_id{1}};
  CHECK_FALSE(says(about, "reaches it later"));
  about.cursor->backfill_until.reset();
  CHECK(says(about, "no backfill is in progress. It goes out once it changes, or with a backfill"));
  about.cursor->activated_at = noon;
  CHECK_FALSE(says(about, "backfill"));
}

TEST_CASE("an open circuit, a suppressing rule and an ambiguous create say what holds") {
  auto about = facts();
  about.latest_run = listed_run{};
  about.latest_run->ending = run_ending::breaker_open;
  about.latest_run->ended_at = noon;
  CHECK(says(about, "The circuit of connection crm was open at 2026-01-31T12:00:00"));
  about.rule.updates = update_mode::create_only;
  about.row = row(delivery_status::suppressed);
  about.row->target = target_state::active;
  about.row->remote_id = "7";
  CHECK(says(about, "the target has it, and the rule only creates"));
  about.row = row(delivery_status::ambiguous);
  about.row_written_at = noon - 2min;
  CHECK(says(about, "It is ambiguous since 2026-01-31T11:58:00"));
}

TEST_CASE("every status has a sentence of its own") {
  std::vector<std::string> sentences;
  for (auto status = delivery_status::delivered; status <= delivery_status::exhausted;
       status = static_cast<delivery_status>(static_cast<int>(status) + 1)) {
    auto about = facts();
    about.row = row(status);
    sentences.push_back(explain_record(about).at(1));
  }
  std::ranges::sort(sentences);
  CHECK(std::ranges::adjacent_find(sentences) == sentences.end());
  CHECK(sentences.size() == 11);
}

} // namespace
} // namespace sluice::core
