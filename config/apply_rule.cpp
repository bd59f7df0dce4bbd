#include "config/apply_rule.hpp"

#include "core/filter.hpp"
#include "core/json_pointer.hpp"
#include "core/mapping.hpp"

namespace sluice::config {
namespace {

constexpr std::size_t pointer_bytes_max = 1000;

void read_anchor(table_reader& table, core::sync_rule& rule) {
  auto anchor = table.inner("anchor");
  if (!anchor) {
    return;
  }
  rule.anchor_domain = anchor->text("domain", domain_bytes_max);
  rule.anchor_pointer = anchor->text("source_id", pointer_bytes_max);
  if (const auto tokens = core::parse_pointer(rule.anchor_pointer); !tokens) {
    anchor->fault("source_id",
                  "= \"" + rule.anchor_pointer + "\": " + tokens.error()
                      + "; allowed is the JSON pointer to the parent's id, such as /customer_id");
  }
  if (!rule.anchor_domain.empty() && rule.anchor_domain == rule.domain) {
    anchor->fault("domain",
                  "= \"" + rule.anchor_domain
                      + "\" is the rule's own domain; allowed is another one its records depend on");
  }
  if (rule.direction == core::rule_direction::pull_in) {
    table.fault("anchor", "stands at a rule of direction pull_in; only push_out rules have one");
  }
  anchor->refuse_unknown();
}

/// A member that is at fault by itself is named with its own line.
void name_mapping_faults(table_reader& table, const document_value& mapping,
                         const std::vector<std::string>& all) {
  bool member_named = false;
  for (const auto& member : mapping.members) {
    document_value alone{.kind = document_kind::table,
                         .text = {},
                         .line = member.value.line,
                         .items = {},
                         .members = {member}};
    if (const auto single = core::mapping::compile(to_json(alone)); !single) {
      member_named = true;
      for (const auto& fault : single.error()) {
        table.fault_at(member.value.line, "mapping", ": " + fault);
      }
    }
  }
  for (const auto& fault : all) {
    if (!member_named) {
      table.fault("mapping", ": " + fault);
    }
  }
}

std::string names_no_parent(std::string_view field) {
  return ": " + std::string{field}
         + ": takes the id of the record's parent, but the rule has none; add the table anchor with domain "
           "and "
           "source_id";
}

std::string names_other_parent(std::string_view field, const std::string& domain,
                               const std::string& allowed) {
  return ": " + std::string{field} + ": takes the id of a parent in \"" + domain
         + "\"; allowed is the rule's anchor, \"" + allowed + "\"";
}

/// Fields that take the parent's id: the rule has a parent, and it is of the domain they name.
void check_anchor_uses(table_reader& table, const document_value& mapping, const core::mapping& compiled,
                       const core::sync_rule& rule) {
  for (const auto& [field, domain] : compiled.anchors()) {
    const auto* member = mapping.find(field);
    const auto line = member == nullptr ? mapping.line : member->line;
    if (!rule.dependent()) {
      table.fault_at(line, "mapping", names_no_parent(field));
    } else if (!domain.empty() && domain != rule.anchor_domain) {
      table.fault_at(line, "mapping", names_other_parent(field, domain, rule.anchor_domain));
    }
  }
}

void read_mapping(table_reader& table, core::sync_rule& rule) {
  const auto* mapping = table.table("mapping", rule.direction == core::rule_direction::push_out);
  if (mapping == nullptr) {
    return;
  }
  rule.mapping = to_json(*mapping);
  if (const auto compiled = core::mapping::compile(rule.mapping)) {
    check_anchor_uses(table, *mapping, *compiled, rule);
  } else {
    name_mapping_faults(table, *mapping, compiled.error());
  }
}

void read_filter(table_reader& table, core::sync_rule& rule) {
  const auto* filter = table.table("filter", false);
  if (filter == nullptr) {
    return;
  }
  rule.filter = to_json(*filter);
  if (const auto compiled = core::filter::compile(rule.filter); !compiled) {
    for (const auto& fault : compiled.error()) {
      table.fault("filter", ": " + fault);
    }
  }
}

} // namespace

void read_rule(table_reader& table, core::configuration::rule& entry) {
  auto& rule = entry.rule;
  entry.source_name = table.text("source", name_bytes_max);
  entry.target_name = table.text("target", name_bytes_max);
  rule.domain = table.text("domain", domain_bytes_max);
  rule.direction =
      read_choice(table, "direction", "push_out", core::parse_rule_direction, "push_out and pull_in")
          .value_or(core::rule_direction::push_out);
  rule.active = table.boolean("active", true);
  rule.updates =
      read_choice(table, "update_mode", "overwrite", core::parse_update_mode, "overwrite and create_only")
          .value_or(core::update_mode::overwrite);
  rule.deletes = read_choice(table, "delete_policy", "ignore", core::parse_delete_policy,
                             "ignore, delete and deactivate")
                     .value_or(core::delete_policy::ignore);
  read_anchor(table, rule);
  read_mapping(table, rule);
  read_filter(table, rule);
}

} // namespace sluice::config
