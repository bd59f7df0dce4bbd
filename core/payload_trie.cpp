#include "core/payload_trie.hpp"

#include "core/json_pointer.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

bool shorter(std::string_view a, std::string_view b) noexcept {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

} // namespace

payload_trie::node_index payload_trie::child(node_index parent, const std::string& token) {
  for (const auto& edge : nodes_[parent].members) {
    if (edge.key == token) {
      return edge.child;
    }
  }
  const auto made = static_cast<node_index>(nodes_.size());
  nodes_.emplace_back();
  nodes_[parent].members.push_back({token, made});
  // "/0" means a member named 0 in an object and the first element in an array.
  if (const auto index = array_index(token); index != not_an_index) {
    nodes_[parent].elements.push_back({index, made});
  }
  return made;
}

void payload_trie::add(const std::vector<std::string>& tokens, std::uint32_t slot) {
  node_index place = 0;
  nodes_[place].slots_beneath.push_back(slot);
  for (const auto& token : tokens) {
    place = child(place, token);
    nodes_[place].slots_beneath.push_back(slot);
  }
  nodes_[place].slots.push_back(slot);
}

void payload_trie::seal() {
  for (auto& each : nodes_) {
    std::ranges::sort(each.members, shorter, &member_edge::key);
    std::ranges::sort(each.elements, {}, &element_edge::index);
  }
}

payload_trie::node_index payload_trie::member(node_index parent, std::string_view key) const noexcept {
  const auto& members = nodes_[parent].members;
  const auto found = std::ranges::lower_bound(members, key, shorter, &member_edge::key);
  return found != members.end() && found->key == key ? found->child : nowhere;
}

} // namespace sluice::core
