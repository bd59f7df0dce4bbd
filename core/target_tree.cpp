#include "core/target_tree.hpp"

#include "core/json_pointer.hpp"
#include "core/payload.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

target_tree::node& child(target_tree::node& parent, const std::string& name) {
  const auto found = std::ranges::find(parent.children, name, &target_tree::node::name);
  if (found != parent.children.end()) {
    return *found;
  }
  auto& made = parent.children.emplace_back();
  made.name = name;
  append_json_string(made.opening, name);
  made.opening += ':';
  return made;
}

std::expected<std::vector<std::string>, std::string> read_target(std::string_view target) {
  if (target.starts_with('/')) {
    return parse_pointer(target);
  }
  return std::vector{std::string{target}};
}

} // namespace

std::expected<void, std::string> target_tree::add(std::string_view target, std::size_t field) {
  const auto names = read_target(target);
  if (!names) {
    return std::unexpected{names.error()};
  }
  if (names->size() > depth_max || std::ranges::count(*names, std::string{}) != 0) {
    return std::unexpected{std::string{"a target field has a name, and stands at most 64 levels deep"}};
  }
  node* place = &root_;
  std::string path;
  for (const auto& name : *names) {
    place = &child(*place, name);
    append_pointer_token(path, name);
    if (place->field) {
      return std::unexpected{path + " has a value already, from another field of the mapping"};
    }
  }
  if (!place->children.empty()) {
    return std::unexpected{path + " holds other fields of the mapping already"};
  }
  place->field = field;
  return {};
}

} // namespace sluice::core
