#include "core/connection_life.hpp"

#include <nlohmann/json.hpp>

namespace sluice::core {

std::string host_of(std::string_view settings) {
  const auto document = nlohmann::json::parse(settings, nullptr, false);
  if (!document.is_object() || !document.contains("base_url") || !document["base_url"].is_string())
    return {};
  std::string_view url = document["base_url"].get_ref<const std::string&>();
  const auto scheme = url.find("://");
  if (scheme == url.npos)
    return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  return std::string{url.substr(url.rfind('@') + 1)}; // npos + 1 is 0
}

} // namespace sluice::core
