#include "api/posting.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace sluice::api {
namespace {

using json = nlohmann::ordered_json;
using step = posting::step;
using kind = body_piece::kind;

const std::string good = "{\"id\":\"a\",\"record\":{}}\n";
const std::string bad = "nonsense\n";

posting of_two(bool skip_invalid = false) {
  return {{core::connection_id{1}, "customers", skip_invalid, false}, {.records_max = 2}};
}

/// Stores the full batch.
void store(posting& post) {
  REQUIRE(post.next() == step::store);
  const auto count = std::ssize(post.hand_out());
  post.stored({.inserted = count});
}

json report_of(const posting& post) {
  return json::parse(post.final_answer().body);
}

TEST_CASE("a post is read until a batch is full, stored, and read on while it is stored") {
  auto post = of_two();
  CHECK(post.next() == step::read);
  post.take({kind::bytes, good + good + good});
  REQUIRE(post.next() == step::store);
  CHECK(post.hand_out().size() == 2);
  CHECK(post.next() == step::read);
  post.take({kind::bytes, good});
  CHECK(post.next() == step::wait); // one batch at a time is stored
  post.stored({.inserted = 2});
  CHECK(post.progress_line() == "{\"stored\":2,\"through_line\":2}\n");
  store(post);
  CHECK(post.next() == step::read);
  post.take({kind::end, {}});
  CHECK(post.next() == step::over);
  CHECK(post.final_answer().status == 200);
  CHECK(report_of(post).at("stored") == 4);
  CHECK(report_of(post).at("through_line") == 4);
}

TEST_CASE("what is left at the end is a batch of its own") {
  auto post = of_two();
  post.take({kind::bytes, good.substr(0, good.size() - 1)});
  CHECK(post.next() == step::read);
  post.take({kind::end, {}});
  store(post);
  CHECK(post.next() == step::over);
  CHECK(report_of(post).at("stored") == 1);
}

TEST_CASE("a batch with one bad line ends the post, and what was stored before stays told") {
  auto post = of_two();
  post.take({kind::bytes, good + good + good + bad + good + good});
  store(post);
  CHECK(post.next() == step::over);
  CHECK(post.final_answer().status == 422);
  const auto report = report_of(post);
  CHECK(report.at("type") == "urn:sluice:problem:records_refused");
  CHECK(report.at("stored") == 2);
  CHECK(report.at("through_line") == 2);
  CHECK(report.at("refused") == 1);
  CHECK(report.at("refused_lines")[0].at("line") == 4);
}

TEST_CASE("bad lines that may be skipped are named and the others stored") {
  auto post = of_two(true);
  post.take({kind::bytes, bad + good + bad + bad + good});
  post.take({kind::end, {}});
  for (auto left = 3; left > 0; --left)
    store(post);
  CHECK(post.next() == step::over);
  const auto report = report_of(post);
  CHECK(post.final_answer().status == 200);
  CHECK(report.at("stored") == 2);
  CHECK(report.at("refused") == 3);
  CHECK(report.at("through_line") == 5);
}

TEST_CASE("a body that is cut stores nothing of the batch that was not full") {
  auto post = of_two();
  post.take({kind::bytes, good + good + good});
  REQUIRE(post.next() == step::store);
  (void)post.hand_out();
  CHECK(post.next() == step::read);
  post.take({kind::cut, "the body ended before its end"});
  CHECK(post.next() == step::wait);
  post.stored({.inserted = 2});
  CHECK(post.next() == step::over);
  CHECK(post.final_answer().status == 400);
  CHECK(report_of(post).at("detail") == "the body ended before its end");
  CHECK(report_of(post).at("stored") == 2);
}

TEST_CASE("a batch that could not be stored ends the post with its reason") {
  auto post = of_two();
  post.take({kind::bytes, good + good + good + good});
  REQUIRE(post.next() == step::store);
  (void)post.hand_out();
  CHECK(post.next() == step::wait);
  post.not_stored(unavailable("the database is away"));
  CHECK(post.next() == step::over);
  CHECK(post.final_answer().status == 503);
  CHECK(report_of(post).at("stored") == 0);
}

TEST_CASE("the node's end ends a post at what is stored") {
  auto post = of_two();
  post.take({kind::bytes, good});
  post.take({kind::closing, {}});
  CHECK(post.next() == step::over);
  CHECK(post.final_answer().status == 503);
}

TEST_CASE("lines that a later one replaced are counted as repeated") {
  auto post = of_two();
  post.take({kind::bytes, good + good});
  REQUIRE(post.next() == step::store);
  (void)post.hand_out();
  post.stored({.inserted = 1});
  post.take({kind::end, {}});
  CHECK(post.next() == step::over);
  CHECK(report_of(post).at("repeated") == 1);
}

} // namespace
} // namespace sluice::api
