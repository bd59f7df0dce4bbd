#include "storage/answers.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::repetition;

namespace {

struct answer_world : world {
  using world::world;

  core::kept_answer begin(const std::string& key, const std::string& request = "r",
                          core::timestamp now = at()) {
    return committed(
        db(), [&](storage::session& w) { return storage::begin_answer(w, key, request, keys(), now); });
  }

  void keep(const std::string& key, const std::string& answer) {
    committed(db(), [&](storage::session& w) { return storage::keep_answer(w, key, answer, keys()); });
  }
};

} // namespace

TEST_CASE("a request that was answered is answered alike when it is repeated") {
  answer_world here(GENERATE(from_range(engines())));
  CHECK(here.begin("k").what == repetition::fresh);
  CHECK(here.begin("k").what == repetition::under_way);
  here.keep("k", "made, with a secret");
  const auto known = here.begin("k");
  CHECK(known.what == repetition::answered);
  CHECK(known.answer == "made, with a secret");
  CHECK(here.begin("other").what == repetition::fresh);
  CHECK(here.value("SELECT answer FROM api_answers WHERE key_digest = 'k'").find("secret")
        == std::string::npos);
}

TEST_CASE("a key that stands for another request says so") {
  answer_world here(GENERATE(from_range(engines())));
  CHECK(here.begin("k", "one").what == repetition::fresh);
  CHECK(here.begin("k", "two").what == repetition::other_request);
}

TEST_CASE("a request that came to nothing frees its key, one that was answered does not") {
  answer_world here(GENERATE(from_range(engines())));
  const auto forget = [&] {
    committed(here.db(), [](storage::session& w) { return storage::forget_answer(w, "k"); });
  };
  CHECK(here.begin("k").what == repetition::fresh);
  forget();
  CHECK(here.begin("k").what == repetition::fresh);
  here.keep("k", "done");
  forget();
  CHECK(here.begin("k").what == repetition::answered);
}

TEST_CASE("an answer is kept for a day") {
  answer_world here(GENERATE(from_range(engines())));
  const auto day = 24 * 3600.0;
  CHECK(here.begin("k").what == repetition::fresh);
  here.keep("k", "done");
  CHECK(here.begin("k", "r", at(day)).what == repetition::answered);
  CHECK(here.begin("k", "r", at(day + 1)).what == repetition::fresh);
}

TEST_CASE("an answer that cannot be opened any more counts as lost, never as not made") {
  answer_world here(GENERATE(from_range(engines())));
  CHECK(here.begin("k").what == repetition::fresh);
  committed(here.db(), [](storage::session& w) { return storage::keep_answer(w, "k", "done", {}); });
  CHECK(here.begin("k").what == repetition::under_way);
}
