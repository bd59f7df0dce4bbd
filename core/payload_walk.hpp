#pragma once

#include "core/payload.hpp"
#include "core/payload_trie.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// Follows a parser's events along the trie and fills the wanted values. What no wanted pointer reaches is
/// passed over by counting its brackets. A wanted array or object is written again into one buffer, of which
/// wanted parts inside it are slices.
class payload_walk {
public:
  explicit payload_walk(const payload_trie& trie) : trie_{trie} {}

  /// Begins a document; `values` has one place a slot, all absent, and outlives the walk.
  void start(std::vector<value>& values);

  /// Whether the text of the next value, or of the next member's name, is used at all.
  [[nodiscard]] bool wants_next_value();
  [[nodiscard]] bool wants_names() const noexcept { return skipped_depth_ == 0; }

  void begin(value_kind kind); ///< an array or object opens
  void end(value_kind kind);   ///< and closes
  void member(std::string_view name);
  void scalar(value_kind kind, std::string_view text);

private:
  using node_index = payload_trie::node_index;

  struct frame {
    node_index node;
    bool is_array;
    bool is_captured;
    std::size_t count;         ///< members or elements so far
    std::size_t edge;          ///< the first element edge not passed yet
    std::size_t capture_start; ///< where the value begins in capture_
  };

  [[nodiscard]] bool is_capturing() const noexcept { return captures_ != 0; }
  node_index next_node();
  node_index enter();
  void fill(node_index node, value_kind kind, std::string_view text);

  const payload_trie& trie_;
  std::vector<value>* values_ = nullptr;
  std::vector<frame> frames_;
  std::size_t skipped_depth_ = 0; ///< open brackets of a value nobody wants
  std::size_t captures_ = 0;      ///< how many frames are captured
  std::string capture_;
  node_index member_node_ = payload_trie::nowhere; ///< of the member named last
};

} // namespace sluice::core
