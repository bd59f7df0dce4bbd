#include "config/document.hpp"

#define TOML_EXCEPTIONS 0
#include <algorithm>
#include <charconv>
#include <string>
#include <toml++/toml.h>
#include <vector>

namespace sluice::config {
namespace {

bool starts_before(const toml::source_position& a, const toml::source_position& b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/// Turns toml++'s tree into ours. toml++ keeps numbers as machine numbers, so their digits are read again
/// from the text, at the place toml++ names.
class toml_converter {
public:
  explicit toml_converter(std::string_view text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const auto end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  document_value convert(const toml::node& node, std::size_t depth) {
    document_value out;
    out.line = node.source().begin.line;
    if (depth > document_depth_max) {
      fault(out.line,
            "tables and lists are nested more than " + std::to_string(document_depth_max) + " deep");
      return out;
    }
    switch (node.type()) {
    case toml::node_type::table:
      convert_table(*node.as_table(), out, depth);
      break;
    case toml::node_type::array:
      out.kind = document_kind::list;
      for (const auto& item : *node.as_array()) {
        out.items.push_back(convert(item, depth + 1));
      }
      break;
    case toml::node_type::string:
      out.kind = document_kind::text;
      out.text = node.as_string()->get();
      break;
    case toml::node_type::boolean:
      out.kind = document_kind::boolean;
      out.text = node.as_boolean()->get() ? "true" : "false";
      break;
    case toml::node_type::integer:
      out.kind = document_kind::integer;
      out.text = std::to_string(node.as_integer()->get());
      break;
    case toml::node_type::floating_point:
      convert_decimal(node, out);
      break;
    default: // dates and times: their text as it stands
      out.kind = document_kind::text;
      out.text = raw(node.source().begin, " :");
      break;
    }
    return out;
  }

  [[nodiscard]] const std::optional<document_fault>& first_fault() const noexcept { return fault_; }

private:
  void convert_table(const toml::table& table, document_value& out, std::size_t depth) {
    out.kind = document_kind::table;
    std::vector<std::pair<toml::source_position, const toml::key*>> order;
    for (const auto& [key, value] : table) {
      order.emplace_back(key.source().begin, &key);
    }
    std::ranges::stable_sort(order,
                             [](const auto& a, const auto& b) { return starts_before(a.first, b.first); });
    for (const auto& [at, key] : order) {
      out.members.push_back({std::string{key->str()}, convert(*table.get(key->str()), depth + 1)});
    }
    if (out.line == 0 && !order.empty()) {
      out.line = order.front().first.line;
    }
  }

  void convert_decimal(const toml::node& node, document_value& out) {
    out.kind = document_kind::decimal;
    out.text = raw(node.source().begin, "");
    std::erase(out.text, '_');
    if (out.text.starts_with('+')) {
      out.text.erase(0, 1);
    }
    if (out.text.find_first_of("in") != std::string::npos) {
      fault(out.line, "inf and nan are not allowed; allowed are finite numbers");
    }
  }

  /// The letters, digits and signs from a place on. Columns of toml++ count characters from 1, not bytes.
  std::string raw(const toml::source_position& at, std::string_view also_allowed) const {
    if (at.line == 0 || at.line > lines_.size()) {
      return {};
    }
    auto rest = lines_[at.line - 1];
    for (auto column = at.column; column > 1 && !rest.empty(); --column) {
      rest.remove_prefix(1);
      while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U) {
        rest.remove_prefix(1);
      }
    }
    const auto belongs = [&](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
             || std::string_view{"+-._"}.contains(c) || also_allowed.contains(c);
    };
    std::string out{rest.begin(), std::ranges::find_if_not(rest, belongs)};
    while (out.ends_with(' ')) {
      out.pop_back();
    }
    return out;
  }

  void fault(std::size_t line, std::string what) {
    if (!fault_) {
      fault_ = document_fault{line, std::move(what)};
    }
  }

  std::vector<std::string_view> lines_;
  std::optional<document_fault> fault_;
};

} // namespace

std::expected<document_value, document_fault> parse_toml(std::string_view text) {
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line = 1 + std::ranges::count(text.substr(0, nul), '\n');
    return std::unexpected{document_fault{static_cast<std::size_t>(line), "the file has a NUL byte"}};
  }
  const auto parsed = toml::parse(text);
  if (!parsed) {
    const auto& error = parsed.error();
    auto what = "this is not TOML: " + std::string{error.description()};
    if (what.find("not representable in 64 bits") != std::string::npos) {
      what += " (TOML's whole numbers have 64 bits; a longer one is written as a text, or the file as JSON)";
    }
    return std::unexpected{document_fault{error.source().begin.line, std::move(what)}};
  }
  toml_converter converter{text};
  auto root = converter.convert(parsed.table(), 0);
  if (converter.first_fault()) {
    return std::unexpected{*converter.first_fault()};
  }
  return root;
}

} // namespace sluice::config
