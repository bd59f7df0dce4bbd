#pragma once

#include "config/document.hpp"

#include <optional>
#include <string>
#include <string_view>
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
  /// Absent: null, and a fault when it is required.
  [[nodiscard]] const document_value* table(std::string_view name, bool required);

  /// The reader of a member that is a table; nothing when it is absent or (a fault) something else.
  [[nodiscard]] std::optional<table_reader> inner(std::string_view name);

  /// Notes every member nothing asked for. Call last.
  void refuse_unknown();

  void fault(std::string_view name, std::string_view what);
  void fault_at(std::size_t line, std::string_view name, std::string_view what);

private:
  const document_value* find(std::string_view name);

  const document_value& table_;
  std::string file_;
  std::string place_;
  std::vector<std::string>& faults_;
  std::vector<std::string> known_;
};

} // namespace sluice::config
