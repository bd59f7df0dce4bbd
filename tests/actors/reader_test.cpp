#include "actors/reader.hpp"
#include "actors/reply.hpp"
#include "storage/ledger.hpp"
#include "storage/node_state.hpp"
#include "storage/stops.hpp"
#include "storage/volume.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

struct reader_world : tests::catch_world {
  reader_world() : catch_world({.node = false}) {
    add_rule();
    reader =
        spawn("reader", actors::reader,
              actors::reader_resources{
                  std::make_shared<storage::session>(open_session(storage::access::read)), keys(), &clock()});
  }

  template <class Answer, class Message>
  Answer answer_to(Message message) {
    auto asked = ask<Answer>(reader, std::move(message));
    settle();
    return asked.value();
  }

  [[nodiscard]] m::read_scan scan() {
    m::read_scan ask;
    ask.query.rule = rule_id();
    ask.query.source = connection_id("shop");
    ask.query.domain = "customers";
    return ask;
  }

  m::reader reader;
};

} // namespace

TEST_CASE("a reader lists the routes with their counters") {
  reader_world w;

  auto listed = w.answer_to<m::routes_listed>(m::list_routes{});

  REQUIRE(listed.routes.size() == 1);
  CHECK(listed.routes.front().rule == w.rule_id());
  CHECK(listed.routes.front().target == w.connection_id("crm"));
  CHECK(listed.routes.front().open);
  CHECK(listed.routes.front().backfilling);
  CHECK(listed.dues.empty());
}

TEST_CASE("a reader sees the markers a mirror write leaves, and a new configuration version") {
  reader_world w;
  auto before = w.answer_to<m::changes_seen>(m::look_for_changes{});
  CHECK_FALSE(before.markers);

  w.put_record("c-1");
  CHECK(w.answer_to<m::changes_seen>(m::look_for_changes{}).markers);

  w.add_tenant("other");
  CHECK(w.answer_to<m::changes_seen>(m::look_for_changes{}).configuration_version
        > before.configuration_version);
}

TEST_CASE("a delta batch has the records after its position in the order of their changes") {
  reader_world w;
  w.put_records(3);

  auto batch = w.answer_to<core::scan_batch>(w.scan());

  REQUIRE(batch.candidates.size() == 3);
  CHECK(batch.candidates.front().record.source_id == "c-1");
  CHECK(batch.examined_to == batch.candidates.back().record.at());
  CHECK(batch.through);
}

TEST_CASE("a backfill batch ends at its bound") {
  reader_world w;
  w.put_record("c-1");
  w.advance(1s);
  w.put_record("c-2");
  auto ask = w.scan();
  ask.step = core::step_kind::backfill;
  ask.query.until = w.now();

  auto batch = w.answer_to<core::scan_batch>(ask);

  REQUIRE(batch.candidates.size() == 1);
  CHECK(batch.candidates.front().record.source_id == "c-1");
  CHECK(batch.through);
}

TEST_CASE("the cursor of a rule nobody knows is not found") {
  reader_world w;

  auto asked = w.ask<core::delivery_cursor>(w.reader, m::read_cursor{{999}});
  w.settle();

  REQUIRE(asked.failed());
  CHECK(actors::fault_of(asked.error()) == m::fault::not_found);
}

TEST_CASE("a reader tells a connection's window, or that there is none") {
  reader_world w;
  auto crm = w.connection_id("crm");
  CHECK_FALSE(w.answer_to<m::window_loaded>(m::load_window{crm}).text);

  w.must(storage::transact(
      w.db(), [&](storage::session& db) { return storage::save_window(db, crm, "a window", w.now()); }));

  CHECK(w.answer_to<m::window_loaded>(m::load_window{crm}).text == "a window");
}

TEST_CASE("a reader counts for the volume breaker by its own clock where a batch asks for it") {
  reader_world w;
  auto ask = w.scan();
  CHECK_FALSE(w.answer_to<core::scan_batch>(ask).volume);
  w.must(storage::add_withdrawals(w.db(), w.rule_id(), 3, w.now()));
  ask.query.volume_window = 1h;
  auto batch = w.answer_to<core::scan_batch>(ask);
  REQUIRE(batch.volume);
  CHECK(batch.volume->withdrawn == 3);
  w.advance(2h);
  CHECK(w.answer_to<core::scan_batch>(ask).volume->withdrawn == 0);
}

TEST_CASE("a reader tells which parents the target holds") {
  reader_world w;
  core::ledger_row row;
  row.source_id = "c-1";
  row.target = core::target_state::active;
  row.remote_id = "r-1";
  row.row_version = 1;
  w.must(storage::write_ledger(w.db(), w.rule_id(), std::vector{row}, w.now()));
  auto found = w.answer_to<m::anchors_read>(m::read_anchors{w.rule_id(), {"c-1", "c-2"}});
  REQUIRE(found.anchors.size() == 1);
  CHECK(found.anchors.front().remote_id == "r-1");
}

TEST_CASE("a reader lists stops that are live, and the history") {
  reader_world w;
  w.must(storage::set_stop(w.db(), {{}, "why", "ada"}, w.now()));
  CHECK(w.answer_to<m::stops_listed>(m::list_live_stops{}).stops.size() == 1);
  w.must(storage::end_stop(w.db(), core::stop_target{}, "bob", w.now()));
  CHECK(w.answer_to<m::stops_listed>(m::list_live_stops{}).stops.empty());
  CHECK(w.answer_to<m::stops_listed>(m::list_stops{}).stops.size() == 1);
}

TEST_CASE("a reader previews a backfill and tells how far the one in progress has come") {
  reader_world w;
  w.put_record("c-1");
  w.advance(1s);
  auto preview = w.answer_to<core::backfill_preview>(m::preview_backfill{w.rule_id(), w.now(), false});
  CHECK(preview.creates == 1);
  auto read = w.answer_to<m::backfill_read>(m::read_backfill{w.rule_id()});
  REQUIRE(read.progress);
  CHECK(read.progress->passed == 0);
  CHECK_FALSE(read.confirmation);
  CHECK_FALSE(read.latest);
}

TEST_CASE("a reader tells what a rule's state follows from") {
  reader_world w;
  auto health = w.answer_to<m::health_read>(m::read_health{});
  REQUIRE(health.rules.size() == 1);
  CHECK(health.rules.front().rule == w.rule_id());
  CHECK_FALSE(health.installation.stopped);
  CHECK(w.answer_to<m::health_read>(m::read_health{core::rule_id{999}}).rules.empty());
}

TEST_CASE("a reader lists creates that wait for a person") {
  reader_world w;
  CHECK(w.answer_to<m::ambiguous_listed>(m::list_ambiguous{{w.rule_id(), "", 10}}).rows.empty());
}
