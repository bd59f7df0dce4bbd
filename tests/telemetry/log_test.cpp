#include "telemetry/log.hpp"
#include "tests/config/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace sluice;
using telemetry::event;

namespace {

/// What is written to standard error while `write` runs.
template <class Write>
std::string said(Write write) {
  const tests::temporary_folder folder;
  const auto path = folder.path("log");
  const auto file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  const auto before = ::dup(STDERR_FILENO);
  ::dup2(file, STDERR_FILENO);
  write();
  std::fflush(stderr);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(file);
  std::stringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

std::string said_of(const std::string& value, const std::string& format) {
  return said([&] {
    telemetry::open_log("debug", format);
    telemetry::log(event::chain_faulted, "sync_rule", {{"rule", "7"}, {"reason", value}});
  });
}

const std::vector<std::string> hostile{
    "plain",
    "",
    R"(a "quoted" \ word)",
    "two\nlines\r\nand {\"event\":\"node.stopped\"}",
    std::string("a\0b", 3),
    "\x1b[2Jcleared",
    "not utf-8: \xff\xfe\xc3",
    "Größe 日本 \xf0\x9f\x98\x80",
    "%v %l {} {0} {:>99}",
    std::string(100'000, 'x'),
};

} // namespace

TEST_CASE("a JSON line is one line and valid, whatever its fields hold") {
  for (const auto& value : hostile) {
    INFO(value.substr(0, 80));
    const auto line = said_of(value, "json");
    REQUIRE(std::ranges::count(line, '\n') == 1);
    const auto read = nlohmann::json::parse(line);
    CHECK(read.at("event") == "chain.faulted");
    CHECK(read.at("level") == "warning");
    CHECK(read.at("actor") == "sync_rule");
    CHECK(read.at("rule") == "7");
    CHECK(read.at("time").get<std::string>().ends_with("Z"));
    CHECK(read.at("reason").is_string());
  }
  CHECK(nlohmann::json::parse(said_of("two\nlines", "json")).at("reason") == "two\nlines");
}

TEST_CASE("a text line is one line of printable characters, whatever its fields hold") {
  for (const auto& value : hostile) {
    INFO(value.substr(0, 80));
    const auto line = said_of(value, "text");
    REQUIRE(std::ranges::count(line, '\n') == 1);
    CHECK(std::ranges::all_of(line, [](unsigned char c) { return c == '\n' || (c >= ' ' && c < 0x7f); }));
    CHECK(line.find(" chain.faulted sync_rule: ") != std::string::npos);
    CHECK(line.find(" rule=7 reason=") != std::string::npos);
  }
  CHECK(said_of("plain", "text").ends_with(" reason=plain\n"));
  CHECK(said_of("a b=\"c\"", "text").ends_with(" reason=\"a b=\\\"c\\\"\"\n"));
}

TEST_CASE("what is less grave than the level is not written") {
  const auto text = said([] {
    telemetry::open_log("warn", "text");
    telemetry::log(event::node_started, "node");
    telemetry::log(event::chain_faulted, "sync_rule");
  });
  CHECK(text.find("node.started") == std::string::npos);
  CHECK(text.find("chain.faulted") != std::string::npos);
}
