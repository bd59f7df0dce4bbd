#include "app/explanation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace sluice::app {
namespace {

using namespace std::chrono_literals;

constexpr auto noon = core::timestamp{std::chrono::sys_days{std::chrono::year{2026} / 1 / 31} + 12h};

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
  out.record->id = core::record_id{1};
  out.record->source_id = "A1";
  out.record->content_changed_at = noon;
  out.record->payload = R"({"name":"Ann"})";
  out.cursor = core::delivery_cursor{};
  out.now = noon + 1min;
  return out;
}

core::ledger_row row(core::delivery_status status) {
  core::ledger_row out;
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
  about.row = row(core::delivery_status::delivered);
  about.row->target = core::target_state::active;
  about.row->remote_id = "77";
  about.row->delivered_content_changed_at = noon;
  CHECK(says(about, "The target holds it as \"77\""));
  CHECK(says(about, "There is nothing to send"));
  about.record->content_changed_at = noon + 1s;
  CHECK(says(about, "The next pass updates it"));
}

TEST_CASE("a failed record says after what it is tried again, and when") {
  auto about = facts();
  about.row = row(core::delivery_status::failed);
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
  const auto next = judge(about);
  REQUIRE(next);
  CHECK(next->what == core::action::refuse);
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
  about.target.status = core::connection_status::error;
  about.target.status_reason = "the token was refused";
  CHECK(says(about, "Rule to-crm is switched off"));
  CHECK(says(about, "Connection crm is error (the token was refused)"));
  CHECK_FALSE(says(about, "The next pass"));
}

TEST_CASE("a block of the target, an unsettled create and a bad run are named") {
  auto about = facts();
  about.blocked_until = noon + 2min;
  about.intent = core::intent{};
  about.intent->made_at = noon;
  about.latest_run = storage::listed_run{};
  about.latest_run->ending = core::run_ending::faulted;
  about.latest_run->reason = "unauthorized";
  CHECK(says(about, "Connection crm is throttled until 2026-01-31T12:02"));
  CHECK(says(about, "A create of it was begun at 2026-01-31T12:00"));
  CHECK(says(about, "is settled before anything else is sent"));
  CHECK(says(about, "latest run ended faulted (unauthorized)"));
}

TEST_CASE("every status has a sentence of its own") {
  std::vector<std::string> sentences;
  for (auto status = core::delivery_status::delivered; status <= core::delivery_status::exhausted;
       status = static_cast<core::delivery_status>(static_cast<int>(status) + 1)) {
    auto about = facts();
    about.row = row(status);
    sentences.push_back(explain_record(about).at(1));
  }
  std::ranges::sort(sentences);
  CHECK(std::ranges::adjacent_find(sentences) == sentences.end());
  CHECK(sentences.size() == 11);
}

} // namespace
} // namespace sluice::app
