#include "core/text_template.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

std::expected<void, std::string> text_template::add_insertion(std::string literal, std::string_view name,
                                                              pointer_set& pointers) {
  if (name == "source_id" || name == "anchor") {
    const auto what = name == "anchor" ? insertion::anchor : insertion::source_id;
    parts_.push_back({std::move(literal), what, 0});
    return {};
  }
  if (!name.starts_with('/')) {
    return std::unexpected{"{" + std::string{name}
                           + "} in the template is neither a JSON pointer nor {source_id} or {anchor}; a "
                             "brace is written twice"};
  }
  if (auto tokens = parse_pointer(name); !tokens) {
    return std::unexpected{std::move(tokens).error()};
  }
  parts_.push_back({std::move(literal), insertion::pointer, pointers.add(name)});
  return {};
}

std::expected<text_template, std::string> text_template::compile(std::string_view written,
                                                                 pointer_set& pointers) {
  text_template made;
  std::string literal;
  for (std::size_t at = 0; at < written.size(); ++at) {
    const char c = written[at];
    if (c != '{' && c != '}') {
      literal += c;
    } else if (written.substr(at + 1).starts_with(c)) {
      literal += c;
      ++at;
    } else {
      const auto end = c == '{' ? written.find('}', at) : std::string_view::npos;
      if (end == std::string_view::npos) {
        return std::unexpected{"a " + std::string{c}
                               + " in the template has no partner; a brace is written twice"};
      }
      const auto name = written.substr(at + 1, end - at - 1);
      if (auto added = made.add_insertion(std::exchange(literal, {}), name, pointers); !added) {
        return std::unexpected{std::move(added).error()};
      }
      at = end;
    }
  }
  made.parts_.push_back({literal, insertion::nothing, 0});
  return made;
}

std::expected<void, std::string> text_template::fill(const std::vector<value>& values,
                                                     const record_references& references, value& out) const {
  out.reset();
  bool has_value = parts_.size() == 1; // the last part has no insertion
  for (const auto& [literal, what, slot] : parts_) {
    out.text += literal;
    if (what == insertion::source_id) {
      out.text += references.source_id;
      has_value = true;
    } else if (what == insertion::anchor) {
      if (references.anchor.empty()) {
        return std::unexpected{std::string{anchor_is_unknown}};
      }
      out.text += references.anchor;
      has_value = true;
    } else if (what == insertion::pointer) {
      const auto& inserted = values[slot];
      if (inserted.kind == value_kind::array || inserted.kind == value_kind::object) {
        return std::unexpected{"an " + std::string{to_string(inserted.kind)} + " cannot stand in a template"};
      }
      if (inserted.kind != value_kind::null && !inserted.text.empty()) {
        out.text += inserted.text;
        has_value = true;
      }
    }
  }
  if (has_value) {
    out.kind = value_kind::string;
  } else {
    out.reset();
  }
  return {};
}

bool text_template::uses_anchor() const noexcept {
  return std::ranges::count(parts_, insertion::anchor, &part::what) != 0;
}

} // namespace sluice::core
