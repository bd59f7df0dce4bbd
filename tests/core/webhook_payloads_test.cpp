#include "core/payload.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::core {
namespace {

namespace files = std::filesystem;

/// Where the example payloads lie: below SLUICE_SHARED, or beside the source folder.
files::path examples() {
  if (const char* shared = std::getenv("SLUICE_SHARED"); shared != nullptr) {
    return files::path{shared} / "data" / "github-webhooks";
  }
  const auto source_root = files::absolute(__FILE__).parent_path().parent_path().parent_path();
  return source_root.parent_path() / "shared" / "data" / "github-webhooks";
}

std::string text_of(const files::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string json_of(const value& v) {
  std::string out;
  append_json(out, v);
  return out;
}

/// Every place of a document with its value.
void collect(const nlohmann::json& node, const nlohmann::json::json_pointer& place,
             std::vector<std::pair<std::string, nlohmann::json>>& places) {
  places.emplace_back(place.to_string(), node);
  if (node.is_object()) {
    for (const auto& [name, member] : node.items()) {
      collect(member, place / name, places);
    }
  } else if (node.is_array()) {
    for (std::size_t index = 0; index < node.size(); ++index) {
      collect(node[index], place / index, places);
    }
  }
}

TEST_CASE("every place of real webhook payloads is read as a tree parser reads it") {
  const auto folder = examples();
  if (!files::is_directory(folder)) {
    WARN("skipped: there are no example payloads at " << folder);
    return;
  }
  std::size_t count = 0;
  for (const auto& entry : files::directory_iterator{folder}) {
    if (entry.path().extension() != ".json") {
      continue;
    }
    INFO(entry.path().filename());
    const auto text = text_of(entry.path());
    std::vector<std::pair<std::string, nlohmann::json>> places;
    collect(nlohmann::json::parse(text), nlohmann::json::json_pointer{}, places);
    std::vector<std::string> pointers;
    for (const auto& [pointer, node] : places) {
      pointers.push_back(pointer);
    }
    auto reader = payload_reader::compile(pointers);
    REQUIRE(reader);
    std::vector<value> values;
    const auto read = reader->read(text, values);
    REQUIRE(read);
    std::size_t equal = 0;
    for (std::size_t index = 0; index < places.size(); ++index) {
      equal += nlohmann::json::parse(json_of(values[index])) == places[index].second ? 1 : 0;
    }
    CHECK(equal == places.size());
    ++count;
  }
  CHECK(count > 0);
}

} // namespace
} // namespace sluice::core
