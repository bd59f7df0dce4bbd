#include "rest_fixture.hpp"

using namespace sluice;
using namespace sluice::providers::testing;
using core::operation;
using core::outcome_kind;

namespace {

std::string create_with(std::string_view id) {
  return R"({"base_url": "https://crm.example.com", "auth": {"type": "bearer"},
    "operations": {"create": {"path": "/a", "id": )"
         + std::string{id} + "}}}";
}

std::string lookup_with(std::string_view members) {
  return R"({"base_url": "https://crm.example.com", "auth": {"type": "bearer"},
    "operations": {"lookup": {"path": "/a?x={source_id}")"
         + std::string{members} + "}}}";
}

} // namespace

TEST_CASE("a create's id is read as it came or the create is ambiguous") {
  const auto writer = writer_of(create_with("\"/data/id\""));
  const auto long_id = std::string(512, 'a');
  struct row {
    std::string body;
    std::string id; ///< empty: ambiguous
  };
  const std::vector<row> rows{
      {R"({"data": {"id": "abc"}})", "abc"},
      {R"({"data": {"id": 1234567890123456789012345678901234567890}})",
       "1234567890123456789012345678901234567890"},
      {R"({"data": {"id": 1.0}})", "1.0"},
      {R"({"data": {"id": "é 漢"}})", "é 漢"},
      {R"({"data": {"id": "\u00e9"}})", "é"},
      {R"({"data": {"id": ")" + long_id + "\"}}", long_id},
      {R"({"data": {"id": ")" + long_id + "a\"}}", ""},
      {R"({"data": {"id": )" + std::string(513, '1') + "}}", ""},
      {R"({"data": {"id": ""}})", ""},
      {R"({"data": {"id": null}})", ""},
      {R"({"data": {"id": true}})", ""},
      {R"({"data": {"id": {}}})", ""},
      {R"({"data": {"id": ["a"]}})", ""},
      {R"({"data": {"id": "."}})", ""},
      {R"({"data": {"id": ".."}})", ""},
      {R"({"data": {"id": "a\nb"}})", ""},
      {R"({"data": {"id": "a\u0000b"}})", ""},
      {R"({"data": {"id": "a\u009bb"}})", ""},
      {std::string{"{\"data\": {\"id\": \"a\0b\"}}", 23}, ""},
      {"{\"data\": {\"id\": \"a\xff\"}}", ""},
      {R"({"id": "abc"})", ""},
      {R"([])", ""},
      {"", ""},
      {"<html>Created</html>", ""},
      {R"({"data": {"id": "abc"}} trailing)", ""},
      {R"({"data": {"id": "abc")", ""},
      {std::string(1'000'000, '['), ""},
      {std::string(1'000'000, '{'), ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body.substr(0, 80));
    const auto outcome = writer->read(order_of(operation::create), answer_of(201, row.body));
    CHECK(outcome.remote_id == row.id);
    if (row.id.empty()) {
      CHECK(outcome.kind == outcome_kind::ambiguous);
      CHECK(outcome.error_class == "no_id_in_answer");
      CHECK(outcome.error.find("abc") == std::string::npos);
    } else {
      CHECK(outcome.kind == outcome_kind::accepted);
      CHECK(outcome.error.empty());
    }
  }
}

TEST_CASE("a create's id may stand in the Location header") {
  const auto writer = writer_of(create_with(R"({"header": "Location"})"));
  struct row {
    std::string location;
    std::string id;
  };
  const std::vector<row> rows{
      {"https://crm.example.com/customers/42", "42"},
      {"/customers/42/", "42"},
      {"42", "42"},
      {"/customers/a%2Fb?x=/9#y/8", "a/b"},
      {"/customers/%zz", "%zz"},
      {"", ""},
      {"https://crm.example.com", ""},
      {"https://crm.example.com/", ""},
      {"/a/%00", ""},
      {"/a/..", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.location);
    auto answer = answer_of(201);
    answer.location = row.location;
    const auto outcome = writer->read(order_of(operation::create), answer);
    CHECK(outcome.remote_id == row.id);
    CHECK(outcome.kind == (row.id.empty() ? outcome_kind::ambiguous : outcome_kind::accepted));
  }
}

TEST_CASE("the target's id may be the record's own") {
  const auto writer = writer_of(create_with("\"{source_id}\""));
  CHECK(writer->read(order_of(operation::create, "c-1", ""), answer_of(204)).remote_id == "c-1");
}

TEST_CASE("a lookup in a list says one, none, several or that it cannot be read") {
  const auto writer = writer_of(lookup_with(R"(, "matches": "/items")"));
  struct row {
    std::string body;
    outcome_kind kind;
    std::string id;
  };
  using enum outcome_kind;
  const std::vector<row> rows{
      {R"({"items": [{"id": 7}]})", accepted, "7"},
      {R"({"items": [{"id": 7}, {"id": 7}]})", accepted, "7"},
      {R"({"items": []})", gone, ""},
      {R"({"items": null})", gone, ""},
      {R"({"items": [{"id": 7}, {"id": 8}]})", several, ""},
      {R"({"items": [{"id": 7}, {"id": 7}, {"id": 8}]})", several, ""},
      {R"({"items": [{"name": "x"}]})", rejected, ""},
      {R"({"items": {"id": 7}})", rejected, ""},
      {R"({"results": []})", rejected, ""},
      {R"({})", rejected, ""},
      {"", rejected, ""},
      {"[[[", rejected, ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    const auto outcome = writer->read(order_of(operation::lookup), answer_of(200, row.body));
    CHECK(outcome.kind == row.kind);
    CHECK(outcome.remote_id == row.id);
  }
  CHECK(writer->read(order_of(operation::lookup), answer_of(200, R"({"items": [{"id": 7}]})")).remote_id
        == "7");
  CHECK(writer->read(order_of(operation::lookup), answer_of(404)).kind == gone);
}

TEST_CASE("a lookup's matches count only when their check holds") {
  const auto writer = writer_of(
      lookup_with(R"(, "matches": "", "match": {"/ref": "{domain}/{source_id}", "/live": "true"})"));
  const auto read = [&writer](const std::string& body) {
    return writer->read(order_of(operation::lookup), answer_of(200, body));
  };
  CHECK(
      read(
          R"([{"id": 1, "ref": "customers/c-10", "live": true}, {"id": 2, "ref": "customers/c-1", "live": true}])")
          .remote_id
      == "2");
  CHECK(read(R"([{"id": 1, "ref": "customers/c-1", "live": false}])").kind == outcome_kind::gone);
  CHECK(read(R"([{"id": 1}])").kind == outcome_kind::gone);
  CHECK(read("[]").kind == outcome_kind::gone);
  std::string many = "[";
  for (int i = 0; i < 51; ++i) {
    many += (i == 0 ? "" : ",") + std::string{R"({"id": 1, "ref": "other"})"};
  }
  CHECK(read(many + "]").kind == outcome_kind::several);
  // Without the record's id nothing is linked unseen.
  const auto unseen = writer->read(order_of(operation::lookup, ""),
                                   answer_of(200, R"([{"id": 1, "ref": "customers/c-1", "live": true}])"));
  CHECK(unseen.kind == outcome_kind::several);
  CHECK(unseen.remote_id.empty());
  CHECK(writer->read(order_of(operation::lookup), answer_of(200, "[]")).kind == outcome_kind::gone);
}

TEST_CASE("a lookup whose answer is the record reads its id, checked where the settings say so") {
  const auto plain = writer_of(lookup_with(R"(, "id": "/customer/id")"));
  CHECK(plain->read(order_of(operation::lookup), answer_of(200, R"({"customer": {"id": 5}})")).remote_id
        == "5");
  CHECK(plain->read(order_of(operation::lookup), answer_of(200, "{}")).kind == outcome_kind::rejected);
  CHECK(plain->read(order_of(operation::lookup), answer_of(404, "{}")).kind == outcome_kind::gone);
  CHECK(plain->read(order_of(operation::lookup), answer_of(500, "{}")).kind == outcome_kind::transient);
  const auto checked = writer_of(lookup_with(R"(, "match": {"/ref": "{source_id}"})"));
  const auto order = order_of(operation::lookup);
  CHECK(checked->read(order, answer_of(200, R"({"id": 5, "ref": "c-1"})")).remote_id == "5");
  CHECK(checked->read(order, answer_of(200, R"({"id": 5, "ref": "C-1"})")).kind == outcome_kind::gone);
}
