#include "core/mapping.hpp"

#include "core/json_pointer.hpp"
#include "core/json_tree.hpp"
#include "core/mapping_field.hpp"
#include "core/target_tree.hpp"

#include <algorithm>

namespace sluice::core {

struct mapping::implementation {
  struct named_field {
    std::string name;
    mapping_field field;
  };

  explicit implementation(payload_reader made) : reader{std::move(made)} {}

  std::expected<bool, projection_error> write_field(const target_tree::node& node,
                                                    const record_references& references, std::string& out);
  std::expected<bool, projection_error> write_children(const target_tree::node& node,
                                                       const record_references& references, std::string& out);

  std::vector<named_field> fields;
  std::vector<anchor_use> anchors;
  target_tree targets;
  payload_reader reader;
  std::vector<value> values;
  value scratch;
};

/// Whether anything was written; a member that is left out leaves `out` as it was.
std::expected<bool, projection_error>
mapping::implementation::write_field(const target_tree::node& node, const record_references& references,
                                     std::string& out) {
  if (!node.field) {
    return write_children(node, references, out);
  }
  const auto& [name, field] = fields[*node.field];
  auto found = field.evaluate(values, references, scratch);
  if (!found) {
    return std::unexpected{projection_error{name, std::move(found).error()}};
  }
  if ((*found)->kind == value_kind::absent) {
    return false;
  }
  append_json(out, **found);
  return true;
}

std::expected<bool, projection_error>
mapping::implementation::write_children(const target_tree::node& node, const record_references& references,
                                        std::string& out) {
  bool wrote = false;
  out += '{';
  for (const auto& child : node.children) {
    const auto before = out.size();
    out += wrote ? "," : "";
    out += child.opening;
    const auto written = write_field(child, references, out);
    if (!written) {
      return written;
    }
    if (!*written) {
      out.resize(before);
    }
    wrote = wrote || *written;
  }
  out += '}';
  return wrote;
}

std::expected<mapping, std::vector<std::string>> mapping::compile(std::string_view json) {
  const auto tree = parse_json_tree(json);
  if (!tree) {
    return std::unexpected{std::vector{"the mapping cannot be read: " + tree.error()}};
  }
  if (tree->kind != value_kind::object) {
    return std::unexpected{std::vector{std::string{"the mapping is not a JSON object"}}};
  }
  std::vector<std::string> faults;
  for (const auto& name : repeated_names(*tree)) {
    faults.push_back(name + ": the field stands twice in the mapping");
  }
  std::vector<implementation::named_field> fields;
  target_tree targets;
  pointer_set pointers;
  for (const auto& [name, node] : tree->members) {
    std::vector<std::string> field_faults;
    const bool is_repeat = std::ranges::count(fields, name, &implementation::named_field::name) != 0;
    if (const auto added = is_repeat ? std::expected<void, std::string>{} : targets.add(name, fields.size());
        !added) {
      field_faults.push_back(added.error());
    }
    fields.push_back({name, mapping_field::compile(node, pointers, field_faults)});
    for (const auto& fault : field_faults) {
      faults.push_back(std::string{name}.append(": ").append(fault));
    }
  }
  auto reader = payload_reader::compile(std::move(pointers).take());
  if (!reader) {
    faults.push_back(reader.error());
  }
  if (!faults.empty()) {
    return std::unexpected{std::move(faults)};
  }
  auto made = std::make_unique<implementation>(*std::move(reader));
  for (const auto& [name, field] : fields) {
    if (const auto domain = field.anchor()) {
      made->anchors.push_back({name, std::string{*domain}});
    }
  }
  made->fields = std::move(fields);
  made->targets = std::move(targets);
  return mapping{std::move(made)};
}

mapping::mapping(std::unique_ptr<implementation> made) : implementation_{std::move(made)} {}
mapping::mapping(mapping&&) noexcept = default;
mapping& mapping::operator=(mapping&&) noexcept = default;
mapping::~mapping() = default;

const std::vector<mapping::anchor_use>& mapping::anchors() const noexcept {
  return implementation_->anchors;
}

std::expected<void, projection_error> mapping::project(const mirror_record& record, std::string& out,
                                                       std::string_view anchor_remote_id) {
  out.clear();
  auto& compiled = *implementation_;
  if (auto read = compiled.reader.read(record.payload, compiled.values); !read) {
    return std::unexpected{projection_error{{}, "the payload cannot be read: " + read.error()}};
  }
  const record_references references{record.source_id, anchor_remote_id};
  if (auto written = compiled.write_children(compiled.targets.root(), references, out); !written) {
    return std::unexpected{std::move(written).error()};
  }
  return {};
}

} // namespace sluice::core
