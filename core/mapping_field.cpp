#include "core/mapping_field.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {
namespace {

bool is_source(const json_member& member) noexcept {
  return member.name == "from" || member.name == "value" || member.name == "template"
         || member.name == "anchor";
}

bool is_empty(const value& v) noexcept {
  return v.kind == value_kind::absent || v.kind == value_kind::null
         || (v.kind == value_kind::string && v.text.empty());
}

} // namespace

void mapping_field::compile_pointer(std::string_view pointer, pointer_set& pointers,
                                    std::vector<std::string>& faults) {
  if (auto tokens = parse_pointer(pointer); !tokens) {
    faults.push_back(std::move(tokens).error() + R"( (a constant is written {"value": …}))");
    return;
  }
  source_ = from{pointers.add(pointer)};
}

void mapping_field::compile_source(const json_member& written, pointer_set& pointers,
                                   std::vector<std::string>& faults) {
  const auto& [name, node] = written;
  if (name == "value") {
    source_ = to_value(node);
  } else if (node.kind != value_kind::string) {
    faults.push_back("\"" + name + "\" takes a text");
  } else if (name == "from") {
    compile_pointer(node.text, pointers, faults);
  } else if (name == "anchor") {
    if (node.text.empty()) {
      faults.emplace_back("\"anchor\" takes the name of the domain the rule is anchored on");
    }
    source_ = from_anchor{node.text};
  } else if (auto made = text_template::compile(node.text, pointers)) {
    source_ = *std::move(made);
  } else {
    faults.push_back(std::move(made).error());
  }
}

void mapping_field::compile_option(const json_member& written, std::vector<std::string>& faults) {
  const auto& [name, node] = written;
  if (name == "transform") {
    transforms_ = compile_transforms(node, faults);
  } else if (name == "default") {
    default_ = to_value(node);
  } else if (name != "required") {
    faults.push_back("\"" + name + R"(" is unknown here (known: "from", "value", "template", "anchor", )"
                     + R"("transform", "default", "required"))");
  } else if (node.kind != value_kind::boolean) {
    faults.emplace_back(R"("required" takes true or false)");
  } else {
    is_required_ = node.text == "true";
  }
}

mapping_field mapping_field::compile(const json_node& written, pointer_set& pointers,
                                     std::vector<std::string>& faults) {
  mapping_field made;
  if (written.kind == value_kind::string) {
    made.compile_pointer(written.text, pointers, faults);
    return made;
  }
  if (written.kind != value_kind::object) {
    faults.emplace_back("a field takes a JSON pointer or an object");
    return made;
  }
  std::vector<std::string> repeated;
  collect_repeated_names(written, repeated);
  for (const auto& name : repeated) {
    faults.push_back("\"" + name + "\" stands twice in one object");
  }
  if (std::ranges::count_if(written.members, is_source) != 1 && repeated.empty()) {
    faults.emplace_back(
        R"(exactly one of "from", "value", "template" and "anchor" says where the value comes from)");
  }
  for (const auto& member : written.members) {
    if (is_source(member)) {
      made.compile_source(member, pointers, faults);
    } else {
      made.compile_option(member, faults);
    }
  }
  if (find_member(written, "value") != nullptr && written.members.size() > 1 && faults.empty()) {
    faults.emplace_back("a constant takes no options");
  }
  return made;
}

std::expected<const value*, std::string> mapping_field::source(const std::vector<value>& values,
                                                               const record_references& references,
                                                               value& scratch) const {
  if (const auto* constant = std::get_if<value>(&source_)) {
    return constant;
  }
  if (const auto* place = std::get_if<from>(&source_)) {
    if (transforms_.empty()) {
      return &values[place->slot];
    }
    scratch = values[place->slot];
  } else if (std::holds_alternative<from_anchor>(source_)) {
    if (references.anchor.empty()) {
      return std::unexpected{std::string{anchor_is_unknown}};
    }
    scratch = {value_kind::string, std::string{references.anchor}};
  } else if (auto filled = std::get<text_template>(source_).fill(values, references, scratch); !filled) {
    return std::unexpected{std::move(filled).error()};
  }
  for (const auto& each : transforms_) {
    if (auto applied = each.apply(scratch); !applied) {
      return std::unexpected{std::move(applied).error()};
    }
  }
  return &scratch;
}

std::expected<const value*, std::string> mapping_field::evaluate(const std::vector<value>& values,
                                                                 const record_references& references,
                                                                 value& scratch) const {
  auto found = source(values, references, scratch);
  if (!found) {
    return found;
  }
  if (default_ && is_empty(**found)) {
    found = &*default_;
  }
  if (is_required_ && is_empty(**found)) {
    return std::unexpected{std::string{"the field is required, and the record has no value for it"}};
  }
  return found;
}

std::optional<std::string_view> mapping_field::anchor() const noexcept {
  if (const auto* taken = std::get_if<from_anchor>(&source_)) {
    return taken->domain;
  }
  const auto* text = std::get_if<text_template>(&source_);
  return text != nullptr && text->uses_anchor() ? std::optional{std::string_view{}} : std::nullopt;
}

} // namespace sluice::core
