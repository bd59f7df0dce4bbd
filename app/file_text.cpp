#include "app/file_text.hpp"

#include "app/output.hpp"

#include <fstream>
#include <iostream>

namespace sluice::app {
namespace {

std::string read_some(std::istream& from, std::size_t most) {
  std::string text(most + 1, '\0');
  from.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(from.gcount()));
  return text;
}

} // namespace

std::optional<std::string> read_file_text(const std::string& file, std::size_t most,
                                          std::string_view otherwise) {
  if (file == "-") {
    return read_some(std::cin, most);
  }
  std::ifstream from{file, std::ios::binary};
  auto text = from ? read_some(from, most) : std::string{};
  if (!from.is_open() || from.bad()) {
    print_error(otherwise, printable(file) + " cannot be read",
                "name a file that is there, or - for standard input");
    return std::nullopt;
  }
  return text;
}

} // namespace sluice::app
