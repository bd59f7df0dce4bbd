#pragma once

#include "config/document.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::config {

/// Reads the members of one table by name and notes every fault with file, line and key: what is missing, of
/// a wrong kind, or not known.
class table_reader {
public:
  /// `place` is what the table is called in faults: "rules[2]". All referred-to objects outlive the reader.
  table_reader(const document_value& table, std::string file, std::string place,
               std::vector<std::string>& faults);

  /// A text of 1 to `bytes_max` bytes. Absent: the fallback, or a fault when there is none.
  [[nodiscard]] std::string text(std::string_view name, std::size_t bytes_max,
                                 const std::optional<std::string>& fallback = std::nullopt);
  [[nodiscard]] bool boolean(std::string_view name, bool fallback);
  /// The same; nothing when it is absent or (a fault) something else.
  [[nodiscard]] std::optional<bool> said(std::string_view name);
  /// A list of such texts; nothing when it is absent or (a fault) something else.
  [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view name, std::size_t bytes_max);
  /// Absent: null, and a fault when it is required.
  [[nodiscard]] const document_value* table(std::string_view name, bool required);

  /// The reader of a member that is a table; nothing when it is absent or (a fault) something else.
  [[nodiscard]] std::optional<table_reader> inner(std::string_view name);
  /// The readers of a list's tables; an item that is none is a fault and left out.
  [[nodiscard]] std::optional<std::vector<table_reader>> tables(std::string_view name);

  /// Notes every member nothing asked for. Call last.
  void refuse_unknown();

  void fault(std::string_view name, std::string_view what);
  void fault_at(std::size_t line, std::string_view name, std::string_view what);

  /// Whether a fault of the member, or of anything here, was noted; those of inner readers are theirs.
  [[nodiscard]] bool faulted(std::string_view name) const;
  [[nodiscard]] bool faulted() const noexcept { return !faulted_.empty(); }

private:
  const document_value* find(std::string_view name);
  const document_value* list(std::string_view name);
  /// One text, which may stand in a list; nothing when it is (a fault) something else.
  std::optional<std::string> text_of(const document_value& value, std::string_view name,
                                     std::size_t bytes_max);

  const document_value& table_;
  std::string file_;
  std::string place_;
  std::vector<std::string>& faults_;
  std::vector<std::string> known_;
  std::vector<std::string> faulted_; ///< members
};

/// A word of a few. Absent: the fallback, where nothing is none; any other word is a fault that names those
/// that are allowed.
template <class Enum>
std::optional<Enum> read_choice(table_reader& table, std::string_view name, std::string fallback,
                                std::optional<Enum> (*parse)(std::string_view) noexcept,
                                std::string_view allowed) {
  constexpr std::size_t word_bytes_max = 200;
  const auto word = table.text(name, word_bytes_max, std::move(fallback));
  const auto parsed = parse(word);
  if (!parsed && !word.empty()) {
    table.fault(name, "= \"" + word + "\" is not one of the allowed values: " + std::string{allowed});
  }
  return parsed;
}

} // namespace sluice::config
