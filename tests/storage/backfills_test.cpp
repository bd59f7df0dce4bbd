#include "storage/backfills.hpp"
#include "storage/cursor.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;
using core::target_state;

namespace {

/// A rule whose first backfill has ended.
struct backfill_world : delivery_world {
  explicit backfill_world(storage::engine kind)
      : delivery_world(kind, {.deletes = core::delete_policy::delete_record}) {
    must(storage::abort_backfill(db(), rule.id, at(), 1));
  }

  core::delivery_cursor cursor() { return *must(storage::find_cursor(db(), rule.id)); }

  core::backfill_preview preview(bool resend = false) {
    return must(storage::preview_backfill(db(), rule.id, at(10), resend));
  }

  [[nodiscard]] core::backfill_start wish(std::int64_t creates) const {
    return {.rule = rule.id, .until = at(10), .resend = true, .records = 9, .creates = creates, .by = "ada"};
  }

  storage::result<core::delivery_cursor> start(const core::backfill_start& wanted,
                                               core::timestamp now = at(11)) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::open_backfill(within, wanted, now); });
  }

  [[nodiscard]] std::string confirmations() const {
    return value("SELECT count(*) FROM backfill_confirmations");
  }
};

struct preview_case {
  delivery_status status;
  target_state target = target_state::absent;
  bool older = true; ///< an older version was delivered, or none
  bool seen = true;  ///< … and the record has not changed since it was looked at
  bool trashed = false;
  bool creates = false;
  bool updates = false;
  bool resends = false;
};

constexpr preview_case table[] = {
    {.status = delivery_status::delivered, .target = target_state::active, .updates = true, .resends = true},
    {.status = delivery_status::delivered, .target = target_state::active, .older = false, .resends = true},
    {.status = delivery_status::failed, .creates = true},
    {.status = delivery_status::failed, .older = false},
    {.status = delivery_status::failed, .trashed = true},
    {.status = delivery_status::undeliverable, .creates = true},
    {.status = delivery_status::withdrawn, .creates = true},
    {.status = delivery_status::filtered, .seen = false, .creates = true},
    {.status = delivery_status::filtered},
    {.status = delivery_status::ambiguous},
    {.status = delivery_status::remote_gone},
    {.status = delivery_status::exhausted},
    {.status = delivery_status::exhausted, .target = target_state::active},
};

} // namespace

TEST_CASE("a preview counts of each row what a backfill would send") {
  backfill_world world(GENERATE(from_range(engines())));
  for (std::size_t place = 0; place < std::size(table); ++place) {
    const auto& one = table[place];
    DYNAMIC_SECTION("case " << place) {
      world.put({"a"}, at(2));
      auto row = delivered_row("a", at(2));
      row.status = one.status;
      row.target = one.target;
      if (one.older)
        row.delivered_content_changed_at =
            one.target == target_state::absent ? std::optional<core::timestamp>{} : std::optional{at(1)};
      row.seen_content_changed_at = one.seen ? at(2) : at(1);
      row.trashed = one.trashed;
      world.write({row});
      CHECK(world.preview().records == 1);
      CHECK(world.preview().creates == (one.creates ? 1 : 0));
      CHECK(world.preview().updates == (one.updates ? 1 : 0));
      CHECK(world.preview(true).updates == (one.resends ? 1 : 0));
    }
  }
}

TEST_CASE("a preview counts the records changed before its bound, tombstones only of deletions it delivers") {
  backfill_world world(GENERATE(from_range(engines())));
  world.put({"new", "deleted", "away"}, at(1));
  world.bury({"deleted"}, at(2));
  world.execute("UPDATE mirror_records SET deleted_at = 5, deletion_reason = 'disconnect' "
                "WHERE source_id = 'away'");
  world.put({"at-bound"}, at(10));
  CHECK(world.preview().until == at(10));
  CHECK(world.preview().records == 2);
  CHECK(world.preview().creates == 1);
  world.execute("UPDATE sync_rules SET delete_policy = 'ignore'");
  CHECK(world.preview().records == 1);
}

TEST_CASE("a start opens a new backfill from its beginning with its confirmation, and is no sign of life") {
  backfill_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(1));
  const auto before = world.cursor();
  const auto opened = must(world.start(world.wish(2)));
  CHECK(opened == world.cursor());
  CHECK(opened.backfill_until == at(10));
  CHECK(opened.backfill == core::position{});
  CHECK(opened.backfill_generation == before.backfill_generation + 1);
  CHECK(opened.backfill_resend);
  CHECK(opened.updated_at == before.updated_at);
  CHECK(opened.delta == before.delta);
  for (const auto& kept : {must(storage::confirmation_in_progress(world.db(), world.rule.id)),
                           must(storage::latest_confirmation(world.db(), world.rule.target)),
                           must(storage::latest_confirmation(world.db(), world.rule.id))}) {
    REQUIRE(kept);
    CHECK(kept->rule == world.rule.id);
    CHECK(kept->target == world.rule.target);
    CHECK(kept->until == at(10));
    CHECK(kept->generation == opened.backfill_generation);
    CHECK(kept->records == 9);
    CHECK(kept->creates == 2);
    CHECK(kept->resend);
    CHECK(kept->confirmed_by == "ada");
    CHECK(kept->confirmed_at == at(11));
  }
}

TEST_CASE("the backfill an activation opens has no confirmation") {
  delivery_world world(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::confirmation_in_progress(world.db(), world.rule.id)));
  CHECK_FALSE(must(storage::latest_confirmation(world.db(), world.rule.target)));
}

TEST_CASE("a start that may not be is refused in words and leaves everything as it was") {
  backfill_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  auto wish = world.wish(2);
  auto expected = storage::error::refused;
  std::string says;
  SECTION("more creates than were confirmed") {
    wish.creates = 1;
    says = "would now send 2 creates, and 1 were confirmed";
  }
  SECTION("a bound in the future") {
    wish.until = at(12);
    says = "in the future";
  }
  SECTION("a rule of a dependent domain") {
    world.execute("UPDATE sync_rules SET anchor_domain = 'customers', domain = 'consents'");
    says = "depends on another one";
  }
  SECTION("a rule that pulls in") {
    world.execute("UPDATE sync_rules SET direction = 'pull_in'");
    says = "does not deliver";
  }
  SECTION("a rule that was never active") {
    world.execute("DELETE FROM delivery_cursors");
    says = "never been active";
  }
  SECTION("a rule that does not exist") {
    wish.rule = {999};
    expected = storage::error::not_found;
    says = "does not exist";
  }
  const auto before = must(storage::find_cursor(world.db(), world.rule.id));
  const auto refused = world.start(wish);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == expected);
  CHECK(refused.error().detail.find(says) != std::string::npos);
  CHECK(must(storage::find_cursor(world.db(), world.rule.id)) == before);
  CHECK(world.confirmations() == "0");
}

TEST_CASE("a second start is refused while a backfill is in progress") {
  backfill_world world(GENERATE(from_range(engines())));
  must(world.start(world.wish(0)));
  const auto running = world.cursor();
  const auto refused = world.start(world.wish(0));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().detail.find("in progress") != std::string::npos);
  CHECK(world.cursor() == running);
  CHECK(world.confirmations() == "1");
}

TEST_CASE("an abort ends the backfill it was meant for and no other, and is no sign of life") {
  backfill_world world(GENERATE(from_range(engines())));
  const auto first = must(world.start(world.wish(0)));
  CHECK_FALSE(must(storage::abort_backfill(world.db(), world.rule.id, at(9), first.backfill_generation)));
  CHECK(must(storage::abort_backfill(world.db(), world.rule.id, at(10), first.backfill_generation)));
  CHECK_FALSE(must(storage::abort_backfill(world.db(), world.rule.id, at(10), first.backfill_generation)));
  CHECK_FALSE(world.cursor().backfill_until);
  CHECK(world.cursor().updated_at == first.updated_at);
  // Started anew within the same microsecond, with the same bound.
  must(world.start(world.wish(0)));
  CHECK_FALSE(must(storage::abort_backfill(world.db(), world.rule.id, at(10), first.backfill_generation)));
  core::cursor_advance stale;
  stale.backfill = core::backfill_step{at(10), first.backfill_generation, core::position{at(5), {7}}, true};
  CHECK_FALSE(must(storage::move_cursor(world.db(), world.rule.id, stale, at(12))));
  CHECK(world.cursor().backfill_until == at(10));
  CHECK(world.cursor().backfill == core::position{});
}

TEST_CASE("progress is the records passed of those before the bound") {
  backfill_world world(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::read_progress(world.db(), world.rule.id)));
  world.put({"a", "b", "c"}, at(1));
  world.put({"d"}, at(2));
  world.put({"at-bound"}, at(10));
  const auto opened = must(world.start(world.wish(9)));
  const auto progress = [&] { return *must(storage::read_progress(world.db(), world.rule.id)); };
  CHECK(progress().passed == 0);
  CHECK(progress().total == 4);
  CHECK(progress().until == at(10));
  core::cursor_advance step;
  step.backfill = core::backfill_step{at(10), opened.backfill_generation, world.record("b").at(), false};
  must(storage::move_cursor(world.db(), world.rule.id, step, at(12)));
  CHECK(progress().passed == 2);
}
