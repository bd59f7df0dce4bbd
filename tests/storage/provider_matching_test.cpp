#include "tests/storage/provider_world.hpp"

#include <libpq-fe.h>
#include <memory>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::provider_event_type;

namespace {

/// A connection of the test's own, which holds a transaction open.
class own_connection {
public:
  explicit own_connection(const provider_world& w)
      : connection_(PQconnectdb(w.where().target.c_str()), &PQfinish) {}

  void run(const string& text) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> done(PQexec(connection_.get(), text.c_str()),
                                                             &PQclear);
    const auto status = PQresultStatus(done.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      FAIL(PQerrorMessage(connection_.get()));
  }

private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

/// Whether a session comes to wait for a lock of this table's.
bool somebody_waits(const provider_world& w) {
  for (int tries = 0; tries < 5000; ++tries)
    if (w.count("pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = "
                "CAST('unmatched_events' AS regclass)")
        == "1")
      return true;
  return false;
}

} // namespace

TEST_CASE("an event finds its attempt by the provider's id of it, or by ours, and never another profile's") {
  provider_world w(GENERATE(from_range(engines())));
  w.attempt(1, "m-1");
  w.attempt(2);
  w.attempt(3, "m-1", other_mailer);
  w.attempt(4, "again");
  w.attempt(5, "again");
  auto by_ours = w.event(complained, "b", "unknown");
  by_ours.attempt_id = w.attempt_name(2);
  auto foreign = w.event(bounced, "c", "");
  foreign.attempt_id = w.attempt_name(3);
  auto nameless = w.event(bounced, "e", "");
  nameless.attempt_id = "nobody's";
  w.append({w.report({w.event(delivered, "a"), by_ours, foreign, w.event(queued, "d", "again"), nameless})});
  const auto done = w.project();
  CHECK(done.looked_at == 5);
  CHECK(done.unmatched == 2);
  CHECK(w.state_of(1) == delivered);
  CHECK(w.state_of(2) == complained);
  CHECK_FALSE(w.state_of(3));
  CHECK_FALSE(w.state_of(4));
  CHECK(w.state_of(5) == queued);
  CHECK(w.count("unmatched_events") == "2");
}

TEST_CASE("an event that came before its attempt is matched when the attempt is recorded") {
  provider_world w(GENERATE(from_range(engines())));
  auto by_ours = w.event(sent, "b", "");
  by_ours.attempt_id = w.attempt_name(2);
  w.append({w.report({w.event(delivered, "a"), by_ours, w.event(sent, "c", "m-3")})});
  CHECK(w.project().unmatched == 3);
  CHECK(w.project().looked_at == 0);
  CHECK(w.value("SELECT min(next_look_at) FROM reconciliation_targets WHERE kind = 'unmatched_event'")
        == std::to_string(core::to_us(at(62))));
  w.attempt(1, "m-1");
  CHECK(w.match_early(1, "m-1", other_mailer) == 0);
  CHECK(w.match_early(1, "m-1") == 1);
  CHECK(w.match_early(1, "m-1") == 0);
  w.attempt(2);
  CHECK(w.match_early(2) == 1);
  CHECK(w.project().unmatched == 0);
  CHECK(w.state_of(1) == delivered);
  CHECK(w.state_of(2) == sent);
  CHECK(w.count("unmatched_events") == "1");
  CHECK(w.count("reconciliation_targets") == "1");
}

TEST_CASE("reconciliation has an unmatched event looked at again, and its schedule goes on where it was") {
  provider_world w(GENERATE(from_range(engines())));
  w.append(w.event(delivered, "a"));
  w.project();
  const auto event = must(storage::list_provider_events(w.db(), {})).front().id;
  const auto again = [&] {
    const std::vector<core::provider_event_id> ids{event, event, {999}};
    return committed(w.db(), [&](storage::session& in) { return storage::look_again(in, ids); });
  };
  CHECK(again() == 1);
  CHECK(again() == 0);
  CHECK(w.project(10, at(500)).unmatched == 1);
  CHECK(w.value("SELECT since FROM reconciliation_targets") == std::to_string(core::to_us(at(2))));
  w.attempt(1, "m-1");
  CHECK(again() == 1);
  CHECK(w.project().unmatched == 0);
  CHECK(w.state_of(1) == delivered);
  CHECK(w.count("reconciliation_targets") == "0");
}

TEST_CASE("an event is not put aside while its attempt is being recorded") {
  if (engines().size() < 2)
    return; // SQLite has one writer at a time
  provider_world w(storage::engine::postgresql);
  w.append(w.event(delivered, "a"));
  own_connection recording(w);
  recording.run("BEGIN");
  recording.run(w.attempt_row(1, "m-1"));
  recording.run("SELECT pg_advisory_xact_lock_shared(CAST(CAST('unmatched_events' AS regclass) AS bigint))");
  core::events_projected done;
  {
    std::jthread projecting([&] { done = w.project(); });
    CHECK(somebody_waits(w));
    recording.run("COMMIT");
  }
  CHECK(done.looked_at == 1);
  CHECK(done.unmatched == 0);
  CHECK(w.state_of(1) == delivered);
}
