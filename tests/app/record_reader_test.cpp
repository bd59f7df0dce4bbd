#include "app/record_reader.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace sluice::app {
namespace {

struct reading {
  std::vector<std::pair<std::string, std::string>> well; ///< id and payload
  std::vector<std::string> faults;
};

reading read_all(std::string_view text, record_format format, const std::string& id_field) {
  text_source source{text};
  const auto reader = make_record_reader(source, format, id_field);
  REQUIRE(reader);
  reading out;
  import_record record;
  while ((*reader)->next(record)) {
    if (record.fault.empty()) {
      out.well.emplace_back(record.source_id, record.payload);
    } else {
      out.faults.push_back(std::to_string(record.line) + ": " + record.fault);
    }
  }
  return out;
}

std::string setup_fault(std::string_view text, record_format format, const std::string& id_field) {
  text_source source{text};
  const auto reader = make_record_reader(source, format, id_field);
  REQUIRE_FALSE(reader);
  return reader.error();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a CSV row becomes an object of texts, NULL among them") {
  const auto found =
      read_all("id,name,\"the \"\"x\"\"\"\nA1,NULL,1.0\nA2,\"a\"\"b\",\n", record_format::csv, "id");
  CHECK(found.faults.empty());
  REQUIRE(found.well.size() == 2);
  CHECK(found.well[0].first == "A1");
  CHECK(found.well[0].second == R"({"id":"A1","name":"NULL","the \"x\"":"1.0"})");
  CHECK(found.well[1].second == R"({"id":"A2","name":"a\"b","the \"x\"":""})");
}

TEST_CASE("CSV rows with NUL, invalid UTF-8, missing fields or no id are refused with line and column") {
  std::string text = "id,name\nA1,good\nA2,ba";
  text += '\0';
  text += "d\nA3,\xC3\x28\n,nobody\nA5,x,y\n" + std::string(513, 'i') + ",long\nA7,good\n";
  const auto found = read_all(text, record_format::csv, "id");
  CHECK(found.well.size() == 2);
  REQUIRE(found.faults.size() == 5);
  CHECK(found.faults[0].starts_with("3: column \"name\": "));
  CHECK(found.faults[1].starts_with("4: column \"name\": "));
  CHECK(found.faults[2] == "5: the id has 0 bytes; allowed are 1 to 512");
  CHECK(found.faults[3] == "6: it has 3 fields; the header has 2");
  CHECK(found.faults[4] == "7: the id has 513 bytes; allowed are 1 to 512");
}

TEST_CASE("a header that cannot be used is refused") {
  CHECK(contains(setup_fault("", record_format::csv, "id"), "the file is empty"));
  CHECK(contains(setup_fault("a,b\n", record_format::csv, "id"), "no column \"id\"; its columns are a, b"));
  CHECK(contains(setup_fault("id,b,b\n", record_format::csv, "id"),
                 "column 3 of the header \"b\" stands there twice"));
  CHECK(contains(setup_fault("id,\n", record_format::csv, "id"), "column 2 of the header has no name"));
  CHECK(contains(setup_fault("id,\"x", record_format::csv, "id"), "the header line is not CSV"));
  CHECK(contains(setup_fault("id,\xff\n", record_format::csv, "id"), "is not UTF-8"));
}

TEST_CASE("an NDJSON line is kept as it came, a 40-digit number included") {
  const std::string line = R"({"id": 1234567890123456789012345678901234567890, "n": 1.0, "z": "é"})";
  const auto found =
      read_all(line + "\r\n\n" + R"({"id":"B","nested":{"a":[1]}})", record_format::ndjson, "id");
  CHECK(found.faults.empty());
  REQUIRE(found.well.size() == 2);
  CHECK(found.well[0].first == "1234567890123456789012345678901234567890");
  CHECK(found.well[0].second == line);
  CHECK(found.well[1].first == "B");
}

TEST_CASE("the id of an NDJSON line may lie deeper, and odd names are taken as they are") {
  CHECK(read_all(R"({"a":{"b":"X"}})", record_format::ndjson, "/a/b").well.front().first == "X");
  CHECK(read_all(R"({"a/b~":"Y"})", record_format::ndjson, "a/b~").well.front().first == "Y");
  CHECK(contains(setup_fault("", record_format::ndjson, "/a~2"), "--id-field"));
}

TEST_CASE("NDJSON lines that are no objects, have no id, a NUL, bad UTF-8 or endless depth are refused") {
  std::string text = "[1]\n{\"x\":1}\n{\"id\":{}}\n{\"id\":\"a\\u0000\"}\n{\"id\":\"\xff\"}\n{\"id\":\"a\"\n";
  text += std::string(1'000'000, '[') + "\n{\"id\":\"good\"}\n{\"id\":\"\"}\n";
  const auto found = read_all(text, record_format::ndjson, "id");
  CHECK(found.well.size() == 1);
  REQUIRE(found.faults.size() == 8);
  CHECK(contains(found.faults[0], "1: the line is not a JSON object"));
  CHECK(contains(found.faults[1], "2: the id /id is absent; allowed is a text or a number"));
  CHECK(contains(found.faults[2], "3: the id /id is object"));
  CHECK(found.faults[3].starts_with("4: "));
  CHECK(found.faults[4].starts_with("5: "));
  CHECK(found.faults[5].starts_with("6: "));
  CHECK(found.faults[6].starts_with("7: "));
  CHECK(contains(found.faults[7], "9: the id has 0 bytes"));
}

TEST_CASE("the format is told by the name, then by the first byte") {
  CHECK(guess_format("a.csv", "{") == record_format::csv);
  CHECK(guess_format("a.ndjson", "x") == record_format::ndjson);
  CHECK(guess_format("a.jsonl", "x") == record_format::ndjson);
  CHECK(guess_format("-", " {\"a\":1}") == record_format::ndjson);
  CHECK(guess_format("-", "a,b\n") == record_format::csv);
}

} // namespace
} // namespace sluice::app
