#include "core/line_splitter.hpp"

namespace sluice::core {

bool line_splitter::next(text_line& line) {
  while (take(line)) {
    if (line.text.ends_with('\r'))
      line.text.remove_suffix(1);
    if (!line.whole || line.text.find_first_not_of(" \t") != std::string_view::npos)
      return true;
  }
  return false;
}

/// The next line, blank ones too.
bool line_splitter::take(text_line& line) {
  if (handed_out_)
    begun_.clear();
  handed_out_ = false;
  const auto size = block_.find('\n');
  const bool complete = size != std::string_view::npos;
  const auto piece = block_.substr(0, size);
  block_.remove_prefix(complete ? size + 1 : block_.size());
  if (complete && begun_.empty() && !overlong_) {
    line = {++number_, piece, piece.size() <= bytes_max_};
    return true;
  }
  keep(piece);
  if (!complete && (!ended_ || (begun_.empty() && !overlong_)))
    return false;
  line = {++number_, begun_, !overlong_};
  handed_out_ = true;
  overlong_ = false;
  return true;
}

void line_splitter::keep(std::string_view piece) {
  overlong_ = overlong_ || begun_.size() + piece.size() > bytes_max_;
  if (!overlong_)
    begun_ += piece;
  else
    begun_.clear();
}

} // namespace sluice::core
