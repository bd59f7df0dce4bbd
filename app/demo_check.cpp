#include "app/demo_check.hpp"

#include "core/filter.hpp"
#include "core/json_tree.hpp"
#include "core/mapping.hpp"

#include <map>
#include <optional>
#include <string_view>

namespace sluice::app {

namespace {

constexpr std::size_t examples_max = 10;
constexpr core::payload_limits document_limits{64, std::size_t{1} << 30};

/// An object's members by name, their values as JSON text: order does not count, digits do.
using field_texts = std::map<std::string, std::string>;

field_texts field_texts_of(const core::json_node& object) {
  field_texts fields;
  for (const auto& [name, node] : object.members)
    core::append_json(fields[name], core::to_value(node));
  return fields;
}

struct held_object {
  field_texts fields;
  int copies = 0;
};

std::expected<std::map<std::string, held_object>, std::string> held_objects(const std::string& held) {
  auto document = core::parse_json_tree(held, document_limits);
  if (!document)
    return std::unexpected{document.error()};
  const auto* items = core::find_member(*document, "items");
  if (items == nullptr)
    return std::unexpected{"the target's answer has no items"};
  std::map<std::string, held_object> objects;
  for (const auto& item : items->items) {
    const auto* id = core::find_member(item, "external_id");
    const auto* fields = core::find_member(item, "fields");
    if (id == nullptr || fields == nullptr)
      return std::unexpected{"an object at the target has no external_id or no fields"};
    auto& object = objects[id->text];
    object.fields = field_texts_of(*fields);
    ++object.copies;
  }
  return objects;
}

/// What the target should hold of a record: nothing when the rule's filter leaves it out.
class expectation {
public:
  static std::expected<expectation, std::string> of(const core::sync_rule& rule) {
    auto mapping = core::mapping::compile(rule.mapping);
    if (!mapping)
      return std::unexpected{mapping.error().front()};
    expectation made{std::move(*mapping)};
    if (!rule.filter.empty()) {
      auto filter = core::filter::compile(rule.filter);
      if (!filter)
        return std::unexpected{filter.error().front()};
      made.filter_.emplace(std::move(*filter));
    }
    return made;
  }

  std::optional<field_texts> fields_of(const demo_record& record) {
    if (filter_ && !filter_->passes(record.payload).value_or(true))
      return std::nullopt;
    mirrored_.source_id = record.source_id;
    mirrored_.payload = record.payload;
    std::string projected;
    if (!mapping_.project(mirrored_, projected))
      return std::nullopt;
    auto fields = field_texts_of(*core::parse_json_tree(projected));
    fields.erase("external_id"); // the target keeps it apart from an object's fields
    return fields;
  }

private:
  explicit expectation(core::mapping mapping) : mapping_(std::move(mapping)) {}

  core::mapping mapping_;
  std::optional<core::filter> filter_;
  core::mirror_record mirrored_;
};

std::string difference(const std::optional<field_texts>& expected, const held_object* held) {
  if (!expected)
    return held == nullptr ? "" : "is at the target though the filter leaves it out";
  if (held == nullptr)
    return "is not at the target";
  if (held->copies > 1)
    return "is at the target " + std::to_string(held->copies) + " times";
  return held->fields == *expected ? "" : "has other fields at the target";
}

} // namespace

std::expected<demo_verdict, std::string> compare_with_target(const demo_domain& domain,
                                                             const core::configuration::rule& rule,
                                                             const std::string& held) {
  auto objects = held_objects(held);
  if (!objects)
    return std::unexpected{objects.error()};
  auto expected = expectation::of(rule.rule);
  if (!expected)
    return std::unexpected{expected.error()};
  demo_verdict verdict;
  auto judge = [&](const std::string& source_id, const std::string& what) {
    ++(what.empty() ? verdict.agree : verdict.differ);
    if (!what.empty() && verdict.examples.size() < examples_max)
      verdict.examples.push_back(domain.name + " " + source_id + " " + what);
  };
  for (const auto& record : domain.records) {
    auto found = objects->find(record.source_id);
    judge(record.source_id,
          difference(expected->fields_of(record), found == objects->end() ? nullptr : &found->second));
    if (found != objects->end())
      objects->erase(found);
  }
  for (const auto& [source_id, object] : *objects)
    judge(source_id, "is at the target and was never the source's");
  return verdict;
}

} // namespace sluice::app
