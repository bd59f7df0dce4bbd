#include "providers/curl_headers.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace sluice;
using namespace std::string_literals;

namespace {

struct reading {
  explicit reading(const std::vector<std::string>& lines) {
    answer.started_at = core::from_us(784'111'777'000'000); // 1994-11-06 08:49:37 UTC
    for (const auto& line : lines)
      fits = header.take(line + "\r\n", answer) && fits;
  }

  providers::answer_header header;
  core::http_answer answer;
  bool fits = true;
};

} // namespace

TEST_CASE(
    "of two waits an answer asks for the longer one counts, whatever form they have and whichever is first") {
  struct row {
    std::vector<std::string> values;
    std::string expected;
  };
  const std::string in_a_minute = "Sun, 06 Nov 1994 08:50:37 GMT";
  const auto [values_given, expected] = GENERATE_COPY(values<row>({
      {{"5", "120"}, "120"},
      {{"120", "5"}, "120"},
      {{"5", "120", "7"}, "120"},
      {{in_a_minute, "59"}, in_a_minute},
      {{"59", in_a_minute}, in_a_minute},
      {{"61", "Sunday, 06-Nov-94 08:50:37 GMT"}, "61"},
      {{"1", "Sun Nov  6 08:49:39 1994"}, "Sun Nov  6 08:49:39 1994"},
      {{"soon", "5"}, "5"},
      {{"5", "soon"}, "5"},
      {{"5", "-9"}, "5"},
      {{"5", "1e30"}, "5"},
      {{"5\0"
        "5"s,
        "3"},
       "3"},
      {{"5", "99999999999999999999"}, "99999999999999999999"},
      {{"5", ""}, "5"},
      {{"0"}, "0"},
      {{" \t 8 \t"}, "8"},
  }));
  std::vector<std::string> lines{"HTTP/1.1 503 Busy"};
  for (const auto& value : values_given)
    lines.push_back("Retry-After: " + value);
  CAPTURE(lines);
  CHECK(reading(lines).answer.retry_after == expected);
}

TEST_CASE("what an announcement or a trailer says of a wait or a place does not count") {
  const reading announced({"HTTP/1.1 103 Early Hints", "Retry-After: 77", "Location: /there", "",
                           "HTTP/1.1 429 No", "Server: x", ""});
  CHECK(announced.answer.retry_after.empty());
  CHECK(announced.answer.location.empty());
  CHECK(announced.header.whole());
  const reading trailed(
      {"HTTP/1.1 429 No", "Retry-After: 5", "", "Retry-After: 7200", "Location: /there", ""});
  CHECK(trailed.answer.retry_after == "5");
  CHECK(trailed.answer.location.empty());
}

TEST_CASE("a header is whole with its empty line and not before") {
  CHECK_FALSE(reading({}).header.whole());
  CHECK_FALSE(reading({"HTTP/1.1 200 OK", "Content-Length: 2"}).header.whole());
  CHECK(reading({"HTTP/1.1 200 OK", ""}).header.whole());
  CHECK_FALSE(reading({"HTTP/1.1 100 Continue", "", "HTTP/1.1 200 OK"}).header.whole());
}

TEST_CASE("a header may have up to its limit, announcements counted, and no byte more") {
  const std::string line(1022, 'x');
  std::vector<std::string> lines(256, line);
  CHECK(reading(lines).fits);
  lines.emplace_back();
  CHECK_FALSE(reading(lines).fits);
  std::vector<std::string> announcements;
  for (int i = 0; i < 20'000; ++i)
    announcements.insert(announcements.end(), {"HTTP/1.1 100 Continue", ""});
  CHECK_FALSE(reading(announcements).fits);
}
