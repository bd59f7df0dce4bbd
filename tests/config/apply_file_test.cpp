#include "config/apply_file.hpp"
#include "tests/config/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::config {
namespace {

const std::string whole_file = R"(
[[tenants]]
name = "acme"

[[connections]]
tenant = "acme"
name = "shop"
driver = "mirror"

[[connections]]
tenant = "acme"
name = "crm"
driver = "rest"
[connections.settings]
base_url = "https://crm.example"
ratio = 1.50
[connections.credentials]
token = "env:CRM_TOKEN"
user = "plain:env:me"

[[rules]]
name = "customers-to-crm"
source = "shop"
target = "crm"
domain = "customers"
[rules.mapping]
name = "/companyName"
"/properties/email" = { from = "/email", transform = ["trim", "lower"], required = true }
score = { value = 1.10 }
[rules.filter]
field = "/country"
equals = "Germany"
)";

std::string faults_of(const std::string& text, const environment& variables = {},
                      apply_format format = apply_format::toml) {
  const auto plan = parse_apply_file(text, format, "FILE", variables);
  REQUIRE_FALSE(plan);
  std::string out;
  for (const auto& fault : plan.error()) {
    out += fault + "\n";
  }
  return out;
}

TEST_CASE("an apply file becomes tenants, connections and rules") {
  const auto plan = parse_apply_file(whole_file, apply_format::toml, "FILE", {{"CRM_TOKEN", "s3cret"}});
  REQUIRE(plan);
  CHECK(plan->tenants == std::vector<std::string>{"acme"});
  REQUIRE(plan->connections.size() == 2);
  CHECK(plan->connections[0].driver == "mirror");
  CHECK(plan->connections[0].settings == "{}");
  CHECK(plan->connections[0].credentials.empty());
  CHECK(plan->connections[1].settings == R"({"base_url":"https://crm.example","ratio":1.50})");
  CHECK(plan->connections[1].credentials == R"({"token":"s3cret","user":"env:me"})");
  REQUIRE(plan->rules.size() == 1);
  const auto& [rule, source, target] = plan->rules.front();
  CHECK(rule.name == "customers-to-crm");
  CHECK(source == "shop");
  CHECK(target == "crm");
  CHECK(rule.active);
  CHECK(rule.direction == core::rule_direction::push_out);
  CHECK(rule.updates == core::update_mode::overwrite);
  CHECK(rule.deletes == core::delete_policy::ignore);
  CHECK(rule.filter == R"({"field":"/country","equals":"Germany"})");
  CHECK(
      rule.mapping
      == R"({"name":"/companyName","/properties/email":{"from":"/email","transform":["trim","lower"],"required":true},"score":{"value":1.10}})");
}

TEST_CASE("JSON of the same shape is read the same way, and keeps long numbers") {
  const auto plan = parse_apply_file(
      R"({"tenants":[{"name":"acme"}],"rules":[{"name":"r","source":"a","target":"b","domain":"d","active":false,
          "update_mode":"create_only","mapping":{"n":{"value":1234567890123456789012345678901234567890}}}]})",
      apply_format::json, "FILE", {});
  REQUIRE(plan);
  const auto& rule = plan->rules.front().rule;
  CHECK_FALSE(rule.active);
  CHECK(rule.updates == core::update_mode::create_only);
  CHECK(rule.mapping == R"({"n":{"value":1234567890123456789012345678901234567890}})");
}

TEST_CASE("all faults of an apply file are told at once, with file, line, key and what is allowed") {
  const auto faults = faults_of("[[tenants]]\n"
                                "nam = \"acme\"\n"
                                "[[connections]]\n"
                                "tenant = \"acme\"\n"
                                "name = \"crm\"\n"
                                "driver = \"soap\"\n"
                                "[[rules]]\n"
                                "name = \"r\"\n"
                                "source = 5\n"
                                "domain = \"d\"\n"
                                "active = \"yes\"\n"
                                "update_mode = \"sometimes\"\n"
                                "delete_policy = \"erase\"\n"
                                "mapping = {}\n"
                                "[[webhooks]]\n"
                                "name = \"s\"\n");
  INFO(faults);
  CHECK(faults.find("FILE:1: tenants[1].name is missing") != std::string::npos);
  CHECK(faults.find("FILE:2: tenants[1].nam is not known here; allowed are name") != std::string::npos);
  CHECK(faults.find("FILE:6: connections[1].driver = \"soap\" is not a driver; allowed are mirror and rest")
        != std::string::npos);
  CHECK(faults.find("FILE:9: rules[1].source is a whole number; allowed is a text") != std::string::npos);
  CHECK(faults.find("FILE:7: rules[1].target is missing") != std::string::npos);
  CHECK(faults.find("FILE:11: rules[1].active is a text; allowed are true and false") != std::string::npos);
  CHECK(faults.find(
            "FILE:12: rules[1].update_mode = \"sometimes\" is not one of the allowed values: overwrite and "
            "create_only")
        != std::string::npos);
  CHECK(faults.find("FILE:13: rules[1].delete_policy = \"erase\" is not one of the allowed values: ignore, "
                    "delete and deactivate")
        != std::string::npos);
  CHECK(faults.find("webhooks is not known; allowed are tenants, connections, rules and subscriptions")
        != std::string::npos);
}

TEST_CASE("faults of a mapping and a filter have the line they stand at") {
  const auto faults = faults_of("[[rules]]\n"
                                "name = \"r\"\n"
                                "source = \"a\"\n"
                                "target = \"b\"\n"
                                "domain = \"d\"\n"
                                "[rules.mapping]\n"
                                "good = \"/a\"\n"
                                "bad = { from = \"/b\", transform = \"shout\" }\n"
                                "[rules.filter]\n"
                                "field = \"/c\"\n"
                                "resembles = 4\n");
  INFO(faults);
  CHECK(faults.find("FILE:8: rules[1].mapping : ") != std::string::npos);
  CHECK(faults.find("FILE:7:") == std::string::npos);
  CHECK(faults.find("rules[1].filter : ") != std::string::npos);
}

TEST_CASE("a name may stand once in a file") {
  CHECK(faults_of("[[tenants]]\nname = \"a\"\n[[tenants]]\nname = \"a\"\n")
            .find("FILE:4: tenants[2].name = \"a\" stands in this file twice")
        != std::string::npos);
}

TEST_CASE("a secret that cannot be had is a fault that shows no secret") {
  const auto faults =
      faults_of("[[connections]]\ntenant = \"t\"\nname = \"c\"\ndriver = \"mirror\"\n"
                "[connections.credentials]\na = \"env:UNSET\"\nb = \"file:/nowhere/x\"\nc = \"canary\"\n");
  INFO(faults);
  CHECK(faults.find("FILE:6: connections[1].credentials.a names the variable UNSET, which is not set")
        != std::string::npos);
  CHECK(faults.find("FILE:7: connections[1].credentials.b names a file: the file /nowhere/x cannot be opened")
        != std::string::npos);
  CHECK(faults.find("canary") == std::string::npos);
}

TEST_CASE("the name of the file says whether it is TOML or JSON, and its content where the name does not") {
  const tests::temporary_folder folder;
  const std::string json = R"({"tenants":[{"name":"acme"}]})";
  CHECK(read_apply_file(folder.file("a.json", json), {}));
  CHECK(read_apply_file(folder.file("plain", json), {}));
  CHECK(read_apply_file(folder.file("a.toml", "[[tenants]]\nname = \"acme\"\n"), {}));
  CHECK_FALSE(read_apply_file(folder.file("b.toml", json), {}));
  CHECK_FALSE(read_apply_file(folder.path("none"), {}));
}

TEST_CASE("every preset is an apply file") {
  const auto root = std::filesystem::path{__FILE__}.parent_path().parent_path().parent_path();
  int read = 0;
  for (const auto& preset : std::filesystem::directory_iterator{root / "presets"}) {
    INFO(preset.path());
    const auto plan = read_apply_file(preset.path().string(), {});
    CHECK((plan ? std::vector<std::string>{} : plan.error()) == std::vector<std::string>{});
    ++read;
  }
  CHECK(read >= 3);
}

} // namespace
} // namespace sluice::config
