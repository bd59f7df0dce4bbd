#include "core/payload.hpp"
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

std::vector<std::string> faults_of_addresses(const core::connection& target,
                                             const core::outside_addresses& outside) {
  std::vector<std::string> faults;
  auto reader = core::payload_reader::compile({"/base_url", "/auth/token_url"});
  std::vector<core::value> urls;
  if (target.driver != "rest" || !reader || !reader->read(target.settings, urls)) {
    return faults;
  }
  const auto judge = [&](std::string_view key, const core::value& url) {
    const auto parsed = core::parse_outside_url(url.text);
    const auto refused = parsed ? outside.refuse_host(parsed->host) : std::nullopt;
    if (url.kind == core::value_kind::string && refused) {
      faults.push_back(std::string{key} + ": " + *refused);
    }
  };
  judge("settings.base_url", urls[0]);
  judge("settings.auth.token_url", urls[1]);
  return faults;
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
