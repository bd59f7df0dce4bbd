#include "providers/answer_group.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;

namespace {

/// A group of at most three, 2 ms old at most, and what it handed over: "123|4".
struct world {
  std::string handed;
  providers::answer_group group{3, 2ms, [this](std::vector<core::call_answer> answers) {
                                  handed += handed.empty() ? "" : "|";
                                  for (const auto& answer : answers)
                                    handed += std::to_string(answer.id.value);
                                }};

  void add(std::uint64_t id, core::duration now) {
    core::call_answer answer;
    answer.id.value = id;
    group.add(std::move(answer), now);
  }
};

} // namespace

TEST_CASE("a full group leaves at once") {
  world w;
  w.add(1, 0us);
  w.add(2, 0us);
  CHECK(w.handed.empty());
  w.add(3, 0us);
  w.add(4, 0us);
  CHECK(w.handed == "123");
  CHECK_FALSE(w.group.empty());
}

TEST_CASE("a group leaves when its oldest answer has waited long enough, whenever the others came") {
  world w;
  w.add(1, 100us);
  w.add(2, 1900us);
  CHECK(w.group.time_left(2000us) == 100us);
  w.group.hand_over_if_old(2099us);
  CHECK(w.handed.empty());
  w.group.hand_over_if_old(2100us);
  CHECK(w.handed == "12");
  w.add(3, 5000us);
  CHECK(w.group.time_left(5000us) == 2ms);
}

TEST_CASE("the owner may send a group on its way, and an empty one is none") {
  world w;
  w.group.hand_over();
  w.group.hand_over_if_old(1h);
  CHECK(w.handed.empty());
  w.add(1, 0us);
  w.group.hand_over();
  CHECK(w.handed == "1");
  CHECK(w.group.empty());
}
