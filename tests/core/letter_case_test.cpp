#include "core/letter_case.hpp"
#include "core/payload.hpp"
#include "tests/core/json_generators.hpp"

#include <catch2/catch.hpp>

#include <rapidcheck.h>

namespace sluice::core {
namespace {

std::string lower(std::string text) {
  make_lower(text);
  return text;
}

std::string upper(std::string text) {
  make_upper(text);
  return text;
}

std::string trimmed(std::string text) {
  trim(text);
  return text;
}

TEST_CASE("letters change case in the scripts that have two") {
  CHECK(lower("MÜLLER@Example.COM") == "müller@example.com");
  CHECK(upper("müller ß") == "MÜLLER ß");
  CHECK(lower("ŁÓDŹ ŽIŽKA ĲSSEL ŸŇ") == "łódź žižka ĳssel ÿň");
  CHECK(upper("łódź žižka ĳssel ÿň") == "ŁÓDŹ ŽIŽKA ĲSSEL ŸŇ");
  CHECK(lower("ΆΈΊΌΎΏ ΑΩΣ") == "άέίόύώ αωσ");
  CHECK(upper("άέίόύώ αωσς") == "ΆΈΊΌΎΏ ΑΩΣΣ");
  CHECK(lower("ЁЖИК ІЇЄҐ") == "ёжик іїєґ");
  CHECK(upper("ёжик іїєґ") == "ЁЖИК ІЇЄҐ");
  CHECK(lower("ԵՐԵՎԱՆ") == "երեվան");
}

TEST_CASE("what has no other case of the same length stays as it is") {
  const std::string text = "×÷ 東京 😀 ı İ 123 ẞ";
  CHECK(lower(text) == text);
  CHECK(upper("×÷ 東京 😀 İ 123") == "×÷ 東京 😀 İ 123");
}

TEST_CASE("changing case keeps any text valid, as long, and changes it once") {
  CHECK(rc::check([] {
    const auto text = *any_text();
    for (const auto& changed : {lower(text), upper(text)}) {
      std::string json;
      append_json_string(json, changed);
      RC_ASSERT(check_payload(json));
      RC_ASSERT(changed.size() == text.size());
    }
    RC_ASSERT(lower(lower(text)) == lower(text));
    RC_ASSERT(upper(upper(text)) == upper(text));
  }));
}

TEST_CASE("bytes cut off in the middle of a letter do no harm") {
  CHECK(lower("A\xC3") == "a\xC3");
}

TEST_CASE("spaces go from both ends only") {
  CHECK(trimmed("  a b\t\r\n") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \t ") == "");
  CHECK(trimmed("") == "");
}

} // namespace
} // namespace sluice::core
