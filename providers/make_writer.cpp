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

} // namespace sluice::providers
