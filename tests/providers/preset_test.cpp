#include "core/mapping.hpp"
#include "rest_fixture.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>
#include <toml++/toml.h>

using namespace sluice;
using namespace sluice::providers::testing;

namespace {

std::string json_text(const toml::table& table) {
  std::ostringstream out;
  out << toml::json_formatter{table};
  return out.str();
}

std::vector<std::filesystem::path> preset_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path{__FILE__}.parent_path() / ".." / ".." / "presets";
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() == ".toml") {
      files.push_back(entry.path());
    }
  }
  return files;
}

void check_operations(const providers::writer& writer) {
  using core::operation;
  CHECK(writer.supports(operation::create));
  for (const auto op : {operation::create, operation::update, operation::remove, operation::deactivate,
                        operation::reactivate, operation::lookup}) {
    if (!writer.supports(op)) {
      continue;
    }
    CAPTURE(core::to_string(op));
    const auto order = order_of(op, "ann@example.com", "77");
    auto body = writer.render_body(order, R"({"email":"ann@example.com"})");
    CHECK((body.empty() || nlohmann::json::accept(body)));
    const auto request = writer.build(order, std::move(body), "");
    CHECK(request.url.starts_with("https://"));
    CHECK(request.url.find_first_of("{} \"") == std::string::npos);
    CHECK_FALSE(request.method.empty());
  }
}

} // namespace

TEST_CASE("every preset makes a writer that builds each of its operations, and its mapping compiles") {
  const auto files = preset_files();
  REQUIRE(files.size() >= 3);
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    const auto document = toml::parse_file(file.string());
    int rules = 0;
    for (const auto& rule : *document["rules"].as_array()) {
      const auto& table = *rule.as_table();
      const auto domain = table["domain"].value_or(std::string{});
      const auto mapping = core::mapping::compile(json_text(*table["mapping"].as_table()));
      CHECK(mapping);
      for (const auto& connection : *document["connections"].as_array()) {
        const auto& target = *connection.as_table();
        if (target["name"].value_or(std::string{}) != table["target"].value_or(std::string{})) {
          continue;
        }
        check_operations(*writer_of(json_text(*target["settings"].as_table()),
                                    json_text(*target["credentials"].as_table()), domain));
        ++rules;
      }
    }
    CHECK(rules >= 1);
  }
}
