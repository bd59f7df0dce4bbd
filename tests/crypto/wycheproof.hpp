#pragma once

#include "crypto/encoding.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

namespace sluice::crypto::testing {

/// A file of Project Wycheproof's test vectors: below SLUICE_SHARED, or beside the source folder. Nothing,
/// with a warning, where there is none.
inline std::optional<nlohmann::json> wycheproof(const std::string& name) {
  namespace files = std::filesystem;
  const auto source_root = files::absolute(__FILE__).parent_path().parent_path().parent_path();
  const char* const named = std::getenv("SLUICE_SHARED");
  const auto shared = named != nullptr ? files::path{named} : source_root.parent_path() / "shared";
  const auto path = shared / "vectors" / "wycheproof" / (name + ".json");
  if (!files::exists(path)) {
    WARN("skipped: there is no " << path);
    return std::nullopt;
  }
  std::ifstream file{path};
  return nlohmann::json::parse(file);
}

/// Calls `check(group, test)` for every case and says how many there were.
template <class Check>
void each_case(const std::string& name, Check check) {
  const auto document = wycheproof(name);
  if (!document)
    return;
  std::size_t cases = 0;
  std::size_t valid = 0;
  for (const auto& group : document->at("testGroups")) {
    for (const auto& test : group.at("tests")) {
      INFO(name << ", case " << test.at("tcId") << ": " << test.at("comment"));
      check(group, test);
      ++cases;
      valid += test.at("result") == "valid" ? 1U : 0U;
    }
  }
  CHECK(cases == document->at("numberOfTests").get<std::size_t>());
  std::cout << name << ": " << cases << " cases, " << valid << " of them valid\n";
}

inline std::string bytes_of(const nlohmann::json& object, const char* key) {
  return from_hex(object.at(key).get<std::string>()).value();
}

} // namespace sluice::crypto::testing
