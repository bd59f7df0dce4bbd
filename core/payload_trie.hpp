#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// The wanted places of a payload as a tree, so that one pass finds all of them. Node 0 is the document.
class payload_trie {
public:
  using node_index = std::uint32_t;
  static constexpr node_index nowhere = std::numeric_limits<node_index>::max();

  struct member_edge {
    std::string key;
    node_index child;
  };
  struct element_edge {
    std::size_t index;
    node_index child;
  };
  /// Members are sorted by length, then bytes; elements by index.
  struct node {
    std::vector<member_edge> members;
    std::vector<element_edge> elements;
    std::vector<std::uint32_t> slots;         ///< where the value itself goes
    std::vector<std::uint32_t> slots_beneath; ///< its own slots and those of all descendants
  };

  payload_trie() : nodes_(1) {}

  /// Makes the place of the tokens fill `slot`. Call seal() after the last.
  void add(const std::vector<std::string>& tokens, std::uint32_t slot);
  void seal();

  [[nodiscard]] const node& at(node_index index) const noexcept { return nodes_[index]; }
  [[nodiscard]] node_index member(node_index parent, std::string_view key) const noexcept;

private:
  node_index child(node_index parent, const std::string& token);

  std::vector<node> nodes_;
};

} // namespace sluice::core
