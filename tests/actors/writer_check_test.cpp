#include "actors/writer_check.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using sentences = std::vector<std::string>;

TEST_CASE("what is wrong with a connection is told once, however many rules it is for") {
  const std::string path = "settings.path: text is needed";
  CHECK(actors::sentences_of({{"crm", "a", path}}) == sentences{"connection crm for rule a: " + path});
  CHECK(actors::sentences_of({{"crm", "a", path}, {"crm", "b", path}})
        == sentences{"connection crm for rules a and b: " + path});
  CHECK(actors::sentences_of({{"crm", "a", path}, {"crm", "b", path}, {"crm", "c", path}})
        == sentences{"connection crm for rules a, b and c: " + path});
  std::vector<actors::writer_fault> many;
  for (const std::string rule : {"a", "b", "c", "d", "e"})
    many.push_back({"crm", rule, path});
  CHECK(actors::sentences_of(many) == sentences{"connection crm for rules a, b, c and 2 more: " + path});
}

TEST_CASE("faults that differ, or are another connection's, are told each") {
  CHECK(actors::sentences_of(
            {{"crm", "a", "one"}, {"erp", "b", "one"}, {"crm", "c", "two"}, {"erp", "d", "one"}})
        == sentences{"connection crm for rule a: one", "connection erp for rules b and d: one",
                     "connection crm for rule c: two"});
}
