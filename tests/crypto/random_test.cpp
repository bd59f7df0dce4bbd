#include "crypto/random.hpp"

#include <catch2/catch.hpp>

#include <regex>
#include <set>
#include <string>

using namespace sluice::crypto;

namespace {

using time = std::chrono::sys_time<std::chrono::microseconds>;

[[nodiscard]] time at(std::int64_t microseconds) {
  return time{std::chrono::microseconds{microseconds}};
}

} // namespace

TEST_CASE("random bytes are as many as asked for and differ each time") {
  CHECK(random_bytes(0).empty());
  CHECK(random_bytes(100).size() == 100);
  CHECK(random_bytes(32) != random_bytes(32));
}

TEST_CASE("a UUID carries its milliseconds, its version and its variant") {
  const std::regex shape{"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"};
  for (int made = 0; made < 200; ++made)
    CHECK(std::regex_match(uuid_v7(at(1'645'557'742'000'000)), shape));
  // The time of the example in RFC 9562, appendix A.6.
  CHECK(uuid_v7(at(1'645'557'742'000'000)).substr(0, 18) == "017f22e2-79b0-7000");
}

TEST_CASE("UUIDs of different microseconds sort by time as text") {
  std::string before;
  for (std::int64_t microsecond = 0; microsecond < 3000; ++microsecond) {
    std::string made = uuid_v7(at(1'700'000'000'000'000 + microsecond));
    REQUIRE(before < made);
    before = std::move(made);
  }
}

TEST_CASE("UUIDs of one microsecond differ, and a time before 1970 counts as 1970") {
  std::set<std::string> all;
  for (int made = 0; made < 1000; ++made)
    all.insert(uuid_v7(at(5)));
  CHECK(all.size() == 1000);
  CHECK(uuid_v7(at(-1)).substr(0, 18) == "00000000-0000-7000");
}
