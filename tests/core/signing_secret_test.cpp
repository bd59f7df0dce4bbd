#include "core/signing_secret.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

const timestamp now = from_us(1'767'225'600'000'000);

std::vector<signing_secret> rotated(std::vector<signing_secret> secrets, const std::string& fresh,
                                    timestamp at, duration overlap = 24h) {
  auto made = rotate_secret(std::move(secrets), fresh, at, overlap);
  REQUIRE(made);
  return *std::move(made);
}

} // namespace

TEST_CASE("a rotated secret goes on signing for the overlap, and one rotated before it for its own") {
  auto secrets = rotated({{"old", {}}}, "middle", now);
  secrets = rotated(std::move(secrets), "new", now + 1h);
  REQUIRE(secrets.size() == 3);
  CHECK(secrets[0] == signing_secret{"new", {}});
  CHECK(secrets[1] == signing_secret{"middle", now + 25h});
  CHECK(secrets[2] == signing_secret{"old", now + 24h});
  CHECK(secrets[2].signs(now + 24h - 1us));
  CHECK_FALSE(secrets[2].signs(now + 24h));
  CHECK(secrets[0].signs(now + 10'000h));
}

TEST_CASE("a rotation drops what has ended, and without an overlap what was current at once") {
  const auto secrets = rotated({{"current", {}}, {"ended", now}, {"ending", now + 1us}}, "new", now, 0s);
  CHECK(secrets == std::vector<signing_secret>{{"new", {}}, {"ending", now + 1us}});
}

TEST_CASE("rotations are refused while too many secrets sign, until the first of them ends") {
  std::vector<signing_secret> secrets{{"s0", {}}};
  for (std::size_t made = 1; made < signing_secrets_max; ++made)
    secrets = rotated(std::move(secrets), "s" + std::to_string(made), now + made * 1s);
  REQUIRE(secrets.size() == signing_secrets_max);
  const auto refused = rotate_secret(secrets, "one more", now + 1h, 24h);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().find(to_rfc3339(now + 1s + 24h)) != std::string::npos);
  CHECK(rotated(secrets, "one more", now + 1s + 24h).size() == signing_secrets_max);
}
