#include "api/openapi.hpp"
#include "api/operations.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace sluice::api {
namespace {

using json = nlohmann::json;

json document() {
  return json::parse(openapi_document());
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
  return text;
}

/// "get /v1/status" and the access it needs.
std::map<std::string, access> served() {
  router routes;
  add_operations(routes);
  std::map<std::string, access> found;
  for (const auto& route : routes.routes())
    found.emplace(lower_case(route.method) + " " + route.pattern, route.needed);
  return found;
}

std::map<std::string, json> described() {
  std::map<std::string, json> found;
  const auto all = document();
  for (const auto& [path, operations] : all.at("paths").items())
    for (const auto& [method, operation] : operations.items())
      found.emplace(method + " " + path, operation);
  return found;
}

TEST_CASE("every route is described, and every description has its route") {
  std::set<std::string> routes;
  std::set<std::string> descriptions;
  for (const auto& [name, needed] : served())
    routes.insert(name);
  for (const auto& [name, operation] : described())
    descriptions.insert(name);
  CHECK(routes == descriptions);
  CHECK(routes.size() > 40);
}

TEST_CASE("a description says whose token an operation takes") {
  const std::map<access, std::string> words{{access::anyone, "anyone"},
                                            {access::intake, "intake"},
                                            {access::viewer, "viewer"},
                                            {access::operate, "operator"},
                                            {access::administer, "admin"}};
  const auto descriptions = described();
  for (const auto& [name, needed] : served()) {
    INFO(name);
    REQUIRE(descriptions.contains(name));
    CHECK(descriptions.at(name).at("x-role") == words.at(needed));
    CHECK(descriptions.at(name).contains("security") == (needed == access::anyone));
  }
}

TEST_CASE("a description names the parameters of its path, and each operation once") {
  std::set<std::string> ids;
  for (const auto& [name, operation] : described()) {
    INFO(name);
    CHECK(ids.insert(operation.at("operationId").get<std::string>()).second);
    std::set<std::string> named;
    for (const auto& parameter : operation.value("parameters", json::array()))
      if (parameter.at("in") == "path")
        named.insert("{" + parameter.at("name").get<std::string>() + "}");
    std::set<std::string> in_path;
    for (auto at = name.find('{'); at != std::string::npos; at = name.find('{', at + 1))
      in_path.insert(name.substr(at, name.find('}', at) - at + 1));
    CHECK(named == in_path);
  }
}

/// Every `$ref` of a part of the document.
void references(const json& part, std::set<std::string>& found) {
  if (part.is_object() && part.contains("$ref"))
    found.insert(part.at("$ref").get<std::string>());
  if (part.is_structured())
    for (const auto& [key, value] : part.items())
      references(value, found);
}

TEST_CASE("what the description refers to is there, and nothing is described that is not referred to") {
  const auto all = document();
  std::set<std::string> used;
  references(all, used);
  for (const auto& reference : used) {
    INFO(reference);
    CHECK(all.contains(json::json_pointer{reference.substr(1)}));
  }
  for (const auto& [name, schema] : all.at("components").at("schemas").items())
    CHECK(used.contains("#/components/schemas/" + name));
}

} // namespace
} // namespace sluice::api
