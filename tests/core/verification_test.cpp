#include "core/verification.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace sluice::core;

namespace {

ledger_row row_of(target_state target, delivery_status status = delivery_status::delivered) {
  ledger_row row;
  row.source_id = "c-1";
  row.status = status;
  row.target = target;
  row.remote_id = target == target_state::absent ? "" : "r-1";
  return row;
}

outcome said(outcome_kind kind, std::string remote_id = {}) {
  return {kind, std::move(remote_id), "http_500", "it said 500", {}};
}

constexpr outcome_kind no_answers[] = {
    outcome_kind::exists,       outcome_kind::rejected,  outcome_kind::transient,  outcome_kind::rate_limited,
    outcome_kind::unauthorized, outcome_kind::ambiguous, outcome_kind::unattempted};
constexpr target_state states[] = {target_state::absent, target_state::active, target_state::inactive};

drift found(target_state target, outcome_kind kind, std::string remote_id = {}) {
  return compare_with_target(row_of(target), said(kind, std::move(remote_id))).finding;
}

} // namespace

TEST_CASE("what a lookup finds is compared by id with what the ledger says the target holds") {
  CHECK(found(target_state::active, outcome_kind::accepted, "r-1") == drift::agrees);
  CHECK(found(target_state::active, outcome_kind::accepted, "r-2") == drift::other_id);
  CHECK(found(target_state::active, outcome_kind::gone) == drift::missing);
  CHECK(found(target_state::active, outcome_kind::several) == drift::several);

  CHECK(found(target_state::inactive, outcome_kind::accepted, "r-1") == drift::agrees);
  CHECK(found(target_state::inactive, outcome_kind::accepted, "r-2") == drift::other_id);
  CHECK(found(target_state::inactive, outcome_kind::gone) == drift::agrees);
  CHECK(found(target_state::inactive, outcome_kind::several) == drift::several);

  CHECK(found(target_state::absent, outcome_kind::accepted, "r-1") == drift::present_though_absent);
  CHECK(found(target_state::absent, outcome_kind::gone) == drift::agrees);
  CHECK(found(target_state::absent, outcome_kind::several) == drift::several);
}

TEST_CASE("a lookup without an answer leaves unknown whatever the ledger says, and says why") {
  for (const auto target : states) {
    for (const auto kind : no_answers) {
      const auto compared = compare_with_target(row_of(target), said(kind));
      CHECK(compared.finding == drift::unknown);
      CHECK(compared.error_class == "http_500");
      CHECK(compared.error == "it said 500");
      CHECK_FALSE(is_drift(compared.finding));
    }
  }
  CHECK(compare_with_target(row_of(target_state::active), {}).error_class == "transient");
}

TEST_CASE("the example of a finding has the ids of both sides") {
  verification report;
  const auto row = row_of(target_state::active);
  report.add(row, compare_with_target(row, said(outcome_kind::accepted, "r-2")));
  REQUIRE(report.examples.size() == 1);
  const auto& example = report.examples.front();
  CHECK(example.source_id == "c-1");
  CHECK(example.ledger_id == "r-1");
  CHECK(example.compared.target_id == "r-2");
  CHECK(report.counts.drifted() == 1);
}

TEST_CASE("no lookup can judge a create that is not settled, nor what is disconnected") {
  for (const auto target : states) {
    CHECK(judged_without_lookup(row_of(target, delivery_status::ambiguous))->error_class == "unsettled");
    auto trashed = row_of(target);
    trashed.trashed = true;
    CHECK(judged_without_lookup(trashed)->error_class == "disconnected");
    for (const auto status : {delivery_status::delivered, delivery_status::failed, delivery_status::withdrawn,
                              delivery_status::filtered, delivery_status::exhausted})
      CHECK_FALSE(judged_without_lookup(row_of(target, status)));
  }
}

TEST_CASE("each finding is counted as itself, and unknown ones are no drift") {
  verification report;
  const auto row = row_of(target_state::active);
  auto times = 1;
  for (const auto finding : {drift::agrees, drift::missing, drift::other_id, drift::several,
                             drift::present_though_absent, drift::unknown}) {
    for (auto i = 0; i < times; ++i)
      report.add(row, {finding, {}, {}, {}});
    ++times;
  }
  report.add_changed();
  CHECK(report.counts == drift_counts{1, 2, 3, 4, 5, 6, 1});
  CHECK(report.counts.drifted() == 2 + 3 + 4 + 5);
  CHECK(report.examined == 22);
  CHECK(report.examples.size() == 20); // those that agree have none
}

TEST_CASE("of many findings a hundred of each kind are kept, late ones among them") {
  verification report;
  report.seed = 7;
  const auto some = [&](drift finding, int count) {
    for (auto i = 0; i < count; ++i) {
      auto row = row_of(target_state::active);
      row.source_id = std::to_string(i);
      report.add(row, {finding, {}, {}, {}});
    }
  };
  some(drift::missing, 5000);
  some(drift::several, 5000);
  for (const auto finding : {drift::missing, drift::several}) {
    const auto of_it = [&](const drift_example& one) { return one.compared.finding == finding; };
    CHECK(std::ranges::count_if(report.examples, of_it) == drift_examples_max);
    const auto late = [&](const drift_example& one) {
      return of_it(one) && std::stoi(one.source_id) >= 2500;
    };
    CHECK(std::ranges::count_if(report.examples, late) > 20);
    CHECK(std::ranges::count_if(report.examples, late) < 80);
  }
  CHECK(report.counts.missing == 5000);
}

TEST_CASE("a sample is spread over the whole, grows, and is the same for the same seed") {
  const auto places = draw_places(1'000'000, 200, 42);
  REQUIRE(places.size() == 200);
  for (std::size_t i = 0; i < places.size(); ++i)
    CHECK(places[i] / 5000 == static_cast<std::int64_t>(i)); // one of each stretch of 5000
  CHECK(places == draw_places(1'000'000, 200, 42));
  CHECK(places != draw_places(1'000'000, 200, 43));
}

TEST_CASE("a sample that is not smaller than the whole is the whole") {
  CHECK(draw_places(3, 200, 1) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(draw_places(3, 3, 1) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(draw_places(0, 200, 1).empty());
  CHECK(draw_places(5, 0, 1).empty());
}

TEST_CASE("no place is out of reach: many seeds draw every one") {
  std::set<std::int64_t> met;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const auto place : draw_places(21, 4, seed)) {
      REQUIRE(place >= 0);
      REQUIRE(place < 21);
      met.insert(place);
    }
  CHECK(met.size() == 21);
}
