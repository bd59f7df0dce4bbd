#include "core/record_batches.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace sluice;

namespace {

std::string record_line(const std::string& id, const std::string& record = "{}") {
  return R"({"id":")" + id + R"(","record":)" + record + "}\n";
}

core::incoming_change read(std::string_view text) {
  core::change_reader reader{std::size_t{2} << 20};
  auto change = reader.read(text);
  INFO((change ? "" : change.error()));
  REQUIRE(change);
  return *change;
}

std::string fault_of(std::string_view text) {
  core::change_reader reader{std::size_t{2} << 20};
  const auto change = reader.read(text);
  REQUIRE_FALSE(change);
  return change.error();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The whole text at once.
std::vector<core::record_batch> batches_of(const std::string& text, const core::batch_limits& limits = {}) {
  core::record_batches batches{limits};
  std::vector<core::record_batch> found;
  core::record_batch batch;
  batches.feed(text);
  while (batches.next(batch))
    found.push_back(std::move(batch));
  batches.end();
  while (batches.next(batch))
    found.push_back(std::move(batch));
  return found;
}

} // namespace

TEST_CASE("a record is kept byte for byte, its id decoded") {
  const auto change = read(
      R"( { "record" : {"n": 1.0, "big":12345678901234567890123, "t":"a\"}]{é","n":1e2 } ,"id":"a\tb"} )");
  CHECK(change.record.payload == R"({"n": 1.0, "big":12345678901234567890123, "t":"a\"}]{é","n":1e2 })");
  CHECK(change.record.source_id == "a\tb");
  CHECK_FALSE(change.gone);
}

TEST_CASE("an id may be a number, and is its digits") {
  CHECK(read(R"({"id":9007199254740993.0,"record":{}})").record.source_id == "9007199254740993.0");
}

TEST_CASE("a deletion has an id and nothing else") {
  const auto change = read(R"({"deleted":true,"id":"a"})");
  CHECK(change.gone);
  CHECK(change.record.source_id == "a");
  CHECK(change.record.payload.empty());
}

TEST_CASE("what is no change is refused with a sentence") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"([])", "not a JSON object"},
      {R"({"id":"a"})", "either a record or"},
      {R"({"id":"a","record":{},"deleted":true})", "either a record or"},
      {R"({"id":"a","deleted":false})", "deleted must be true"},
      {R"({"record":{}})", "the id /id is absent"},
      {R"({"id":null,"record":{}})", "the id /id is null"},
      {R"({"id":"","record":{}})", "the id has 0 bytes"},
      {R"({"id":")" + std::string(513, 'x') + R"(","record":{}})", "the id has 513 bytes"},
      {R"({"id":"a","record":[1]})", "the record is array"},
      {R"({"id":"a","record":"{}"})", "the record is string"},
      {R"({"id":"a","id":"b","record":{}})", "\"id\" stands there twice"},
      {R"({"id":"a","record":{},"x":1})", "a member \"x\""},
      {R"({"id":"a","record":{}} {})", "something follows"},
      {R"({"id":"a","record":{)", "ends too early"},
      {R"({"id":"a","record":{"t":"\u0000"}})", "\\u0000"},
      {std::string{"{\"id\":\"a\",\"record\":{\"t\":\"\0\"}}", 29}, "a NUL at byte"},
      {"{\"id\":\"a\",\"record\":{\"t\":\"\xC3\x28\"}}", "no valid UTF-8"},
      {R"({"id":"a","record":{"d":)" + std::string(64, '[') + std::string(64, ']') + "}}", "nested deeper"},
      {R"({"id":"a","record":{"t":")" + std::string(std::size_t{1} << 20, 'x') + "\"}}", "the record has"},
  };
  for (const auto& [text, reason] : cases) {
    INFO(text.substr(0, 80));
    CHECK_THAT(fault_of(text), Catch::Matchers::Contains(reason));
  }
}

TEST_CASE("a record may be as deep as the mirror takes it") {
  CHECK_FALSE(read(R"({"id":"a","record":{"d":)" + std::string(63, '[') + std::string(63, ']') + "}}").gone);
}

TEST_CASE("a batch is full by its records, the last one is what is left") {
  std::string text;
  for (auto i = 1; i <= 5; ++i)
    text += record_line("c" + std::to_string(i));
  const auto batches = batches_of(text, {.records_max = 2});
  REQUIRE(batches.size() == 3);
  CHECK(batches[0].changes.size() == 2);
  CHECK(batches[0].last_line == 2);
  CHECK(batches[2].changes.size() == 1);
  CHECK(batches[2].last_line == 5);
}

TEST_CASE("a batch is full by its bytes too, so that memory stays bounded") {
  std::string text;
  for (auto i = 1; i <= 4; ++i)
    text += record_line("c", "{\"t\":\"" + std::string(1000, 'x') + "\"}");
  const auto batches = batches_of(text, {.bytes_max = 1500});
  REQUIRE(batches.size() == 2);
  CHECK(batches[0].changes.size() == 2);
}

TEST_CASE("refused lines are counted and the first of them named") {
  const auto batches =
      batches_of(record_line("a") + "nonsense\n\n" + std::string(200, 'x') + "\n{}\n" + record_line("b"),
                 {.line_bytes_max = 100, .refused_listed_max = 2});
  REQUIRE(batches.size() == 1);
  const auto& batch = batches.front();
  CHECK(batch.changes.size() == 2);
  CHECK(batch.refused == 3);
  REQUIRE(batch.listed.size() == 2);
  CHECK(batch.listed[0].line == 2);
  CHECK(batch.listed[1].line == 4);
  CHECK(contains(batch.listed[1].reason, "longer than 100 bytes"));
  CHECK(batch.last_line == 6);
}

TEST_CASE("a text without lines makes no batch") {
  CHECK(batches_of("").empty());
  CHECK(batches_of("\n\n").empty());
}

TEST_CASE("a document is one batch, its items kept as they are") {
  const auto batch = core::read_record_document(
      R"({"records":[ {"id":"a","record":{"n":1.0 }}, {"id":"b","deleted":true} ,7]})", {});
  REQUIRE(batch);
  REQUIRE(batch->changes.size() == 2);
  CHECK(batch->changes[0].record.payload == R"({"n":1.0 })");
  CHECK(batch->changes[1].gone);
  CHECK(batch->refused == 1);
  CHECK(batch->listed.front().line == 3);
  CHECK(core::read_record_document(R"({"records":[]})", {})->changes.empty());
}

TEST_CASE("what is no such document is refused as a whole") {
  using kind = core::document_fault::kind;
  const std::vector<std::pair<std::string, kind>> cases{{"", kind::unreadable},
                                                        {"[]", kind::unreadable},
                                                        {R"({"records":[)", kind::unreadable},
                                                        {"{}", kind::unfit},
                                                        {R"({"records":{}})", kind::unfit},
                                                        {R"({"records":[],"more":1})", kind::unfit},
                                                        {R"({"records":[],"records":[]})", kind::unfit}};
  for (const auto& [text, what] : cases) {
    INFO(text);
    const auto refused = core::read_record_document(text, {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what == what);
  }
  const auto many = core::read_record_document(R"({"records":[1,2,3]})", {.records_max = 2});
  REQUIRE_FALSE(many);
  CHECK(contains(many.error().why, "may have 2 records"));
}
