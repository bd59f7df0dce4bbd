#include "app/reload.hpp"
#include "config/setting_keys.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

using result = settings_loader::result_type;

TEST_CASE("every live setting is taken over, and no other") {
  config::settings in_force;
  in_force.log.level = "error"; // the test says nothing on standard error
  auto wanted = in_force;
  wanted.log.format = "json";
  wanted.calls.max_in_flight = 3;
  reload(in_force, [&] { return result{wanted}; });
  for (const auto* key : config::differing_settings(in_force, wanted)) {
    INFO(config::full_name(*key));
    CHECK_FALSE(key->live);
  }
  CHECK(in_force.log.format == "json");
  CHECK(in_force.calls.max_in_flight == config::settings{}.calls.max_in_flight);
  for (const auto& key : config::setting_keys())
    CHECK(key.live == (key.section == "log"));
}

TEST_CASE("settings with faults change nothing") {
  config::settings in_force;
  in_force.log.level = "error";
  const auto before = in_force;
  reload(in_force,
         [] { return result{std::unexpected{std::vector<std::string>{"log.level is not a level"}}}; });
  CHECK(config::differing_settings(in_force, before).empty());
}

} // namespace
} // namespace sluice::app
