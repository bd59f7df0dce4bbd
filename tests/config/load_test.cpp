#include "config/load.hpp"
#include "config/setting_keys.hpp"
#include "tests/config/temporary_folder.hpp"
#include "tests/repository_file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace sluice::config {
namespace {

using tests::repository_file;
using tests::temporary_folder;

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines) {
    out += line + "\n";
  }
  return out;
}

/// Loads a file of this text; the path in faults is replaced by "FILE".
std::expected<settings, std::string> load_text(const std::string& text, const environment& variables = {}) {
  const temporary_folder folder;
  const auto path = folder.file("sluice.toml", text);
  auto loaded = load(path, variables);
  if (loaded) {
    return *loaded;
  }
  auto faults = joined(loaded.error());
  for (auto at = faults.find(path); at != std::string::npos; at = faults.find(path)) {
    faults.replace(at, path.size(), "FILE");
  }
  return std::unexpected{faults};
}

std::string faults_of(const std::string& text, const environment& variables = {}) {
  const auto loaded = load_text(text, variables);
  REQUIRE_FALSE(loaded);
  return loaded.error();
}

TEST_CASE("the default file parses to exactly the defaults") {
  const auto loaded = load_text(repository_file("config/sluice.toml"));
  REQUIRE(loaded);
  const settings defaults;
  for (const auto& key : setting_keys()) {
    INFO(full_name(key));
    CHECK(value_text(key, *loaded) == value_text(key, defaults));
  }
}

TEST_CASE(
    "the default file is the one the table of keys writes, and names every key with its unit and meaning") {
  const auto file = repository_file("config/sluice.toml");
  CHECK(file == default_file());
  for (const auto& key : setting_keys()) {
    INFO(full_name(key));
    CHECK(file.find("\n" + std::string{key.name} + " = ") != std::string::npos);
    CHECK_FALSE(key.unit.empty());
    CHECK(key.meaning.ends_with('.'));
  }
}

TEST_CASE("every setting can be set, from the file and from the environment") {
  settings changed;
  for (const auto& key : setting_keys()) {
    INFO(full_name(key));
    CHECK(find_setting(key.section, key.name) == &key);
    const auto slot = key.slot(changed);
    std::visit([](auto* value) { REQUIRE(value != nullptr); }, slot);
  }
  const auto distinct = [&](auto slot_address) { return slot_address; };
  std::vector<const void*> places;
  for (const auto& key : setting_keys()) {
    places.push_back(std::visit([&](auto* value) { return static_cast<const void*>(distinct(value)); },
                                key.slot(changed)));
  }
  std::ranges::sort(places);
  CHECK(std::ranges::adjacent_find(places) == places.end());
}

TEST_CASE("the defaults are valid") {
  CHECK(joined(settings{}.validate()).empty());
}

TEST_CASE("a variable overrides the file, and the file the default") {
  const auto loaded = load_text("[delivery]\nscan_batch_size = 300\ndrain_chunk_size = 301\n",
                                {{"SLUICE_DELIVERY_SCAN_BATCH_SIZE", "400"}});
  REQUIRE(loaded);
  CHECK(loaded->delivery.scan_batch_size == 400);
  CHECK(loaded->delivery.drain_chunk_size == 301);
  CHECK(loaded->delivery.batches_in_hand == 6);
}

TEST_CASE("lists in variables are separated by spaces or commas") {
  const auto loaded = load({}, {{"SLUICE_DELIVERY_RETRY_SCHEDULE", "1s, 2m 3h,"},
                                {"SLUICE_CALLS_ALLOWED_NETWORKS", "127.0.0.0/8,::1/128"}});
  REQUIRE(loaded);
  CHECK(loaded->delivery.retry_schedule == std::vector<duration>{1s, 2min, 3h});
  CHECK(loaded->calls.allowed_networks == std::vector<std::string>{"127.0.0.0/8", "::1/128"});
}

TEST_CASE("all faults of a file are told at once, each with file, line, key and what is allowed") {
  const auto faults = faults_of("[delivery]\n"
                                "scan_batch_size = \"many\"\n"
                                "sweep_interval = 600\n"
                                "scan_ovrlap = \"1m\"\n"
                                "retry_schedule = [\"1m\", 5]\n"
                                "\n"
                                "[log]\n"
                                "level = \"loud\"\n"
                                "[databse]\n"
                                "url = \"x\"\n"
                                "[database]\n"
                                "readers = 99\n");
  INFO(faults);
  CHECK(faults.find("FILE:2: delivery.scan_batch_size: this is a text; allowed is a whole number, 1 to 10000")
        != std::string::npos);
  CHECK(faults.find(
            "FILE:3: delivery.sweep_interval: this is a whole number; allowed is a duration such as \"90s\"")
        != std::string::npos);
  CHECK(faults.find(
            "FILE:4: delivery.scan_ovrlap is not a setting; allowed in [delivery] are dispatch_interval")
        != std::string::npos);
  CHECK(faults.find("FILE:5: delivery.retry_schedule: item 2 is a whole number") != std::string::npos);
  CHECK(faults.find("FILE:8: log.level = \"loud\": allowed is one of error, warn, info, debug")
        != std::string::npos);
  CHECK(faults.find("FILE:9: databse is not a section; allowed are database, node") != std::string::npos);
  CHECK(faults.find("FILE:12: database.readers = 99: allowed is a whole number, 1 to 16")
        != std::string::npos);
  CHECK(std::ranges::count(faults, '\n') == 7);
}

TEST_CASE("a file that is no TOML is refused with the line") {
  CHECK(faults_of("[delivery]\nscan_batch_size = = 4\n").starts_with("FILE:2: this is not TOML: "));
  CHECK(faults_of("[log]\nlevel = 1\nlevel = 2\n").starts_with("FILE:3: "));
  CHECK(faults_of(std::string{"[log]\n\0", 7}).starts_with("FILE:2: the file has a NUL byte"));
}

TEST_CASE("a file that does not exist is refused by name") {
  const auto loaded = load("/nowhere/sluice.toml", {});
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().front().find("/nowhere/sluice.toml cannot be opened") != std::string::npos);
}

TEST_CASE("unknown variables of a section are refused, others are nobody's business") {
  const auto loaded =
      load({}, {{"SLUICE_DELIVERY_SCAN_BATCH", "1"}, {"SLUICE_TEST_SOMETHING", "x"}, {"HOME", "/"}});
  REQUIRE_FALSE(loaded);
  REQUIRE(loaded.error().size() == 1);
  CHECK(loaded.error().front().starts_with(
      "SLUICE_DELIVERY_SCAN_BATCH is not a setting; allowed in section delivery are dispatch_interval, "));
}

TEST_CASE("a variable of the wrong kind is refused by its name") {
  const auto loaded = load({}, {{"SLUICE_DATABASE_READERS", "two"}, {"SLUICE_LOG_FORMAT", "xml"}});
  REQUIRE_FALSE(loaded);
  const auto faults = joined(loaded.error());
  CHECK(
      faults.find("SLUICE_DATABASE_READERS: \"two\" is not such a number; allowed is a whole number, 1 to 16")
      != std::string::npos);
  CHECK(faults.find("SLUICE_LOG_FORMAT: log.format = \"xml\": allowed is one of text, json")
        != std::string::npos);
}

TEST_CASE("impossible combinations are refused where they were set") {
  const auto faults = faults_of("[delivery]\n"
                                "stale_after = \"5m\"\n"
                                "[node]\n"
                                "lease_length = \"8s\"\n"
                                "[calls]\n"
                                "max_in_flight = 64\n");
  INFO(faults);
  CHECK(faults.find("FILE:2: delivery.stale_after = 5m: must be more than delivery.dispatch_interval + "
                    "delivery.step_timeout (5m5s)")
        != std::string::npos);
  CHECK(faults.find(
            "FILE:4: node.lease_length = 8s: must be more than node.lease_renewal + node.lease_margin (8s)")
        != std::string::npos);
  CHECK(faults.find("FILE:6: calls.max_in_flight = 64: must be at most calls.max_in_flight_connection (32)")
        != std::string::npos);
}

TEST_CASE("limits of subscriptions that do not go together are refused") {
  settings all;
  all.subscriptions.max_in_flight = 100;
  all.subscriptions.claims_max = 99;
  all.subscriptions.lease = all.calls.call_timeout;
  all.subscriptions.retry_schedule.clear();
  std::string faults;
  for (const auto& fault : all.validate())
    faults += fault + "\n";
  CHECK(faults.find("subscriptions.claims_max = 99: must be at least subscriptions.max_in_flight (100)")
        != std::string::npos);
  CHECK(faults.find("subscriptions.lease = 30s: must be at least twice calls.call_timeout (1m)")
        != std::string::npos);
  CHECK(faults.find("subscriptions.retry_schedule = 0 waits") != std::string::npos);
}

TEST_CASE("what callbacks may have that does not go together, and an address nobody reaches, are refused") {
  settings all;
  CHECK(all.validate().empty());
  all.callbacks.public_url = "https://sluice.example.com:8443";
  CHECK(all.validate().empty());
  all.callbacks.in_hand_bytes_max = all.callbacks.body_bytes_max - 1;
  all.callbacks.refusals_total = all.callbacks.refusals_per_profile - 1;
  for (const std::string url : {"https://sluice.example.com/", "https://a@sluice.example.com", "sluice"}) {
    INFO(url);
    all.callbacks.public_url = url;
    std::string faults;
    for (const auto& fault : all.validate())
      faults += fault + "\n";
    CHECK(faults.find("callbacks.public_url = \"" + url + "\": ") != std::string::npos);
    CHECK(faults.find(
              "callbacks.in_hand_bytes_max = 262143: must be at least callbacks.body_bytes_max (262144)")
          != std::string::npos);
    CHECK(faults.find("callbacks.refusals_total = 999: must be at least") != std::string::npos);
  }
}

TEST_CASE("a share is a number from 0 to 1, with or without a point") {
  const auto loaded =
      load_text("[volume]\nshare = 0.25\nfloor = 5000000000\n", {{"SLUICE_VOLUME_WINDOW", "2h"}});
  REQUIRE(loaded);
  CHECK(loaded->volume.share == 0.25);
  CHECK(loaded->volume.floor == 5'000'000'000);
  CHECK(loaded->volume.window == 2h);
  CHECK(load_text("[volume]\nshare = 1\n")->volume.share == 1);
  CHECK(load_text("", {{"SLUICE_VOLUME_SHARE", "0"}})->volume.share == 0);
  for (const std::string share : {"1.01", "-0.1", "1e9"}) {
    CHECK(faults_of("[volume]\nshare = " + share + "\n").contains("volume.share = "));
    CHECK(faults_of("[volume]\nshare = " + share + "\n").contains("allowed is a number, 0 to 1"));
  }
  CHECK(faults_of("[volume]\nshare = \"10%\"\nfloor = -1\n")
            .starts_with("FILE:2: volume.share: this is a text; allowed is a number, 0 to 1\n"));
  CHECK(faults_of("", {{"SLUICE_VOLUME_SHARE", "nan"}}).contains("allowed is a number, 0 to 1"));
}

TEST_CASE("networks, retry schedules and database addresses are checked") {
  const auto faults =
      faults_of("[calls]\nallowed_networks = [\"10.0.0.0/8\", \"10.0.0.0\", \"::1/129\", \"10.0.0.1/8\"]\n"
                "[delivery]\nretry_schedule = []\n[database]\nurl = \"mysql://x\"\n");
  INFO(faults);
  CHECK(faults.find("calls.allowed_networks = \"10.0.0.0\"") != std::string::npos);
  CHECK(faults.find("calls.allowed_networks = \"::1/129\"") != std::string::npos);
  CHECK(faults.find("calls.allowed_networks = \"10.0.0.1/8\"") != std::string::npos);
  CHECK(faults.find("\"10.0.0.0/8\":") == std::string::npos);
  CHECK(faults.find("delivery.retry_schedule = 0 waits") != std::string::npos);
  CHECK(faults.find("FILE:6: database.url: allowed are sqlite:PATH") != std::string::npos);
}

TEST_CASE("secrets come from files, and no fault shows one") {
  const temporary_folder folder;
  const auto url = folder.file("url", "postgresql://user:canary@host/name\n");
  const auto keys = folder.file("keys", "first:" + std::string(64, 'a') + "\nsecond:canary-that-is-no-key\n");
  const auto loaded = load_text("[database]\nurl_file = \"" + url + "\"\n");
  REQUIRE(loaded);
  CHECK(loaded->database.url == "postgresql://user:canary@host/name");

  const auto faults = faults_of("[keys]\nkeys_file = \"" + keys + "\"\nkeys = [\"canary\"]\n",
                                {{"SLUICE_DATABASE_URL_FILE", "/nowhere/canary-free"}});
  INFO(faults);
  CHECK(faults.find("SLUICE_DATABASE_URL_FILE: database.url_file: the file /nowhere") != std::string::npos);
  CHECK(faults.find("keys.keys: key 1 has no name") != std::string::npos);
  CHECK(faults.find("key 3 (second) is not a key") != std::string::npos);
  CHECK(faults.find("canary\"") == std::string::npos);
  CHECK(faults.find("canary-that") == std::string::npos);
}

TEST_CASE("the keys of the file stand behind those of the settings") {
  const temporary_folder folder;
  const auto keys = folder.file("keys", "old:" + std::string(64, 'b') + "\n");
  const auto loaded =
      load_text("[keys]\nkeys = [\"new:" + std::string(43, 'A') + "=\"]\nkeys_file = \"" + keys + "\"\n");
  REQUIRE(loaded);
  REQUIRE(loaded->keys.keys.size() == 2);
  CHECK(loaded->keys.keys[0].starts_with("new:"));
  CHECK(loaded->keys.keys[1].starts_with("old:"));
}

TEST_CASE("keys that find addresses are read as those that seal, and their faults name them") {
  const temporary_folder folder;
  const auto keys = folder.file("prints", "old:" + std::string(64, 'b') + "\n");
  const auto loaded = load_text("[keys]\nfingerprint_keys = [\"new:" + std::string(64, 'c')
                                + "\"]\nfingerprint_keys_file = \"" + keys + "\"\n");
  REQUIRE(loaded);
  REQUIRE(loaded->keys.fingerprint_keys.size() == 2);
  CHECK(loaded->keys.fingerprint_keys[0].starts_with("new:"));
  CHECK(loaded->keys.fingerprint_keys[1].starts_with("old:"));
  CHECK(loaded->keys.keys.empty());
  const auto faults = faults_of("[keys]\nfingerprint_keys = [\"canary\"]\n");
  CHECK(faults.find("keys.fingerprint_keys: key 1 has no name") != std::string::npos);
  CHECK(faults.find("canary") == std::string::npos);
}

} // namespace
} // namespace sluice::config
