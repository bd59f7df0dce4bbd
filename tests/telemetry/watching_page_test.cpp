#include "telemetry/log.hpp"
#include "telemetry/metrics.hpp"
#include "tests/repository_file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace sluice;
using namespace sluice::telemetry;

namespace {

std::string cell(std::string_view text) {
  return " " + (text.empty() ? std::string{"-"} : std::string{text}) + " |";
}

std::string row(std::string_view name, const std::vector<std::string_view>& cells) {
  auto line = "| `" + std::string{name} + "` |";
  for (const auto each : cells)
    line += cell(each);
  return line;
}

template <class List, class Name>
std::string joined(const List& list, Name name) {
  std::string all;
  for (const auto& each : list)
    all += (all.empty() ? "" : ", ") + std::string{name(each)};
  return all;
}

/// The rows of the page's tables, without their heads.
std::multiset<std::string> page_rows() {
  std::istringstream page{tests::repository_file("docs/watching.md")};
  std::multiset<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `"))
      rows.insert(line);
  }
  return rows;
}

std::multiset<std::string> catalogue_rows() {
  const metrics all;
  std::multiset<std::string> rows;
  std::set<std::string> labels;
  for (const auto* family : all.catalogue()) {
    const auto names = joined(family->labels(), [](const auto& label) { return label.name; });
    rows.insert(
        row(family->description().name, {to_string(family->type()), names, family->description().help}));
    for (const auto& label : family->labels()) {
      const auto words = joined(label.words, [](std::string_view word) { return word; });
      labels.insert(row(label.name, {words.empty() ? label.bound : words}));
    }
  }
  rows.insert(labels.begin(), labels.end());
  for (const auto& event : event_catalogue())
    rows.insert(row(event.id, {to_string(event.severity), event.sentence, event.fields}));
  return rows;
}

std::string only_in(const std::multiset<std::string>& first, const std::multiset<std::string>& second) {
  std::vector<std::string> found;
  std::ranges::set_difference(first, second, std::back_inserter(found));
  return joined(found, [](const std::string& line) { return "\n" + line; });
}

} // namespace

TEST_CASE("docs/watching.md has exactly the metrics, labels and events of the catalogues") {
  CHECK(only_in(catalogue_rows(), page_rows()) == "");
  CHECK(only_in(page_rows(), catalogue_rows()) == "");
}

TEST_CASE("every event has an id of its own and one sentence") {
  std::set<std::string_view> ids;
  for (const auto& event : event_catalogue()) {
    INFO(event.id);
    CHECK(ids.insert(event.id).second);
    CHECK(event.id.find('.') != std::string_view::npos);
    CHECK(event.sentence.ends_with("."));
  }
}
