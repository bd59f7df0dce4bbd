#pragma once

#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>

namespace sluice::tests {

inline const harness::record_place consents{"shop", "consents"};

inline harness::rule_options consent_rule() {
  harness::rule_options options;
  options.domain = "consents";
  options.mapping = R"({"external_id":{"template":"{source_id}"},"customer":{"anchor":"customers"}})";
  options.anchor_domain = "customers";
  options.anchor_pointer = "/customer";
  return options;
}

/// A node that delivers customers, and the consents that depend on them.
struct consent_world : catch_world {
  explicit consent_world(const harness::target_options& target = {}) {
    add_target("crm", target);
    add_rule("customers");
    add_rule("consents", consent_rule());
    settle();
    advance(std::chrono::minutes{1});
  }

  void reopen(const std::string& customer) {
    auto reopened = ask<core::ledger_row>(
        dispatcher(), messages::offer_record{rule_id("customers"), core::row_act::reopen, customer, "ada"});
    settle();
    REQUIRE(reopened.answered());
  }

  void put_consent(const std::string& id, const std::string& customer, const std::string& tag = {}) {
    put_payload(id, R"({"customer":")" + customer + R"(","tag":")" + tag + R"("})", consents);
  }
};

} // namespace sluice::tests
