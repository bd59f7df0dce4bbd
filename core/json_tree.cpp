#include "core/json_tree.hpp"

#include "core/json_fault.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>
#include <utility>

namespace sluice::core {
namespace {

namespace json = boost::json;

class tree_handler {
public:
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return open(value_kind::array); }
  bool on_array_end(std::size_t, json::error_code&) { return close(); }
  bool on_object_begin(json::error_code&) { return open(value_kind::object); }
  bool on_object_end(std::size_t, json::error_code&) { return close(); }
  bool on_string_part(json::string_view s, std::size_t, json::error_code&) { return gather(s); }
  bool on_key_part(json::string_view s, std::size_t, json::error_code&) { return gather(s); }
  bool on_number_part(json::string_view s, json::error_code&) { return gather(s); }
  bool on_int64(std::int64_t, json::string_view s, json::error_code&) { return number(s); }
  bool on_uint64(std::uint64_t, json::string_view s, json::error_code&) { return number(s); }
  bool on_double(double, json::string_view s, json::error_code&) { return number(s); }
  bool on_bool(bool b, json::error_code&) { return put(value_kind::boolean, b ? "true" : "false"); }
  bool on_null(json::error_code&) { return put(value_kind::null, "null"); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

  bool on_string(json::string_view s, std::size_t, json::error_code& error) {
    gather(s);
    return has_no_nul(error) && put(value_kind::string, std::exchange(text_, {}));
  }

  bool on_key(json::string_view s, std::size_t, json::error_code& error) {
    gather(s);
    if (!has_no_nul(error)) {
      return false;
    }
    open_.back().members.push_back({std::exchange(text_, {}), {}});
    return true;
  }

  json_node take() { return std::move(root_); }

private:
  bool gather(json::string_view s) {
    text_.append(s.data(), s.size());
    return true;
  }

  bool has_no_nul(json::error_code& error) const {
    if (text_.find('\0') == std::string::npos) {
      return true;
    }
    error = json::error::input_error;
    return false;
  }

  bool number(json::string_view s) {
    gather(s);
    return put(value_kind::number, std::exchange(text_, {}));
  }

  bool put(value_kind kind, std::string text) {
    json_node node;
    node.kind = kind;
    node.text = std::move(text);
    return attach(std::move(node));
  }

  bool open(value_kind kind) {
    open_.emplace_back().kind = kind;
    return true;
  }

  bool close() {
    auto node = std::move(open_.back());
    open_.pop_back();
    return attach(std::move(node));
  }

  bool attach(json_node node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().kind == value_kind::array) {
      open_.back().items.push_back(std::move(node));
    } else {
      open_.back().members.back().node = std::move(node);
    }
    return true;
  }

  json_node root_;
  std::vector<json_node> open_;
  std::string text_;
};

void append_json(std::string& out, const json_node& node) {
  if (node.kind == value_kind::array) {
    out += '[';
    for (const auto& item : node.items) {
      out += &item == node.items.data() ? "" : ",";
      append_json(out, item);
    }
    out += ']';
  } else if (node.kind == value_kind::object) {
    out += '{';
    for (const auto& member : node.members) {
      out += &member == node.members.data() ? "" : ",";
      append_json_string(out, member.name);
      out += ':';
      append_json(out, member.node);
    }
    out += '}';
  } else if (node.kind == value_kind::string) {
    append_json_string(out, node.text);
  } else {
    out += node.text;
  }
}

} // namespace

std::expected<json_node, std::string> parse_json_tree(std::string_view text, const payload_limits& limits) {
  if (auto checked = check_json_bytes(text, limits); !checked) {
    return std::unexpected{std::move(checked).error()};
  }
  json::basic_parser<tree_handler> parser{json::parse_options{.max_depth = json_depth_max(limits)}};
  json::error_code error;
  const auto consumed = parser.write_some(false, text.data(), text.size(), error);
  if (!error && consumed < text.size()) {
    error = json::error::extra_data;
  }
  if (error) {
    return std::unexpected{describe_json_fault(error.value(), text, consumed, limits)};
  }
  return parser.handler().take();
}

value to_value(const json_node& node) {
  value out{node.kind, node.text};
  if (node.kind == value_kind::array || node.kind == value_kind::object) {
    append_json(out.text, node);
  }
  return out;
}

std::vector<std::string> repeated_names(const json_node& object) {
  std::vector<std::string_view> names;
  names.reserve(object.members.size());
  for (const auto& member : object.members) {
    names.push_back(member.name);
  }
  std::ranges::sort(names);
  std::vector<std::string> repeated;
  for (auto at = names.begin(); (at = std::adjacent_find(at, names.end())) != names.end(); ++at) {
    if (repeated.empty() || repeated.back() != *at) {
      repeated.emplace_back(*at);
    }
  }
  return repeated;
}

void collect_repeated_names(const json_node& node, std::vector<std::string>& names) {
  std::ranges::move(repeated_names(node), std::back_inserter(names));
  for (const auto& item : node.items) {
    collect_repeated_names(item, names);
  }
  for (const auto& member : node.members) {
    collect_repeated_names(member.node, names);
  }
}

const json_node* find_member(const json_node& object, std::string_view name) noexcept {
  const json_node* found = nullptr;
  for (const auto& member : object.members) {
    if (member.name == name) {
      found = &member.node;
    }
  }
  return found;
}

} // namespace sluice::core
