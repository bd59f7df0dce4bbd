#include "config/apply_file.hpp"

#include "config/document.hpp"
#include "config/table_reader.hpp"
#include "config/text_file.hpp"
#include "core/filter.hpp"
#include "core/mapping.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace sluice::config {
namespace {

constexpr std::size_t name_bytes_max = 200;
constexpr std::size_t domain_bytes_max = 64;

/// One reading of one file: gathers the plan and its faults side by side.
class plan_reader {
public:
  plan_reader(std::string file, const environment& variables)
      : file_{std::move(file)}, variables_{variables} {}

  std::expected<apply_plan, std::vector<std::string>> read(const document_value& root) {
    if (root.kind != document_kind::table) {
      faults_.push_back(file_ + ":" + std::to_string(root.line) + ": the file holds "
                        + std::string{to_string(root.kind)}
                        + "; allowed is an object with tenants, connections and rules");
    }
    for (const auto& [name, value] : root.members) {
      read_list(name, value);
    }
    if (!faults_.empty()) {
      return std::unexpected{std::move(faults_)};
    }
    return std::move(plan_);
  }

private:
  void read_list(const std::string& name, const document_value& list) {
    const bool known = name == "tenants" || name == "connections" || name == "rules";
    if (!known || list.kind != document_kind::list) {
      faults_.push_back(file_ + ":" + std::to_string(list.line) + ": " + name
                        + (known
                               ? " is " + std::string{to_string(list.kind)} + "; allowed is a list of tables"
                               : std::string{" is not known; allowed are tenants, connections and rules"}));
      return;
    }
    for (std::size_t index = 0; index < list.items.size(); ++index) {
      const auto& item = list.items[index];
      table_reader table{item, file_, name + "[" + std::to_string(index + 1) + "]", faults_};
      if (item.kind != document_kind::table) {
        table.fault_at(item.line, "", "is " + std::string{to_string(item.kind)} + "; allowed is a table");
      } else if (name == "tenants") {
        plan_.tenants.push_back(unique_name(table, tenant_names_));
        table.refuse_unknown();
      } else if (name == "connections") {
        read_connection(table);
      } else {
        read_rule(table);
      }
    }
  }

  void read_connection(table_reader& table) {
    core::connection connection;
    connection.tenant = table.text("tenant", name_bytes_max);
    connection.name = unique_name(table, connection_names_);
    connection.driver = table.text("driver", name_bytes_max);
    if (!connection.driver.empty() && connection.driver != "mirror" && connection.driver != "rest") {
      table.fault("driver", "= \"" + connection.driver + "\" is not a driver; allowed are mirror and rest");
    }
    const auto* settings = table.table("settings", connection.driver == "rest");
    connection.settings = settings == nullptr ? "{}" : to_json(*settings);
    if (const auto* credentials = table.table("credentials", false)) {
      auto resolved = *credentials;
      resolve_secrets(table, resolved, "credentials");
      connection.credentials = to_json(resolved);
    }
    table.refuse_unknown();
    plan_.connections.push_back(std::move(connection));
  }

  void read_rule(table_reader& table) {
    apply_plan::rule entry;
    auto& rule = entry.rule;
    rule.name = unique_name(table, rule_names_);
    entry.source_name = table.text("source", name_bytes_max);
    entry.target_name = table.text("target", name_bytes_max);
    rule.domain = table.text("domain", domain_bytes_max);
    rule.direction =
        choice(table, "direction", "push_out", core::parse_rule_direction, "push_out and pull_in")
            .value_or(core::rule_direction::push_out);
    rule.active = table.boolean("active", true);
    rule.updates =
        choice(table, "update_mode", "overwrite", core::parse_update_mode, "overwrite and create_only")
            .value_or(core::update_mode::overwrite);
    read_delete_policy(table, rule);
    if (const auto* mapping = table.table("mapping", rule.direction == core::rule_direction::push_out)) {
      rule.mapping = to_json(*mapping);
      check_mapping(table, *mapping, rule.mapping);
    }
    if (const auto* filter = table.table("filter", false)) {
      rule.filter = to_json(*filter);
      if (const auto compiled = core::filter::compile(rule.filter); !compiled) {
        for (const auto& fault : compiled.error()) {
          table.fault("filter", ": " + fault);
        }
      }
    }
    table.refuse_unknown();
    plan_.rules.push_back(std::move(entry));
  }

  static void read_delete_policy(table_reader& table, core::sync_rule& rule) {
    const auto policy = choice(table, "delete_policy", "ignore", core::parse_delete_policy, "ignore");
    if (policy && *policy != core::delete_policy::ignore) {
      table.fault("delete_policy", "= \"" + std::string{core::to_string(*policy)}
                                       + "\": this version does not deliver withdrawals; allowed is ignore");
    }
    rule.deletes = policy.value_or(core::delete_policy::ignore);
  }

  /// A member that is at fault by itself is named with its own line.
  static void check_mapping(table_reader& table, const document_value& mapping, const std::string& json) {
    const auto compiled = core::mapping::compile(json);
    if (compiled) {
      return;
    }
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
    for (const auto& fault : compiled.error()) {
      if (!member_named) {
        table.fault("mapping", ": " + fault);
      }
    }
  }

  void resolve_secrets(table_reader& table, document_value& value, const std::string& key) {
    for (auto& item : value.items) {
      resolve_secrets(table, item, key);
    }
    for (auto& member : value.members) {
      resolve_secrets(table, member.value, key + "." + member.name);
    }
    if (value.kind != document_kind::text) {
      return;
    }
    if (value.text.starts_with("plain:")) {
      value.text.erase(0, 6);
    } else if (value.text.starts_with("env:")) {
      const auto variable = variables_.find(value.text.substr(4));
      if (variable == variables_.end() || variable->second.empty()) {
        table.fault_at(value.line, key, "names the variable " + value.text.substr(4) + ", which is not set");
      } else {
        value.text = variable->second;
      }
    } else if (value.text.starts_with("file:")) {
      if (auto secret = read_secret_file(value.text.substr(5)); !secret) {
        table.fault_at(value.line, key, "names a file: " + secret.error());
      } else {
        value.text = std::move(*secret);
      }
    }
  }

  template <class Enum>
  static std::optional<Enum> choice(table_reader& table, std::string_view name, std::string fallback,
                                    std::optional<Enum> (*parse)(std::string_view) noexcept,
                                    std::string_view allowed) {
    const auto word = table.text(name, name_bytes_max, std::move(fallback));
    const auto parsed = parse(word);
    if (!parsed && !word.empty()) {
      table.fault(name, "= \"" + word + "\" is not one of the allowed values: " + std::string{allowed});
    }
    return parsed;
  }

  static std::string unique_name(table_reader& table, std::set<std::string>& taken) {
    auto name = table.text("name", name_bytes_max);
    if (!name.empty() && !taken.insert(name).second) {
      table.fault("name", "= \"" + name + "\" stands in this file twice; each name is allowed once");
    }
    return name;
  }

  std::string file_;
  const environment& variables_;
  apply_plan plan_;
  std::vector<std::string> faults_;
  std::set<std::string> tenant_names_;
  std::set<std::string> connection_names_;
  std::set<std::string> rule_names_;
};

} // namespace

std::expected<apply_plan, std::vector<std::string>> parse_apply_file(std::string_view text,
                                                                     apply_format format,
                                                                     const std::string& file,
                                                                     const environment& variables) {
  const auto document = format == apply_format::json ? parse_json(text) : parse_toml(text);
  if (!document) {
    return std::unexpected{
        std::vector{file + ":" + std::to_string(document.error().line) + ": " + document.error().what}};
  }
  return plan_reader{file, variables}.read(*document);
}

std::expected<apply_plan, std::vector<std::string>> read_apply_file(const std::string& path,
                                                                    const environment& variables) {
  const auto text = read_text_file(path);
  if (!text) {
    return std::unexpected{std::vector{text.error()}};
  }
  const auto first = text->find_first_not_of(" \t\r\n");
  const bool braced = first != std::string::npos && (*text)[first] == '{';
  const bool json = path.ends_with(".json") || (!path.ends_with(".toml") && braced);
  return parse_apply_file(*text, json ? apply_format::json : apply_format::toml, path, variables);
}

} // namespace sluice::config
