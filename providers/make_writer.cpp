#include "providers/rest_settings.hpp"
#include "providers/rest_writer.hpp"
#include "providers/visible_text.hpp"
#include "providers/writer.hpp"

namespace sluice::providers {

std::expected<std::shared_ptr<const writer>, std::vector<std::string>>
make_writer(const core::connection& target, std::string_view domain) {
  if (target.driver != "rest") {
    return std::unexpected{std::vector{"driver: is \"" + visible_text(target.driver, {}, 40)
                                       + "\"; allowed for a target: rest"}};
  }
  auto settings = parse_rest_settings(target.settings, target.credentials, domain);
  if (!settings) {
    return std::unexpected{std::move(settings.error())};
  }
  return std::make_shared<const rest_writer>(std::move(*settings));
}

std::vector<std::string> faults_for_rule(const writer& target, const core::sync_rule& rule) {
  using core::operation;
  std::vector<std::string> faults;
  const auto need = [&](operation op) {
    if (!target.supports(op)) {
      faults.push_back("settings.operations." + std::string{core::to_string(op)}
                       + ": is missing; delete_policy \"" + std::string{core::to_string(rule.deletes)}
                       + "\" needs it");
    }
  };
  if (rule.deletes == core::delete_policy::delete_record) {
    need(operation::remove);
  } else if (rule.deletes == core::delete_policy::deactivate) {
    need(operation::deactivate);
    need(operation::reactivate); // or a record that comes back would stay inactive
  }
  if (target.traits().uses_anchor && !rule.dependent()) {
    faults.emplace_back(
        "settings.operations: {anchor_id} stands in a path or body, but the rule has no anchor; "
        "allowed: {source_id}, {remote_id}, {domain}");
  }
  return faults;
}

} // namespace sluice::providers
