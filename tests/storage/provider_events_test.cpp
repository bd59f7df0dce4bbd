#include "tests/storage/provider_world.hpp"

#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::provider_event_type;

namespace {

core::tenant_scope only(const string& tenant) {
  core::tenant_scope scope;
  scope.names = {tenant};
  return scope;
}

std::vector<string> listed(provider_world& w, const core::kept_event_page& page) {
  std::vector<string> ids;
  for (const auto& one : must(storage::list_provider_events(w.db(), page)))
    ids.push_back(one.what.event_id);
  return ids;
}

constexpr int rounds = 20;

struct append_tally {
  std::atomic<std::int64_t> fresh = 0, duplicates = 0, failed = 0;
};

/// Two events a round, in this order or the other.
void append_rounds(provider_world& w, bool swapped, append_tally& tally) {
  auto db = w.session();
  for (int round = 0; round < rounds; ++round) {
    auto first = w.event(sent, "a-" + std::to_string(round));
    auto second = w.event(sent, "b-" + std::to_string(round));
    if (swapped)
      std::swap(first, second);
    const auto made = w.try_append(db, {w.report({first, second})});
    tally.failed += made ? 0 : 1;
    tally.duplicates += made ? made->duplicates : 0;
    tally.fresh += made ? made->events - made->duplicates : 0;
  }
}

} // namespace

TEST_CASE("what a provider told is kept as it came, and sealed") {
  provider_world w(GENERATE(from_range(engines())));
  auto told = w.event(bounced, "e-1");
  told.attempt_id = "ours";
  told.suppresses = core::suppression_reason::hard_bounce;
  told.detail = "550 5.1.1";
  const auto made = w.append({w.report({told, w.event(other, "e-2", "m-2", std::nullopt)})});
  REQUIRE(made.reports.size() == 1);
  CHECK(made.events == 2);
  CHECK(made.duplicates == 0);
  CHECK(w.count("provider_reports WHERE body LIKE '%person%'") == "0");
  const auto body = must(storage::open_report(w.db(), made.reports[0], {}, w.keys()));
  CHECK(body == R"({"to":"person@example.com"})");
  CHECK_FALSE(must(storage::open_report(w.db(), made.reports[0], only("globex"), w.keys())));

  const auto events = must(storage::list_provider_events(w.db(), {}));
  REQUIRE(events.size() == 2);
  CHECK(events[0].what.event_id == "e-2");
  CHECK_FALSE(events[0].what.occurred_at);
  CHECK_FALSE(events[0].what.suppresses);
  const auto& kept = events[1];
  CHECK(kept.tenant == "acme");
  CHECK(kept.profile == mailer);
  CHECK(kept.report == made.reports[0]);
  CHECK(kept.source == core::report_source::callback);
  CHECK(kept.received_at == at(1));
  CHECK(kept.progress == core::event_progress::pending);
  CHECK_FALSE(kept.duplicate_of);
  CHECK_FALSE(kept.attempt);
  CHECK(kept.what.provider_message_id == "m-1");
  CHECK(kept.what.attempt_id == "ours");
  CHECK(kept.what.type == bounced);
  CHECK(kept.what.provider_type == "bounced");
  CHECK(kept.what.occurred_at == at());
  CHECK(kept.what.suppresses == core::suppression_reason::hard_bounce);
  CHECK(kept.what.detail == "550 5.1.1");
}

TEST_CASE(
    "an event told again is kept as a duplicate of the first, with an id of the provider's or without") {
  provider_world w(GENERATE(from_range(engines())));
  const auto id = GENERATE(as<string>(), "e-1", "");
  w.append(w.event(sent, "before"));
  const auto one = w.report({w.event(delivered, id)}, "a body");
  CHECK(w.append({one}).duplicates == 0);
  CHECK(w.append({one, one}).duplicates == 2);
  const auto events = must(storage::list_provider_events(w.db(), {}));
  REQUIRE(events.size() == 4);
  CHECK(events[0].progress == core::event_progress::duplicate);
  CHECK(events[0].duplicate_of == events[2].id);
  CHECK(events[1].duplicate_of == events[2].id);
  CHECK_FALSE(events[2].duplicate_of);
  CHECK(w.count("provider_reports") == "4");
  CHECK(w.count("pending_events") == "2");
  auto elsewhere = one;
  elsewhere.profile = other_mailer;
  CHECK(w.append({elsewhere}).duplicates == 0);
}

TEST_CASE("an event twice in one batch is new once") {
  provider_world w(GENERATE(from_range(engines())));
  const auto made = w.append({w.report({w.event(sent, "e-1"), w.event(sent, "e-1")}),
                              w.report({w.event(sent, "e-2"), w.event(sent, "e-1")})});
  CHECK(made.events == 4);
  CHECK(made.duplicates == 2);
  CHECK(w.count("pending_events") == "2");
}

TEST_CASE("a callback without events is kept, and so is one with an empty body") {
  provider_world w(GENERATE(from_range(engines())));
  CHECK(w.append({w.report({})}).reports.size() == 1);
  const auto made = w.append({w.report({w.event(sent, "e-1")}, "")});
  CHECK(must(storage::open_report(w.db(), made.reports[0], {}, w.keys())) == "");
  CHECK(w.append(std::vector<core::provider_report>{}).reports.empty());
  CHECK(w.count("provider_reports") == "2");
}

TEST_CASE("two sessions that append the same events at once keep each of them new once") {
  provider_world w(GENERATE(from_range(engines())));
  append_tally tally;
  {
    std::vector<std::jthread> threads;
    for (const bool swapped : {false, true})
      threads.emplace_back([&, swapped] { append_rounds(w, swapped, tally); });
  }
  CHECK(tally.failed == 0);
  CHECK(tally.fresh == 2 * rounds);
  CHECK(tally.duplicates == 2 * rounds);
  CHECK(w.count("pending_events") == std::to_string(2 * rounds));
  CHECK(w.count("provider_events WHERE duplicate_of IS NULL") == std::to_string(2 * rounds));
}

TEST_CASE("a batch is kept whole or not at all") {
  provider_world w(GENERATE(from_range(engines())));
  auto stray = w.report({w.event(sent, "e-2")});
  stray.tenant = "nobody";
  const auto made = w.try_append(w.db(), {w.report({w.event(sent, "e-1")}), stray});
  REQUIRE_FALSE(made);
  CHECK(made.error().code == storage::error::not_found);
  CHECK(w.count("provider_reports") == "0");
  CHECK(w.count("provider_event_keys") == "0");
  const std::vector<core::provider_report> batch{w.report({w.event(sent, "e-1")})};
  const auto unsealed = storage::transact(
      w.db(), [&](storage::session& in) { return storage::append_reports(in, batch, crypto::key_ring{}); });
  REQUIRE_FALSE(unsealed);
  CHECK(unsealed.error().code == storage::error::sealed);
  must(w.db().begin());
  must(storage::append_reports(w.db(), batch, w.keys()));
  w.db().rollback();
  CHECK(w.append(batch).duplicates == 0);
}

TEST_CASE("texts that fit no column are made to fit, and still find their attempt") {
  provider_world w(GENERATE(from_range(engines())));
  const string longest(core::provider_text_bytes_max, 'x');
  w.attempt(1, longest);
  auto told = w.event(delivered, string("e\0\xff", 3), longest + "and more");
  told.detail = "a\"b\\c{d},NULL";
  told.provider_type = string(5000, 'y');
  w.append(told);
  CHECK(w.append(told).duplicates == 1);
  const auto kept = must(storage::list_provider_events(w.db(), {})).back().what;
  CHECK(kept.event_id == "e??");
  CHECK(kept.provider_message_id == longest);
  CHECK(kept.detail == told.detail);
  CHECK(kept.provider_type.size() == core::provider_text_bytes_max);
  w.project();
  CHECK(w.state_of(1) == delivered);
}

TEST_CASE("events are found and listed by whoever may see their tenant, and by what they are about") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  auto foreign = w.report({w.event(sent, "foreign")});
  foreign.tenant = "globex";
  foreign.profile = other_mailer;
  foreign.source = core::report_source::reconciliation;
  w.append({w.report({w.event(sent, "a"), w.event(delivered, "b"), w.event(sent, "c", "m-9")}), foreign});
  w.append(w.event(sent, "a"));
  w.project();
  w.append(w.event(sent, "d"));
  const std::vector<string> acme{"d", "a", "c", "b", "a"};
  core::kept_event_page page;
  page.tenants = only("acme");
  CHECK(listed(w, page) == acme);
  page.limit = 2;
  CHECK(listed(w, page) == std::vector<string>{"d", "a"});
  page.before = must(storage::list_provider_events(w.db(), page)).back().id;
  CHECK(listed(w, page) == std::vector<string>{"c", "b"});
  page = {};
  page.profile = other_mailer;
  CHECK(listed(w, page) == std::vector<string>{"foreign"});
  const auto event = must(storage::list_provider_events(w.db(), page)).front();
  CHECK(event.source == core::report_source::reconciliation);
  page.tenants = only("globex");
  CHECK(listed(w, page) == std::vector<string>{"foreign"});
  page.tenants = only("acme");
  CHECK(listed(w, page).empty());
  page = {};
  page.profile = mailer;
  page.provider_message_id = "m-9";
  CHECK(listed(w, page) == std::vector<string>{"c"});
  page = {};
  page.attempt = core::notification_attempt_id{1};
  CHECK(listed(w, page) == std::vector<string>{"b", "a"});
  const auto with_progress = [&](core::event_progress progress) {
    page = {};
    page.progress = progress;
    return listed(w, page);
  };
  CHECK(with_progress(core::event_progress::pending) == std::vector<string>{"d"});
  CHECK(with_progress(core::event_progress::duplicate) == std::vector<string>{"a"});
  CHECK(with_progress(core::event_progress::matched) == std::vector<string>{"b", "a"});
  CHECK(with_progress(core::event_progress::unmatched) == std::vector<string>{"foreign", "c"});
}

TEST_CASE("what providers told goes past its retention, so many rows at a time, and what it came to stays") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  for (int n = 0; n < 5; ++n)
    w.append({w.report({w.event(sent, "s-" + std::to_string(n)), w.event(sent, "u", "m-9")})});
  w.project();
  auto late = w.report({w.event(delivered, "late")});
  late.received_at = at(20);
  w.append({late});
  w.project();
  const auto before = w.projections();
  std::int64_t rows = 0;
  for (int calls = 0; calls < 20; ++calls) {
    const auto gone =
        committed(w.db(), [&](storage::session& in) { return storage::prune_reports(in, at(10), 4); });
    CHECK(gone <= 4);
    if (gone == 0)
      break;
    rows += gone;
  }
  CHECK(rows == 15);
  CHECK(w.count("provider_reports") == "1");
  CHECK(w.count("provider_events") == "1");
  CHECK(w.count("provider_event_keys") == "1");
  CHECK(w.count("unmatched_events") == "0");
  CHECK(w.count("reconciliation_targets") == "0");
  CHECK(w.count("matched_events") == "1");
  CHECK(w.projections() == before);
}

TEST_CASE("retention leaves what nobody has looked at, and what stands behind it goes") {
  provider_world w(GENERATE(from_range(engines())));
  const auto prune = [&] {
    return committed(w.db(), [&](storage::session& in) { return storage::prune_reports(in, at(10), 100); });
  };
  w.append(w.event(sent, "a"));
  CHECK(prune() == 0);
  CHECK(w.append({w.report({})}).reports.size() == 1);
  CHECK(prune() == 1);
  w.project();
  CHECK(prune() == 2);
  CHECK(w.count("provider_reports") == "0");
}
