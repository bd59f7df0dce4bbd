#include "app/output.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sluice::app {
namespace {

void write(std::FILE* to, std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), to);
}

/// Characters, not bytes: close enough to columns for names and ids.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

void print_error(std::string_view what, std::string_view why, std::string_view to_do) {
  const std::string reason{why};
  print_error(what, std::span{&reason, 1}, to_do);
}

void print_error(std::string_view what, std::span<const std::string> why, std::string_view to_do) {
  std::string out = "error: " + printable(what) + "\n";
  for (const auto& reason : why) {
    out += "  why: " + printable(reason) + "\n";
  }
  if (!to_do.empty()) {
    out += "  do:  " + printable(to_do) + "\n";
  }
  std::fflush(stdout);
  write(stderr, out);
}

void print_line(std::string_view line) {
  write(stdout, std::string{line} + "\n");
}

int print_text(std::string_view text) {
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return whole ? exit_ok : exit_refused;
}

void print_note(std::string_view line) {
  std::fflush(stdout);
  write(stderr, std::string{line} + "\n");
}

void print_json(const nlohmann::ordered_json& document) {
  print_line(document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string printable(std::string_view text) {
  std::string out{text};
  std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return out;
}

std::string joined(std::span<const std::string> texts, std::string_view between) {
  std::string out;
  for (const auto& text : texts) {
    out += (&text == texts.data() ? "" : std::string{between}) + text;
  }
  return out;
}

std::string grouped(std::int64_t number) {
  std::string out = std::to_string(number);
  const std::ptrdiff_t first = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > first; at -= 3) {
    out.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return out;
}

text_table::text_table(std::vector<std::string> heads, std::vector<std::size_t> align_right)
    : heads_{std::move(heads)}, align_right_{std::move(align_right)} {}

void text_table::add(std::vector<std::string> row) {
  row.resize(heads_.size());
  std::ranges::transform(row, row.begin(), [](const std::string& cell) { return printable(cell); });
  rows_.push_back(std::move(row));
}

std::string text_table::text(const output_style& style) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < heads_.size(); ++column) {
    auto widest = width(heads_[column]);
    for (const auto& row : rows_) {
      widest = std::max(widest, width(row[column]));
    }
    widths.push_back(widest);
  }
  std::string out = style.colour ? "\033[1m" + line(heads_, widths) + "\033[0m" : line(heads_, widths);
  for (const auto& row : rows_) {
    out += "\n" + line(row, widths);
  }
  return out + "\n";
}

void text_table::print(const output_style& style) const {
  write(stdout, text(style));
}

std::string text_table::line(const std::vector<std::string>& row,
                             const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t column = 0; column < row.size(); ++column) {
    const std::string padding(widths[column] - width(row[column]), ' ');
    const bool right = std::ranges::find(align_right_, column) != align_right_.end();
    out += column == 0 ? "" : "  ";
    out += right ? padding + row[column] : row[column] + padding;
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

} // namespace sluice::app
