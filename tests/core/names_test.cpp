#include "core/http.hpp"
#include "core/ledger.hpp"
#include "core/outcome.hpp"
#include "core/record.hpp"
#include "core/rule.hpp"
#include "tests/core/check_words.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE("words of records, ledgers and rules read back as what they were written for") {
  check_words(deletion_reason::disconnect, parse_deletion_reason);
  check_words(delivery_status::exhausted, parse_delivery_status);
  check_words(target_state::inactive, parse_target_state);
  check_words(rule_direction::pull_in, parse_rule_direction);
  check_words(update_mode::create_only, parse_update_mode);
  check_words(delete_policy::deactivate, parse_delete_policy);
  check_words(connection_status::error, parse_connection_status);
}

TEST_CASE("stored words stay what they are") {
  CHECK(to_string(deletion_reason::source_event) == "source_event");
  CHECK(to_string(delivery_status::delivered) == "delivered");
  CHECK(to_string(delivery_status::failed) == "failed");
  CHECK(to_string(delivery_status::held) == "held");
  CHECK(to_string(delivery_status::awaiting_anchor) == "awaiting_anchor");
  CHECK(to_string(delivery_status::ambiguous) == "ambiguous");
  CHECK(to_string(delivery_status::remote_gone) == "remote_gone");
  CHECK(to_string(delete_policy::delete_record) == "delete");
  CHECK(to_string(operation::remove) == "delete");
  CHECK(to_string(operation::lookup) == "lookup");
  CHECK(to_string(outcome_kind::rate_limited) == "rate_limited");
  CHECK(to_string(outcome_kind::ambiguous) == "ambiguous");
  CHECK(to_string(call_error::none) == "none");
  CHECK(to_string(call_error::timed_out) == "timed_out");
}

TEST_CASE("a value outside an enum is called unknown") {
  CHECK(to_string(static_cast<delivery_status>(200)) == "unknown");
  CHECK(to_string(static_cast<call_error>(200)) == "unknown");
}
