#include "config/document.hpp"

#include "core/payload.hpp"

namespace sluice::config {

std::string_view to_string(document_kind kind) noexcept {
  switch (kind) {
  case document_kind::null:
    return "null";
  case document_kind::boolean:
    return "a boolean";
  case document_kind::integer:
    return "a whole number";
  case document_kind::decimal:
    return "a decimal number";
  case document_kind::text:
    return "a text";
  case document_kind::list:
    return "a list";
  case document_kind::table:
    return "a table";
  }
  return "an unknown value";
}

const document_value* document_value::find(std::string_view name) const noexcept {
  for (const auto& member : members) {
    if (member.name == name) {
      return &member.value;
    }
  }
  return nullptr;
}

void append_json(std::string& out, const document_value& value) {
  switch (value.kind) {
  case document_kind::null:
    out += "null";
    return;
  case document_kind::boolean:
  case document_kind::integer:
  case document_kind::decimal:
    out += value.text;
    return;
  case document_kind::text:
    core::append_json_string(out, value.text);
    return;
  case document_kind::list: {
    char separator = '[';
    for (const auto& item : value.items) {
      out += separator;
      append_json(out, item);
      separator = ',';
    }
    out += value.items.empty() ? "[]" : "]";
    return;
  }
  case document_kind::table: {
    char separator = '{';
    for (const auto& member : value.members) {
      out += separator;
      core::append_json_string(out, member.name);
      out += ':';
      append_json(out, member.value);
      separator = ',';
    }
    out += value.members.empty() ? "{}" : "}";
    return;
  }
  }
}

std::string to_json(const document_value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

} // namespace sluice::config
