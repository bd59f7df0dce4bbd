#include "core/payload_walk.hpp"

namespace sluice::core {

void payload_walk::start(std::vector<value>& values) {
  values_ = &values;
  frames_.clear();
  skipped_depth_ = 0;
  captures_ = 0;
}

/// The trie's node of the value that comes next; moves nothing but the frame's edge.
payload_walk::node_index payload_walk::next_node() {
  if (frames_.empty()) {
    return 0;
  }
  auto& top = frames_.back();
  if (!top.is_array) {
    return member_node_;
  }
  if (top.node == payload_trie::nowhere) {
    return payload_trie::nowhere;
  }
  const auto& edges = trie_.at(top.node).elements;
  while (top.edge < edges.size() && edges[top.edge].index < top.count) {
    ++top.edge;
  }
  const bool is_wanted = top.edge < edges.size() && edges[top.edge].index == top.count;
  return is_wanted ? edges[top.edge].child : payload_trie::nowhere;
}

bool payload_walk::wants_next_value() {
  if (skipped_depth_ != 0) {
    return false;
  }
  if (is_capturing()) {
    return true;
  }
  const auto node = next_node();
  return node != payload_trie::nowhere && !trie_.at(node).slots.empty();
}

/// Steps onto the next value and returns its node.
payload_walk::node_index payload_walk::enter() {
  const auto node = next_node();
  if (!frames_.empty() && frames_.back().is_array && frames_.back().count++ != 0 && is_capturing()) {
    capture_ += ',';
  }
  return node;
}

void payload_walk::fill(node_index node, value_kind kind, std::string_view text) {
  for (const auto slot : trie_.at(node).slots) {
    auto& target = (*values_)[slot];
    target.kind = kind;
    target.text.assign(text);
  }
}

void payload_walk::begin(value_kind kind) {
  if (skipped_depth_ != 0) {
    ++skipped_depth_;
    return;
  }
  const bool is_array = kind == value_kind::array;
  const auto node = enter();
  bool is_wanted = false;
  bool leads_on = false;
  if (node != payload_trie::nowhere) {
    const auto& known = trie_.at(node);
    is_wanted = !known.slots.empty();
    leads_on = is_array ? !known.elements.empty() : !known.members.empty();
  }
  if (!is_capturing()) {
    if (!is_wanted && !leads_on) {
      skipped_depth_ = 1;
      return;
    }
    capture_.clear();
  }
  frames_.push_back({node, is_array, is_wanted, 0, 0, capture_.size()});
  captures_ += is_wanted ? 1 : 0;
  if (is_capturing()) {
    capture_ += is_array ? '[' : '{';
  }
}

void payload_walk::end(value_kind kind) {
  if (skipped_depth_ != 0) {
    --skipped_depth_;
    return;
  }
  if (is_capturing()) {
    capture_ += kind == value_kind::array ? ']' : '}';
  }
  const auto ended = frames_.back();
  frames_.pop_back();
  if (ended.is_captured) {
    fill(ended.node, kind, std::string_view{capture_}.substr(ended.capture_start));
    --captures_;
  }
}

void payload_walk::member(std::string_view name) {
  if (skipped_depth_ != 0) {
    return;
  }
  auto& top = frames_.back();
  if (is_capturing()) {
    capture_.append(top.count == 0 ? "" : ",");
    append_json_string(capture_, name);
    capture_ += ':';
  }
  ++top.count;
  member_node_ = top.node == payload_trie::nowhere ? top.node : trie_.member(top.node, name);
  if (member_node_ != payload_trie::nowhere) {
    // The name may have come before: its last value counts, and no part of an earlier one remains.
    for (const auto slot : trie_.at(member_node_).slots_beneath) {
      (*values_)[slot].reset();
    }
  }
}

void payload_walk::scalar(value_kind kind, std::string_view text) {
  if (skipped_depth_ != 0) {
    return;
  }
  const auto node = enter();
  if (is_capturing()) {
    if (kind == value_kind::string) {
      append_json_string(capture_, text);
    } else {
      capture_ += text;
    }
  }
  if (node != payload_trie::nowhere) {
    fill(node, kind, text);
  }
}

} // namespace sluice::core
