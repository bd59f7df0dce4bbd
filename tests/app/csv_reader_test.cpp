#include "app/csv_reader.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace sluice::app {
namespace {

using rows = std::vector<std::vector<std::string>>;

struct reading {
  rows well;
  std::vector<std::string> faults; ///< "line: what"
  std::vector<std::int64_t> lines;
  std::vector<std::string> raw;
};

reading read_all(std::string_view text, csv_limits limits = {}) {
  text_source source{text};
  csv_reader reader{source, limits};
  csv_record record;
  reading out;
  while (reader.next(record)) {
    out.lines.push_back(record.line);
    out.raw.push_back(record.raw);
    if (record.fault.empty()) {
      out.well.emplace_back(record.fields.begin(),
                            record.fields.begin() + static_cast<std::ptrdiff_t>(record.field_count));
    } else {
      out.faults.push_back(std::to_string(record.line) + ": " + record.fault);
    }
  }
  return out;
}

TEST_CASE("CSV fields are separated by commas and records by either line end") {
  CHECK(read_all("a,b\r\nc,d\ne,f").well == rows{{"a", "b"}, {"c", "d"}, {"e", "f"}});
  CHECK(read_all("a,,\n,\n").well == rows{{"a", "", ""}, {"", ""}});
  CHECK(read_all("").well.empty());
}

TEST_CASE("quotes hold commas, doubled quotes and line breaks") {
  CHECK(read_all("\"a,b\",\"say \"\"hi\"\"\"\r\n\"two\r\nlines\",\"\"\n").well
        == rows{{"a,b", "say \"hi\""}, {"two\r\nlines", ""}});
}

TEST_CASE("a byte order mark and blank lines are passed over") {
  CHECK(read_all("\xEF\xBB\xBF"
                 "a,b\n\n\r\nc,d\n\n")
            .well
        == rows{{"a", "b"}, {"c", "d"}});
  CHECK(read_all("\xEF\x80\x80,b\n").well == rows{{"\xEF\x80\x80", "b"}});
}

TEST_CASE("a record has the line it begins at, however many lines its fields span") {
  CHECK(read_all("a\n\"x\ny\nz\"\nb\n\nc").lines == std::vector<std::int64_t>{1, 2, 5, 7});
}

TEST_CASE("what is not RFC 4180 is refused, and reading goes on with the next line") {
  const auto found = read_all("a,b\"c\nok,1\n\"x\"y,2\nok,2\nq\rr,3\nok,3\n\"left open\nto the end");
  CHECK(found.well == rows{{"ok", "1"}, {"ok", "2"}, {"ok", "3"}});
  CHECK(found.faults
        == std::vector<std::string>{"1: a quote stands inside of a field that does not begin with one",
                                    "3: text stands behind a closing quote",
                                    "5: a carriage return stands inside of a field without quotes",
                                    "7: a quote is left open at the end of the file"});
}

TEST_CASE("the raw text of a record is what stands in the file") {
  CHECK(read_all("a,\"b \"\"c\"\"\"\r\nx\"y,z\r\n").raw
        == std::vector<std::string>{"a,\"b \"\"c\"\"\"", "x\"y,z"});
}

TEST_CASE("a record longer than the limit, or with too many fields, is refused and its memory bounded") {
  const csv_limits limits{.record_bytes_max = 100, .fields_max = 3, .block_bytes = 16};
  const auto found = read_all("\"" + std::string(1000, 'x') + "\nnext,1\na,b,c,d\nok,2\n", limits);
  REQUIRE(found.faults.size() == 2);
  CHECK(found.faults[0].find("longer than 100 bytes; is a quote left open?") != std::string::npos);
  CHECK(found.faults[1].find("more than 3 fields") != std::string::npos);
  CHECK(found.raw.front().size() < 200);
  CHECK(found.well == rows{{"next", "1"}, {"ok", "2"}});
}

TEST_CASE("the size of the blocks that are read changes nothing") {
  const std::string text = "\xEF\xBB\xBFh,\"i\"\"\"\r\n\"a\r\nb\",c\r\nbro\"ken,x\n\"y\"z\n1,\r\n\n,2\r";
  const auto whole = read_all(text);
  for (std::size_t block = 3; block < 20; ++block) {
    const auto pieces = read_all(text, {.block_bytes = block});
    INFO(block);
    CHECK(pieces.well == whole.well);
    CHECK(pieces.faults == whole.faults);
    CHECK(pieces.raw == whole.raw);
    CHECK(pieces.lines == whole.lines);
  }
}

} // namespace
} // namespace sluice::app
