#include "app/line_reader.hpp"

#include <string_view>

namespace sluice::app {

bool line_reader::next(std::string& line, bool& whole) {
  core::text_line found;
  while (!lines_.next(found)) {
    if (ended_) {
      return false;
    }
    const auto count = source_.read(block_);
    ended_ = count == 0;
    if (ended_) {
      lines_.end();
    } else {
      lines_.feed(std::string_view{block_}.substr(0, count));
    }
  }
  line.assign(found.text);
  whole = found.whole;
  line_ = found.number;
  return true;
}

} // namespace sluice::app
