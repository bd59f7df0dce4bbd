#include "config/apply_file.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace sluice::config {
namespace {

/// A rule of customer_consents, with what a test adds to it from line 6 on.
std::string consents(const std::string& more) {
  return "[[rules]]\n"
         "name = \"consents\"\n"
         "source = \"shop\"\n"
         "target = \"crm\"\n"
         "domain = \"customer_consents\"\n"
         + more;
}

std::string faults_of(const std::string& text) {
  const auto plan = parse_apply_file(text, apply_format::toml, "FILE", {});
  std::string out;
  for (const auto& fault : plan ? std::vector<std::string>{} : plan.error()) {
    out += fault + "\n";
  }
  return out;
}

TEST_CASE("a rule's anchor names the domain of its parents and where their id stands") {
  const auto plan = parse_apply_file(consents("[rules.anchor]\n"
                                              "domain = \"customers\"\n"
                                              "source_id = \"/customer/id\"\n"
                                              "[rules.mapping]\n"
                                              "customer = { anchor = \"customers\" }\n"
                                              "key = { template = \"{anchor}:{source_id}\" }\n"),
                                     apply_format::toml, "FILE", {});
  REQUIRE(plan);
  const auto& rule = plan->rules.front().rule;
  CHECK(rule.dependent());
  CHECK(rule.anchor_domain == "customers");
  CHECK(rule.anchor_pointer == "/customer/id");
}

TEST_CASE("faults of an anchor have the line they stand at") {
  const auto faults = faults_of(consents("[rules.anchor]\n"
                                         "domain = \"customer_consents\"\n"
                                         "source_id = \"customer_id\"\n"
                                         "on = 1\n"
                                         "[rules.mapping]\n"
                                         "a = \"/a\"\n"));
  INFO(faults);
  CHECK(faults.contains("FILE:7: rules[1].anchor.domain = \"customer_consents\" is the rule's own domain"));
  CHECK(faults.contains("FILE:8: rules[1].anchor.source_id = \"customer_id\": "));
  CHECK(faults.contains("FILE:9: rules[1].anchor.on is not known here; allowed are domain, source_id"));
  CHECK(faults_of(consents("mapping = {}\nanchor = 5\n"))
            .contains("FILE:7: rules[1].anchor is a whole number; allowed is a table"));
  CHECK(faults_of(consents("mapping = {}\n[rules.anchor]\ndomain = \"customers\"\n"))
            .contains("rules[1].anchor.source_id is missing"));
  CHECK(faults_of(
            consents("direction = \"pull_in\"\nanchor = { domain = \"customers\", source_id = \"/c\" }\n"))
            .contains("FILE:7: rules[1].anchor stands at a rule of direction pull_in"));
}

TEST_CASE("a mapping that takes another parent's id, or has no parent, is refused where it does") {
  const std::string mapping = "[rules.mapping]\n"
                              "plain = \"/a\"\n"
                              "customer = { anchor = \"orders\" }\n"
                              "key = { template = \"{anchor}\" }\n";
  const auto without = faults_of(consents(mapping));
  INFO(without);
  CHECK(without.contains(
      "FILE:8: rules[1].mapping : customer: takes the id of the record's parent, but the rule "
      "has none; add the table anchor"));
  CHECK(without.contains("FILE:9: rules[1].mapping : key: takes the id of the record's parent"));
  CHECK_FALSE(without.contains("FILE:7:"));
  const auto other =
      faults_of(consents("anchor = { domain = \"customers\", source_id = \"/c\" }\n" + mapping));
  INFO(other);
  CHECK(other.contains(
      "FILE:9: rules[1].mapping : customer: takes the id of a parent in \"orders\"; allowed is the "
      "rule's anchor, \"customers\""));
  CHECK_FALSE(other.contains("FILE:10:"));
}

TEST_CASE("a pointer that is none is refused in mapping and filter") {
  const auto faults = faults_of(consents("[rules.mapping]\n"
                                         "a = \"email\"\n"
                                         "[rules.filter]\n"
                                         "field = \"country\"\n"
                                         "equals = \"DE\"\n"));
  INFO(faults);
  CHECK(faults.contains("FILE:7: rules[1].mapping : a: "));
  CHECK(faults.contains("rules[1].filter : "));
}

TEST_CASE("each delete policy is read") {
  for (const std::string word : {"ignore", "delete", "deactivate"}) {
    const auto plan = parse_apply_file(consents("delete_policy = \"" + word + "\"\nmapping = {}\n"),
                                       apply_format::toml, "FILE", {});
    REQUIRE(plan);
    CHECK(core::to_string(plan->rules.front().rule.deletes) == word);
  }
}

} // namespace
} // namespace sluice::config
