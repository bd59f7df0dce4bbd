#include "app/subscription_lookup.hpp"

#include "api/url_text.hpp"
#include "app/output.hpp"

#include <vector>

namespace sluice::app {
namespace {

using document = node_client::document;

/// Ids of those the page has of the name, or the one of the id alone.
void collect(const document& page, const std::string& named, std::vector<std::string>& found, bool& exact) {
  for (const auto& one : page) {
    const auto id = cell(one, "id");
    if (id == named) {
      found = {id};
      exact = true;
      return;
    }
    if (cell(one, "name") == named) {
      found.push_back(id);
    }
  }
}

} // namespace

std::expected<std::string, int> subscription_id_of(const node_client& node, const std::string& named) {
  return id_of(node, {"subscription", "/v1/subscriptions", "subscriptions", "subscriptions"}, named);
}

named_kind profile_kind() {
  return {"profile", "/v1/profiles", "profiles", "profiles"};
}

std::expected<std::string, int> id_of(const node_client& node, const named_kind& kind,
                                      const std::string& named) {
  std::vector<std::string> found;
  auto exact = false;
  std::string after = "0";
  while (!exact && !after.empty()) {
    const auto page = node.get(kind.path + "?limit=1000&after=" + after
                               + (kind.tenant.empty() ? "" : "&tenant=" + api::percent_encode(kind.tenant)));
    if (!page) {
      return std::unexpected{page.error()};
    }
    collect(page->at(kind.member), named, found, exact);
    after = cell(*page, "next_after");
  }
  if (found.size() == 1) {
    return found.front();
  }
  const auto why = found.empty() ? "none has this name or id"
                                 : std::to_string(found.size()) + " tenants have one of this name";
  print_error("there is no " + kind.name + " \"" + printable(named) + "\" to work on", why,
              "`sluice " + kind.command + " list` shows the ids of those there are");
  return std::unexpected{exit_refused};
}

std::string subscription_path(std::string_view id, std::string_view rest) {
  return "/v1/subscriptions/" + api::percent_encode(id) + std::string{rest};
}

} // namespace sluice::app
