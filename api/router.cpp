#include "api/router.hpp"

#include "api/url_text.hpp"
#include "core/assertion.hpp"

#include <optional>

namespace sluice::api {

namespace {

bool is_parameter(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

std::optional<named_texts> parameters_of(const route& route, const std::vector<std::string>& segments) {
  if (route.segments.size() != segments.size())
    return std::nullopt;
  named_texts found;
  for (std::size_t at = 0; at < segments.size(); ++at) {
    const std::string_view expected = route.segments[at];
    if (is_parameter(expected))
      found.emplace(expected.substr(1, expected.size() - 2), segments[at]);
    else if (expected != segments[at])
      return std::nullopt;
  }
  return found;
}

problem method_refused(const std::string& method, const std::string& allowed) {
  return {405,
          "method_not_allowed",
          "The path does not know this method.",
          method + " is not served here; allowed: " + allowed,
          {},
          {{"Allow", allowed}}};
}

} // namespace

void router::add(std::string method, std::string pattern, access needed, handler handle) {
  auto split = split_target(pattern);
  core::assert_that(split.has_value(), "a route's pattern is a path");
  routes_.push_back(
      {std::move(method), std::move(pattern), needed, std::move(split->segments), std::move(handle)});
}

void router::add_streamed(std::string method, std::string pattern, access needed, handler handle) {
  add(std::move(method), std::move(pattern), needed, std::move(handle));
  routes_.back().takes_lines = true;
}

void router::add_raw(std::string method, std::string pattern, access needed, const raw_limits& limits,
                     handler handle) {
  add(std::move(method), std::move(pattern), needed, std::move(handle));
  routes_.back().raw = limits;
}

void router::add_with_own_keys(std::string method, std::string pattern, access needed, handler handle) {
  add(std::move(method), std::move(pattern), needed, std::move(handle));
  routes_.back().knows_repetitions = true;
}

std::expected<const route*, problem> router::match(request& asked) const {
  const auto& wanted = asked.method == "HEAD" ? std::string{"GET"} : asked.method;
  std::string allowed;
  for (const auto& route : routes_) {
    auto parameters = parameters_of(route, asked.segments);
    if (!parameters)
      continue;
    if (route.method == wanted) {
      asked.parameters = std::move(*parameters);
      return &route;
    }
    allowed += (allowed.empty() ? "" : ", ") + route.method + (route.method == "GET" ? ", HEAD" : "");
  }
  if (!allowed.empty())
    return std::unexpected{method_refused(asked.method, allowed)};
  return std::unexpected{not_found("no resource of this API has the path; docs/api.md lists them")};
}

} // namespace sluice::api
