#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

inline constexpr int exit_ok = 0;
inline constexpr int exit_refused = 1;     ///< refused, or what was named does not exist
inline constexpr int exit_usage = 2;       ///< the command line or the settings are wrong
inline constexpr int exit_unreachable = 3; ///< database or node cannot be reached

/// How a command talks to whoever called it.
struct output_style {
  bool json = false;   ///< one document instead of tables
  bool colour = false; ///< only on a terminal
};

/// On standard error: what went wrong, why, and what to do about it.
void print_error(std::string_view what, std::string_view why, std::string_view to_do);
/// The same with a list of reasons, each on a line.
void print_error(std::string_view what, std::span<const std::string> why, std::string_view to_do);

void print_line(std::string_view line);
/// As it is, for what another program reads; returns the exit code.
[[nodiscard]] int print_text(std::string_view text);
/// On standard error, for what a reader of the output must not meet: "42 lines were refused".
void print_note(std::string_view line);

/// One document with its members in the order they were put in. Text that is not UTF-8 gets replacement
/// characters.
void print_json(const nlohmann::ordered_json& document);

/// `text` for a terminal: control characters, which could move the cursor or change colours, become '?'.
[[nodiscard]] std::string printable(std::string_view text);

[[nodiscard]] std::string joined(std::span<const std::string> texts, std::string_view between);

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::int64_t number);

/// Aligned columns for people. Numbers are the caller's texts; `align_right` names the columns they stand in.
class text_table {
public:
  explicit text_table(std::vector<std::string> heads, std::vector<std::size_t> align_right = {});

  void add(std::vector<std::string> row); ///< one text a head
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] std::string text(const output_style& style) const;
  void print(const output_style& style) const;

private:
  [[nodiscard]] std::string line(const std::vector<std::string>& row,
                                 const std::vector<std::size_t>& widths) const;

  std::vector<std::string> heads_;
  std::vector<std::size_t> align_right_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace sluice::app
