#include "tests/storage/resealing_world.hpp"

#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using core::keyed_thing;
using std::string;

namespace {

struct resealing_world : resealing_in<contact_world> {
  using resealing_in::resealing_in;

  std::vector<core::contact_record> many(int count) {
    std::vector<core::contact_record> made;
    for (int n = 0; n < count; ++n)
      made.push_back(contact("c" + std::to_string(n) + "@x.example"));
    return made;
  }
};

} // namespace

TEST_CASE("after resealing everything opens and is found with the new keys alone") {
  resealing_world w(GENERATE(from_range(engines())));
  const auto made = w.many(10);
  const auto profile = w.make(w.profile("mail"));
  w.rotate();
  CHECK(w.contact("c0@x.example").id == made[0].id);
  CHECK(w.live_under(keyed_thing::contact_addresses, "seal-a") == 10);
  CHECK(w.live_under(keyed_thing::contact_fingerprints, "find-b") == 10);
  CHECK(w.live_under(keyed_thing::profile_credentials, "seal-a") == 1);
  const auto passed = w.pass(keyed_thing::contact_addresses, "seal-a");
  CHECK(passed.renewed == 10);
  CHECK(passed.unopened == 0);
  CHECK(w.pass(keyed_thing::contact_fingerprints, "find-b").renewed == 0); // the first pass did both
  CHECK(w.pass(keyed_thing::profile_credentials, "seal-a").renewed == 1);
  CHECK(must(storage::count_key_uses(w.db()))
        == std::vector<core::key_use>{{keyed_thing::contact_addresses, "seal-c", 10, 0},
                                      {keyed_thing::contact_fingerprints, "find-d", 10, 0},
                                      {keyed_thing::profile_credentials, "seal-c", 1, 0}});
  w.retire();
  for (int n = 0; n < 10; ++n) {
    const auto address = "c" + std::to_string(n) + "@x.example";
    CHECK(w.contact(address).id == made[static_cast<std::size_t>(n)].id);
    CHECK(w.address_of(made[static_cast<std::size_t>(n)]) == address);
  }
  CHECK(w.loaded(profile)->credentials == R"({"password":"pw-mail"})");
}

TEST_CASE("where only the fingerprints' key goes on, addresses stay as they are sealed") {
  resealing_world w(GENERATE(from_range(engines())));
  w.many(4);
  const auto before = w.value("SELECT address FROM contact_points ORDER BY id");
  w.fingerprints = ring_of({"find-d", "find-b"});
  CHECK(w.pass(keyed_thing::contact_fingerprints, "find-b").renewed == 4);
  CHECK(w.value("SELECT address FROM contact_points ORDER BY id") == before);
  CHECK(w.live_under(keyed_thing::contact_fingerprints, "find-b") == 0);
}

TEST_CASE("resealing goes on while contact points are made, changed and removed") {
  resealing_world w(GENERATE(from_range(engines())));
  const auto old = w.many(30);
  w.rotate();
  std::atomic<int> failed = 0;
  {
    // A node whose settings have the new keys second yet: it finds what is renewed and writes with the old.
    const auto sealing = ring_of({"seal-a", "seal-c"});
    const auto fingerprints = ring_of({"find-b", "find-d"});
    std::jthread other([&] {
      auto db = w.session();
      for (int n = 0; n < 60; ++n) {
        const auto address = "c" + std::to_string(n) + "@x.example";
        auto done = storage::transact(db, [&](storage::session& in) -> storage::result<bool> {
          auto got =
              storage::find_or_create_contact_point(in, w.wish(address), {sealing, fingerprints}, at(n));
          if (!got)
            return std::unexpected{got.error()};
          return n % 7 == 0 ? storage::remove_contact_point(in, got->record.id, at(n))
                            : storage::suppress_contact_point(
                                  in, got->record.id, w.told(core::suppression_reason::hard_bounce, at(n)));
        });
        failed += done ? 0 : 1;
      }
    });
    w.pass(keyed_thing::contact_addresses, "seal-a", 2);
  }
  CHECK(failed == 0);
  w.pass(keyed_thing::contact_addresses, "seal-a");
  w.pass(keyed_thing::contact_fingerprints, "find-b");
  CHECK(w.live_under(keyed_thing::contact_addresses, "seal-a") == 0);
  CHECK(w.live_under(keyed_thing::contact_fingerprints, "find-b") == 0);
  w.retire();
  for (int n = 0; n < 60; ++n) {
    const auto got = w.contact(w.wish("c" + std::to_string(n) + "@x.example"));
    CHECK(got.made == (n % 7 == 0));
    CHECK(got.record.suppression.has_value() == (n % 7 != 0));
    CHECK(w.address_of(got.record) == "c" + std::to_string(n) + "@x.example");
  }
}

TEST_CASE("what does not open is left alone and told, and holds up nothing else") {
  resealing_world w(GENERATE(from_range(engines())));
  const auto made = w.many(3);
  w.sealing = ring_of({"seal-z"});
  const auto foreign = w.contact("canary@x.example");
  w.sealing = ring_of({"seal-c", "seal-a"});
  w.execute("UPDATE contact_points SET address = 'v1.seal-a.AAAA' WHERE id = "
            + std::to_string(made[1].id.value));
  const auto passed = w.pass(keyed_thing::contact_addresses, "seal-a", 1);
  CHECK(passed.renewed == 2);
  CHECK(passed.unopened == 1);
  CHECK(w.pass(keyed_thing::contact_addresses, "seal-z").unopened == 1);
  CHECK(w.live_under(keyed_thing::contact_addresses, "seal-z") == 1);
  const auto opened = storage::open_contact_point(w.db(), foreign.id, w.sealing);
  REQUIRE_FALSE(opened);
  CHECK_THAT(opened.error().detail, !Catch::Contains("canary"));
}

TEST_CASE("two rows of one address, which nodes with different settings made, both stay and are told") {
  resealing_world w(GENERATE(from_range(engines())));
  const auto first = w.contact("a@x.example");
  w.fingerprints = ring_of({"find-d"}); // a node that was never told of the old key
  const auto second = w.contact("a@x.example");
  CHECK(second.id != first.id);
  w.rotate();
  const auto passed = w.pass(keyed_thing::contact_fingerprints, "find-b");
  CHECK(passed.taken == 1);
  CHECK(passed.renewed == 1); // its address
  CHECK(w.address_of(first) == "a@x.example");
  CHECK(w.address_of(second) == "a@x.example");
  CHECK(w.live_under(keyed_thing::contact_fingerprints, "find-b") == 1);
  w.pass(keyed_thing::contact_addresses, "seal-a");
  CHECK(w.live_under(keyed_thing::contact_addresses, "seal-a") == 0);
}

TEST_CASE("a key counts the removed contact points whose suppression goes with it") {
  resealing_world w(GENERATE(from_range(engines())));
  const auto made = w.many(3);
  w.suppress(made[0], w.told(core::suppression_reason::complaint));
  w.remove(made[0]);
  w.remove(made[1]);
  CHECK(must(storage::count_key_uses(w.db()))
        == std::vector<core::key_use>{{keyed_thing::contact_addresses, "seal-a", 1, 0},
                                      {keyed_thing::contact_fingerprints, "find-b", 1, 1}});
  w.rotate();
  CHECK(w.pass(keyed_thing::contact_fingerprints, "find-b").renewed == 1);
  CHECK(w.contact("c0@x.example").suppression); // while the old key is there
}

TEST_CASE("the current key is not an old one") {
  resealing_world w(GENERATE(from_range(engines())));
  const auto refused = [&](keyed_thing thing, const string& key, storage::error code) {
    const auto done = storage::transact(
        w.db(), [&](storage::session& in) { return storage::reseal(in, {thing, key, 0, 10}, w.rings()); });
    REQUIRE_FALSE(done);
    CHECK(done.error().code == code);
  };
  refused(keyed_thing::contact_addresses, "seal-a", storage::error::refused);
  refused(keyed_thing::profile_credentials, "seal-a", storage::error::refused);
  refused(keyed_thing::contact_fingerprints, "find-b", storage::error::refused);
  w.fingerprints = {};
  refused(keyed_thing::contact_addresses, "seal-b", storage::error::sealed);
}
