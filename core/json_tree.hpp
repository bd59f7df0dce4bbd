#pragma once

#include "core/payload.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

struct json_member;

/// A JSON value as it was written: numbers keep their digits, members their order, and a name that stands
/// twice stands twice. For what is read once (mappings, filters); payloads go through payload_reader.
struct json_node {
  value_kind kind = value_kind::null;
  std::string text; ///< as value's, of a scalar
  std::vector<json_node> items;
  std::vector<json_member> members;
};

struct json_member {
  std::string name;
  json_node node;
};

/// The error is check_payload's.
[[nodiscard]] std::expected<json_node, std::string> parse_json_tree(std::string_view text,
                                                                    const payload_limits& limits = {});

/// The node as a reader would hand it out, arrays and objects as compact JSON text.
[[nodiscard]] value to_value(const json_node& node);

/// Names that stand more than once in an object, each once.
[[nodiscard]] std::vector<std::string> repeated_names(const json_node& object);

/// The same for every object in the node.
void collect_repeated_names(const json_node& node, std::vector<std::string>& names);

/// Null when the object has no such member; the last when it has several.
[[nodiscard]] const json_node* find_member(const json_node& object, std::string_view name) noexcept;

} // namespace sluice::core
