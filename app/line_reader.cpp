#include "app/line_reader.hpp"

namespace sluice::app {

bool line_reader::next(std::string& line, bool& whole) {
  for (;;) {
    line.clear();
    whole = true;
    if (in_.peek() == byte_reader::end) {
      return false;
    }
    ++line_;
    int byte = 0;
    do {
      const auto piece = in_.take_until('\n', '\n', '\n');
      whole = whole && line.size() + piece.size() <= line_bytes_max_;
      if (whole) {
        line += piece;
      }
      byte = in_.peek();
    } while (byte != '\n' && byte != byte_reader::end);
    in_.next();
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    if (!whole || line.find_first_not_of(" \t") != std::string::npos) {
      return true;
    }
  }
}

} // namespace sluice::app
