#include "core/line_splitter.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace sluice;

namespace {

/// "NUMBER:TEXT" of each line, or "NUMBER!" of one that is too long, with the text in blocks of `size` bytes.
std::vector<std::string> lines_of(const std::string& text, std::size_t size, std::size_t bytes_max = 100) {
  core::line_splitter lines{bytes_max};
  std::vector<std::string> found;
  core::text_line line;
  auto take_all = [&] {
    while (lines.next(line))
      found.push_back(std::to_string(line.number) + (line.whole ? ":" + std::string{line.text} : "!"));
  };
  for (std::size_t at = 0; at < text.size(); at += size) {
    const auto block = text.substr(at, size);
    lines.feed(block);
    take_all();
  }
  lines.end();
  take_all();
  return found;
}

} // namespace

TEST_CASE("lines are the same however the text is cut into blocks") {
  const auto size = GENERATE(range(std::size_t{1}, std::size_t{20}));
  const std::vector<std::string> expected{"1:one", "3:three", "5:five and more"};
  CHECK(lines_of("one\n\nthree\r\n \t\r\nfive and more", size) == expected);
  CHECK(lines_of("one\n\nthree\r\n \t\r\nfive and more\n", size) == expected);
}

TEST_CASE("a line over the limit is named, and the next one is whole again") {
  const auto size = GENERATE(range(std::size_t{1}, std::size_t{20}));
  CHECK(lines_of("abc\nabcd\nab\nabcdefghij", size, 3)
        == std::vector<std::string>{"1:abc", "2!", "3:ab", "4!"});
}

TEST_CASE("a text without a line has none") {
  CHECK(lines_of("", 1).empty());
  CHECK(lines_of("\n\n  \n", 2).empty());
}
