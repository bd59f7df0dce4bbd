#include "config/apply_file.hpp"

#include "config/apply_rule.hpp"
#include "config/apply_subscription.hpp"
#include "config/document.hpp"
#include "config/secret_reference.hpp"
#include "config/table_reader.hpp"
#include "config/text_file.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sluice::config {
namespace {

/// One reading of one file: gathers the plan and its faults side by side.
class plan_reader {
public:
  /// `variables` none: no secret is looked for on this machine.
  plan_reader(std::string file, const environment* variables, const core::outside_addresses& outside)
      : file_{std::move(file)}, variables_{variables}, outside_{outside} {}

  std::expected<core::configuration, std::vector<std::string>> read(const document_value& root) {
    if (root.kind != document_kind::table) {
      faults_.push_back(file_ + ":" + std::to_string(root.line) + ": the file holds "
                        + std::string{to_string(root.kind)}
                        + "; allowed is an object with tenants, connections, rules and subscriptions");
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
    const bool known =
        name == "tenants" || name == "connections" || name == "rules" || name == "subscriptions";
    if (!known || list.kind != document_kind::list) {
      faults_.push_back(
          file_ + ":" + std::to_string(list.line) + ": " + name
          + (known
                 ? " is " + std::string{to_string(list.kind)} + "; allowed is a list of tables"
                 : std::string{" is not known; allowed are tenants, connections, rules and subscriptions"}));
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
      } else if (name == "rules") {
        read_rule(table);
      } else {
        read_subscription(table);
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
    core::configuration::rule entry;
    entry.rule.name = unique_name(table, rule_names_);
    config::read_rule(table, entry);
    table.refuse_unknown();
    plan_.rules.push_back(std::move(entry));
  }

  void read_subscription(table_reader& table) {
    core::subscription_wish wish;
    wish.written.tenant = table.text("tenant", name_bytes_max);
    wish.written.name = unique_name(table, subscription_names_[wish.written.tenant]);
    config::read_subscription(table, wish, outside_, variables_);
    table.refuse_unknown();
    plan_.subscriptions.push_back(std::move(wish));
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
    if (auto secret = named_secret(value.text, variables_)) {
      value.text = std::move(*secret);
    } else {
      table.fault_at(value.line, key, secret.error());
    }
  }

  static std::string unique_name(table_reader& table, std::set<std::string>& taken) {
    auto name = table.text("name", name_bytes_max);
    if (!name.empty() && !taken.insert(name).second) {
      table.fault("name", "= \"" + name + "\" stands in this file twice; each name is allowed once");
    }
    return name;
  }

  std::string file_;
  const environment* variables_;
  const core::outside_addresses& outside_;
  core::configuration plan_;
  std::vector<std::string> faults_;
  std::set<std::string> tenant_names_;
  std::set<std::string> connection_names_;
  std::set<std::string> rule_names_;
  std::map<std::string, std::set<std::string>> subscription_names_; ///< by tenant
};

} // namespace

std::expected<core::configuration, std::vector<std::string>>
parse_apply_file(std::string_view text, apply_format format, const std::string& file,
                 const environment& variables, const core::outside_addresses& outside) {
  const auto document = format == apply_format::json ? parse_json(text) : parse_toml(text);
  if (!document) {
    return std::unexpected{
        std::vector{file + ":" + std::to_string(document.error().line) + ": " + document.error().what}};
  }
  return plan_reader{file, &variables, outside}.read(*document);
}

std::expected<core::configuration, std::vector<std::string>>
parse_apply_body(std::string_view text, const core::outside_addresses& outside) {
  const auto document = parse_json(text);
  if (!document) {
    return std::unexpected{
        std::vector{"body:" + std::to_string(document.error().line) + ": " + document.error().what}};
  }
  return plan_reader{"body", nullptr, outside}.read(*document);
}

std::expected<core::configuration, std::vector<std::string>>
read_apply_file(const std::string& path, const environment& variables,
                const core::outside_addresses& outside) {
  const auto text = read_text_file(path);
  if (!text) {
    return std::unexpected{std::vector{text.error()}};
  }
  const auto first = text->find_first_not_of(" \t\r\n");
  const bool braced = first != std::string::npos && (*text)[first] == '{';
  const bool json = path.ends_with(".json") || (!path.ends_with(".toml") && braced);
  return parse_apply_file(*text, json ? apply_format::json : apply_format::toml, path, variables, outside);
}

} // namespace sluice::config
