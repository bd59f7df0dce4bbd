#include "core/rule_job.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

constexpr timestamp now{1'000s};

ledger_row row_of(delivery_status status) {
  ledger_row row;
  row.source_id = "c-1";
  row.status = status;
  return row;
}

ledger_row waiting_until(timestamp at) {
  auto row = row_of(delivery_status::failed);
  row.next_attempt_at = at;
  return row;
}

} // namespace

TEST_CASE("a retry is for what failed and waits for a later attempt, and says of others why not") {
  CHECK_FALSE(why_not(row_act::retry, waiting_until(now + 1us), now));
  CHECK(why_not(row_act::retry, waiting_until(now), now) == "is due already");
  CHECK(why_not(row_act::retry, row_of(delivery_status::failed), now)
        == "has failed and waits for no time: the next scan looks at it");
  CHECK(why_not(row_act::retry, row_of(delivery_status::exhausted), now)
        == "is exhausted: it is reopened, not retried");
  CHECK(why_not(row_act::retry, row_of(delivery_status::delivered), now)
        == "is delivered: only what is failed and waits for its next attempt is retried");
}

TEST_CASE("a reopening is for what is terminal, and says of others why not") {
  CHECK_FALSE(why_not(row_act::reopen, row_of(delivery_status::exhausted), now));
  CHECK_FALSE(why_not(row_act::reopen, row_of(delivery_status::remote_gone), now));
  CHECK(why_not(row_act::reopen, waiting_until(now + 1s), now)
        == "is failed: only what is remote_gone or exhausted is reopened");
}

TEST_CASE("no act is for a trashed row") {
  for (const auto act : {row_act::retry, row_act::reopen}) {
    auto row = act == row_act::retry ? waiting_until(now + 1s) : row_of(delivery_status::exhausted);
    row.trashed = true;
    CHECK(why_not(act, row, now) == "has a ledger row that is trashed");
  }
}

TEST_CASE("an act knows the statuses it is for") {
  CHECK(knows(row_act::retry, delivery_status::failed));
  CHECK_FALSE(knows(row_act::retry, delivery_status::exhausted));
  CHECK(knows(row_act::reopen, delivery_status::exhausted));
  CHECK(knows(row_act::reopen, delivery_status::remote_gone));
  CHECK_FALSE(knows(row_act::reopen, delivery_status::failed));
}
