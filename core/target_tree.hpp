#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// The shape of the object a mapping writes: where each target field stands, in the order of first mention.
class target_tree {
public:
  static constexpr std::size_t depth_max = 64;

  struct node {
    std::string name;
    std::string opening; ///< the name as a JSON member's, with its colon
    std::optional<std::size_t> field;
    std::vector<node> children;
  };

  /// Places field number `field` at `target`: a plain member name, or a JSON pointer when it begins with /.
  /// The error is a sentence when the target is no place or collides with an earlier one.
  [[nodiscard]] std::expected<void, std::string> add(std::string_view target, std::size_t field);

  [[nodiscard]] const node& root() const noexcept { return root_; }

private:
  node root_;
};

} // namespace sluice::core
