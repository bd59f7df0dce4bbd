#include "config/table_reader.hpp"

#include <algorithm>

namespace sluice::config {

table_reader::table_reader(const document_value& table, std::string file, std::string place,
                           std::vector<std::string>& faults)
    : table_{table}, file_{std::move(file)}, place_{std::move(place)}, faults_{faults} {}

std::string table_reader::text(std::string_view name, std::size_t bytes_max,
                               const std::optional<std::string>& fallback) {
  const auto* value = find(name);
  if (value == nullptr) {
    if (!fallback) {
      fault_at(table_.line, name, "is missing; allowed is a text");
    }
    return fallback.value_or("");
  }
  return text_of(*value, name, bytes_max).value_or("");
}

bool table_reader::boolean(std::string_view name, bool fallback) {
  return said(name).value_or(fallback);
}

std::optional<bool> table_reader::said(std::string_view name) {
  const auto* value = find(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (value->kind != document_kind::boolean) {
    fault(name, "is " + std::string{to_string(value->kind)} + "; allowed are true and false");
    return std::nullopt;
  }
  return value->text == "true";
}

std::optional<std::vector<std::string>> table_reader::texts(std::string_view name, std::size_t bytes_max) {
  const auto* value = list(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> read;
  for (const auto& item : value->items) {
    if (auto text = text_of(item, name, bytes_max)) {
      read.push_back(std::move(*text));
    }
  }
  return read;
}

const document_value* table_reader::table(std::string_view name, bool required) {
  const auto* value = find(name);
  if (value == nullptr) {
    if (required) {
      fault_at(table_.line, name, "is missing; allowed is a table");
    }
    return nullptr;
  }
  if (value->kind != document_kind::table) {
    fault(name, "is " + std::string{to_string(value->kind)} + "; allowed is a table");
    return nullptr;
  }
  return value;
}

std::optional<table_reader> table_reader::inner(std::string_view name) {
  const auto* value = table(name, false);
  if (value == nullptr) {
    return std::nullopt;
  }
  return std::optional<table_reader>{std::in_place, *value, file_, place_ + "." + std::string{name}, faults_};
}

std::optional<std::vector<table_reader>> table_reader::tables(std::string_view name) {
  const auto* value = list(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  std::vector<table_reader> readers;
  for (std::size_t index = 0; index < value->items.size(); ++index) {
    const auto& item = value->items[index];
    const auto called = std::string{name} + "[" + std::to_string(index + 1) + "]";
    if (item.kind == document_kind::table) {
      readers.emplace_back(item, file_, place_ + "." + called, faults_);
    } else {
      fault_at(item.line, called, "is " + std::string{to_string(item.kind)} + "; allowed is a table");
    }
  }
  return readers;
}

void table_reader::refuse_unknown() {
  for (const auto& [name, value] : table_.members) {
    if (std::ranges::find(known_, name) == known_.end()) {
      std::string allowed;
      for (const auto& known : known_) {
        allowed += (allowed.empty() ? "" : ", ") + known;
      }
      fault_at(value.line, name, "is not known here; allowed are " + allowed);
    }
  }
}

void table_reader::fault(std::string_view name, std::string_view what) {
  const auto* value = table_.find(name);
  fault_at(value == nullptr ? table_.line : value->line, name, what);
}

void table_reader::fault_at(std::size_t line, std::string_view name, std::string_view what) {
  std::string sentence = file_ + ":" + std::to_string(line) + ": " + place_;
  sentence += name.empty() ? "" : ".";
  sentence += name;
  sentence += ' ';
  sentence += what;
  faults_.push_back(std::move(sentence));
  faulted_.emplace_back(name);
}

bool table_reader::faulted(std::string_view name) const {
  return std::ranges::find(faulted_, name) != faulted_.end();
}

const document_value* table_reader::find(std::string_view name) {
  known_.emplace_back(name);
  return table_.find(name);
}

const document_value* table_reader::list(std::string_view name) {
  const auto* value = find(name);
  if (value != nullptr && value->kind != document_kind::list) {
    fault(name, "is " + std::string{to_string(value->kind)} + "; allowed is a list");
    return nullptr;
  }
  return value;
}

std::optional<std::string> table_reader::text_of(const document_value& value, std::string_view name,
                                                 std::size_t bytes_max) {
  if (value.kind != document_kind::text) {
    fault_at(value.line, name, "is " + std::string{to_string(value.kind)} + "; allowed is a text");
    return std::nullopt;
  }
  if (value.text.empty() || value.text.size() > bytes_max || value.text.contains('\0')) {
    fault_at(value.line, name,
             "is empty, too long or has a NUL; allowed is a text of 1 to " + std::to_string(bytes_max)
                 + " bytes");
    return std::nullopt;
  }
  return value.text;
}

} // namespace sluice::config
