#include "core/provider_event_rank.hpp"
#include "storage/soci_session.hpp"
#include "tests/storage/provider_world.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::provider_event_type;

namespace {

/// What counts in the end is in the middle, beside one of its rank without a time.
std::vector<core::provider_event> history(const string& message) {
  return {provider_world::event(sent, message + "-1", message, at(1)),
          provider_world::event(soft_bounced, message + "-2", message, std::nullopt),
          provider_world::event(soft_bounced, message + "-3", message, at(3)),
          provider_world::event(delivered, message + "-4", message, at(4)),
          provider_world::event(other, message + "-5", message, at(5))};
}

} // namespace

TEST_CASE("a batch says what was told of each attempt, and what its events suppress, once") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  auto told = w.event(bounced, "e-1", "m-1", std::nullopt);
  told.suppresses = core::suppression_reason::hard_bounce;
  w.append({w.report({w.event(sent, "e-0"), told})});
  w.append(told);
  const auto done = w.project();
  REQUIRE(done.attempts.size() == 1);
  CHECK(done.attempts[0].attempt.value == 1);
  CHECK(done.attempts[0].notification.value == 1);
  CHECK(done.attempts[0].number == 1);
  CHECK(done.attempts[0].told.state == bounced);
  CHECK(done.attempts[0].moved);
  REQUIRE(done.suppressions.size() == 1);
  CHECK(done.suppressions[0].reason == core::suppression_reason::hard_bounce);
  CHECK(done.suppressions[0].at == at(1));
  CHECK(done.suppressions[0].notification.value == 1);
  w.append({w.report({w.event(delivered, "e-2"), w.event(other, "e-3")})});
  const auto after = w.project();
  REQUIRE(after.attempts.size() == 1);
  CHECK(after.attempts[0].told.state == delivered);
  CHECK_FALSE(after.attempts[0].moved);
  CHECK(after.suppressions.empty());
  CHECK(w.state_of(1) == bounced);
  CHECK(w.project().looked_at == 0);
}

TEST_CASE("an event that says nothing of the message is told and projected to nothing") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  w.append(w.event(other, "opened"));
  const auto done = w.project();
  REQUIRE(done.attempts.size() == 1);
  CHECK_FALSE(done.attempts[0].told.state);
  CHECK_FALSE(done.attempts[0].moved);
  CHECK_FALSE(w.state_of(1));
  CHECK(w.count("matched_events") == "1");
}

TEST_CASE("every order of a history, one by one or together, ends in one projection") {
  provider_world w(GENERATE(from_range(engines())));
  const auto batch = GENERATE(1, 3, 1000);
  const auto events = history("m");
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::int64_t attempts = 0;
  do {
    w.attempt(++attempts);
    std::vector<core::provider_report> arrived;
    for (const auto place : order) {
      auto event = events[place];
      event.event_id += w.attempt_name(attempts);
      event.attempt_id = w.attempt_name(attempts);
      arrived.insert(arrived.end(), 2, w.report({event}));
    }
    w.append(arrived);
  } while (std::ranges::next_permutation(order).found);
  while (w.project(batch).looked_at == batch) {
  }
  const auto found = w.projections(attempts);
  CHECK(found.size() == 24);
  for (const auto& [id, told] : found) {
    INFO("attempt " << id);
    CHECK(told.state == soft_bounced);
    CHECK(told.at == at(3));
  }
}

TEST_CASE("what the statement keeps is what the rank decides") {
  provider_world w(GENERATE(from_range(engines())));
  std::vector<core::provider_event> told;
  for (const auto type : {sent, bounced, bounced, delivered, complained, undelivered})
    for (const auto& moment : {std::optional(at(3)), std::optional(at(2)), std::optional<core::timestamp>{}})
      told.push_back(w.event(type, "e-" + std::to_string(told.size()), "m-1", moment));
  w.attempt(1, "m-1");
  core::projection expected;
  for (const auto& one : told) {
    w.append(one);
    const auto key = w.value("SELECT key FROM provider_events ORDER BY id DESC LIMIT 1");
    expected = core::project(expected, {one.type, one.occurred_at, key});
    w.project();
    CHECK(w.projections(1)[1] == expected);
  }
  CHECK(expected.state == complained);
}

TEST_CASE("a node that ends between append and projection, or within it, projects after its next start") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  w.append({w.report({w.event(sent, "a"), w.event(delivered, "b")})});
  {
    auto ended = w.session();
    must(ended.begin());
    const auto lost = must(storage::project_events(ended, 10, {}, at(2)));
    CHECK(lost.attempts.size() == 1);
    ended.rollback();
  }
  CHECK_FALSE(w.state_of(1));
  CHECK(w.project(1).looked_at == 1);
  CHECK(w.state_of(1) == sent);
  CHECK(w.project(10).looked_at == 1);
  CHECK(w.state_of(1) == delivered);
}

TEST_CASE("a pending event that retention took at that moment is passed over") {
  provider_world w(GENERATE(from_range(engines())));
  w.execute("INSERT INTO pending_events (event_id) VALUES (999)");
  const auto done = w.project(1);
  CHECK(done.looked_at == 1);
  CHECK(done.unmatched == 0);
  CHECK(w.count("pending_events") == "0");
  CHECK(w.count("unmatched_events") == "0");
}

TEST_CASE("two that project at once project each event, and come to the same") {
  provider_world w(GENERATE(from_range(engines())));
  constexpr int attempts = 20;
  for (int id = 1; id <= attempts; ++id) {
    const auto message = "m-" + std::to_string(id);
    w.attempt(id, message);
    w.append({w.report(history(message))});
  }
  std::atomic<std::int64_t> looked_at = 0;
  const auto project_all = [&] {
    auto db = w.session();
    for (int tries = 0; tries < 1000 && looked_at < 5 * attempts; ++tries)
      if (const auto done = storage::transact(
              db, [](storage::session& in) { return storage::project_events(in, 3, {}, at(2)); }))
        looked_at += done->looked_at;
  };
  {
    std::jthread one(project_all), two(project_all);
  }
  CHECK(looked_at == 5 * attempts);
  const auto found = w.projections();
  CHECK(found.size() == attempts);
  CHECK(std::ranges::all_of(found, [](const auto& of) { return of.second.at == at(3); }));
}

TEST_CASE("projections made anew from the events are the same, whatever stood in their place") {
  provider_world w(GENERATE(from_range(engines())));
  const auto batch = GENERATE(1, 7, 1000);
  for (int id = 1; id <= 10; ++id) {
    const auto message = "m-" + std::to_string(id);
    auto events = history(message);
    events.resize(static_cast<std::size_t>(id % 5) + 1);
    w.attempt(id, message);
    w.append({w.report(events), w.report(events)});
  }
  w.project();
  const auto before = w.projections();
  REQUIRE(before.size() == 10);
  CHECK(w.rebuild(batch) == 30);
  CHECK(w.projections() == before);
  w.execute("DELETE FROM attempt_projections WHERE attempt_id IN (1, 4, 10)");
  w.execute("UPDATE attempt_projections SET state = 'complained', rank = 99 WHERE attempt_id = 2");
  w.execute("INSERT INTO attempt_projections (attempt_id, state, rank, event_key, event_id, updated_at) "
            "VALUES (55, 'sent', 2, 'k', 999, 1)");
  w.rebuild(batch);
  CHECK(w.projections() == before);
}

TEST_CASE("what stands on an event that retention took stands until a kept one says more") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  w.append(w.event(bounced, "a"));
  w.project();
  committed(w.db(), [&](storage::session& in) { return storage::prune_reports(in, at(10), 100); });
  w.append(w.event(delivered, "b"));
  w.project();
  w.rebuild(10);
  CHECK(w.state_of(1) == bounced);
  w.append(w.event(complained, "c"));
  w.project();
  w.rebuild(10);
  CHECK(w.state_of(1) == complained);
}

TEST_CASE("what projects reads no table whole that was empty when its plans were made") {
  if (std::ranges::count(engines(), storage::engine::postgresql) == 0)
    return;
  provider_world w(storage::engine::postgresql);
  for (const auto* table : {"pending_events", "matched_events", "provider_events", "attempt_projections"})
    w.execute(std::string("VACUUM ANALYZE ") + table);
  // PostgreSQL counts for a session what it has not told the others of yet: also of transactions before this
  // one.
  const auto counted = [](storage::session& in) {
    std::int64_t scans = 0;
    storage::query(in,
                   "SELECT sum(seq_scan) FROM pg_stat_xact_user_tables WHERE relname IN ('pending_events', "
                   "'matched_events', 'provider_events', 'attempt_projections')")
        .into(scans)
        .run();
    return scans;
  };
  const auto whole_reads = [&](auto act) {
    return committed(w.db(), [&](storage::session& in) -> storage::result<std::int64_t> {
      const auto before = counted(in);
      if (auto done = act(in); !done)
        return std::unexpected{done.error()};
      return counted(in) - before;
    });
  };
  for (std::int64_t id = 1; id <= 3; ++id) {
    w.attempt(id, "m-" + std::to_string(id));
    w.append(w.event(core::provider_event_type::sent, "e-" + std::to_string(id), "m-" + std::to_string(id)));
    CHECK(whole_reads([](storage::session& in) {
            return storage::project_events(in, 10, core::reconciliation_schedule{}, at(2));
          })
          == 0);
  }
  w.execute("DELETE FROM attempt_projections");
  CHECK(whole_reads([](storage::session& in) { return storage::rebuild_projections(in, {0}, 2, at(3)); })
        == 0);
  CHECK(w.projections().size() == 2);
}
