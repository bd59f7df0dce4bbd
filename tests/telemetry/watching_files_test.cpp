#include "telemetry/metrics.hpp"
#include "tests/repository_file.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace sluice;
using namespace sluice::telemetry;

// The alert rules and the dashboard name metrics and labels in texts that nothing else reads before an
// operator does.
namespace {

using matches = std::sregex_iterator;

/// What Prometheus adds by itself.
const std::set<std::string> labels_of_prometheus{"instance", "le"};

const metric_family* family_named(const metrics& all, std::string name) {
  const auto find = [&](const std::string& wanted) {
    const auto found = std::ranges::find_if(
        all.catalogue(), [&](const auto* family) { return family->description().name == wanted; });
    return found == all.catalogue().end() ? nullptr : *found;
  };
  for (const auto* suffix : {"_bucket", "_sum", "_count"}) {
    if (name.ends_with(suffix)) {
      name.resize(name.size() - std::string_view{suffix}.size());
      const auto* family = find(name);
      return family && family->type() == metric_type::histogram ? family : nullptr;
    }
  }
  const auto* family = find(name);
  return family && family->type() != metric_type::histogram ? family : nullptr;
}

bool may_be(const label_description& label, const std::string& values) {
  static const std::regex word{"[^|]+"};
  return label.words.empty()
         || std::all_of(matches{values.begin(), values.end(), word}, matches{}, [&](auto& each) {
              return std::ranges::find(label.words, each.str()) != label.words.end();
            });
}

/// A sentence for each metric, label or value that there is not.
class look {
public:
  explicit look(const std::string& expression) {
    static const std::regex selector{R"((sluice_[a-z0-9_]+)(?:\{([^}]*)\})?)"};
    for (auto at = matches{expression.begin(), expression.end(), selector}; at != matches{}; ++at)
      look_at_selector((*at)[1], (*at)[2]);
    static const std::regex grouping{R"((?:by|without|on|ignoring)\s*\(([^)]*)\))"};
    for (auto at = matches{expression.begin(), expression.end(), grouping}; at != matches{}; ++at)
      look_at_names((*at)[1]);
  }

  /// Labels that a text beside the expression shows.
  void look_at_names(const std::string& text) {
    static const std::regex name{"[a-z_]+"};
    for (auto at = matches{text.begin(), text.end(), name}; at != matches{}; ++at) {
      if (!known_.contains(at->str()) && !labels_of_prometheus.contains(at->str()))
        faults_ += "no metric here has the label " + at->str() + "\n";
    }
  }

  void look_at_places(const std::string& text, const std::regex& place) {
    for (auto at = matches{text.begin(), text.end(), place}; at != matches{}; ++at)
      look_at_names((*at)[1]);
  }

  [[nodiscard]] const std::string& faults() const { return faults_; }

private:
  void look_at_selector(const std::string& name, const std::string& filters) {
    const auto* family = family_named(all_, name);
    if (!family) {
      faults_ += "there is no metric " + name + "\n";
      return;
    }
    for (const auto& label : family->labels())
      known_.emplace(label.name);
    static const std::regex filter{R"re(([a-z_]+)\s*(?:=~|!~|!=|=)\s*"([^"]*)")re"};
    for (auto at = matches{filters.begin(), filters.end(), filter}; at != matches{}; ++at)
      look_at_filter(*family, (*at)[1], (*at)[2]);
  }

  void look_at_filter(const metric_family& family, const std::string& name, const std::string& values) {
    if (labels_of_prometheus.contains(name))
      return;
    const auto& labels = family.labels();
    const auto found = std::ranges::find(labels, std::string_view{name}, &label_description::name);
    if (found == labels.end())
      faults_ += std::string{family.description().name} + " has no label " + name + "\n";
    else if (!may_be(*found, values))
      faults_ += name + " is never " + values + "\n";
  }

  metrics all_;
  std::set<std::string> known_; ///< labels of the metrics met
  std::string faults_;
};

/// What the alert rule or its text is about begins behind "- alert:".
std::vector<std::string> alert_rules() {
  const auto text = tests::repository_file("ops/prometheus/alerts.yml");
  static const std::regex beginning{"- alert: "};
  std::vector<std::string> rules{std::sregex_token_iterator{text.begin(), text.end(), beginning, -1}, {}};
  REQUIRE_FALSE(rules.empty());
  rules.erase(rules.begin());
  return rules;
}

} // namespace

TEST_CASE("a look finds a metric, a label and a value that there is not") {
  CHECK(look{R"(sum(sluice_rules{state="stale"}))"}.faults().empty());
  CHECK(look{"rate(sluice_call_duration_seconds_bucket[5m])"}.faults().empty());
  CHECK(look{"sluice_rule"}.faults() == "there is no metric sluice_rule\n");
  CHECK(look{"sluice_call_duration_seconds"}.faults() == "there is no metric sluice_call_duration_seconds\n");
  CHECK(look{"sluice_rules_count"}.faults() == "there is no metric sluice_rules_count\n");
  CHECK(look{R"(sluice_rules{connection="crm"})"}.faults() == "sluice_rules has no label connection\n");
  CHECK(look{R"(sluice_rules{state=~"stale|lost"})"}.faults() == "state is never stale|lost\n");
  CHECK(look{"sum by (instance, rule) (sluice_rules)"}.faults() == "no metric here has the label rule\n");
}

TEST_CASE("the alert rules name metrics, labels and values that there are") {
  static const std::regex shown{R"(\$labels\.([a-z_]+))"};
  const auto rules = alert_rules();
  CHECK(rules.size() >= 10);
  for (const auto& rule : rules) {
    INFO(rule);
    const auto annotations = rule.find("labels:\n");
    REQUIRE(annotations != std::string::npos);
    look found{rule.substr(0, annotations)};
    found.look_at_places(rule.substr(annotations), shown);
    CHECK(found.faults() == "");
    CHECK(rule.find("sluice_") < annotations);
  }
}

TEST_CASE("the dashboard names metrics, labels and values that there are, and shows every metric") {
  static const std::regex shown{R"(\{\{([a-z_]+)\}\})"};
  const auto dashboard = nlohmann::json::parse(tests::repository_file("ops/grafana/sluice.json"));
  std::string expressions;
  for (const auto& panel : dashboard.at("panels")) {
    for (const auto& target : panel.value("targets", nlohmann::json::array())) {
      const auto expression = target.at("expr").get<std::string>();
      INFO(expression);
      look found{expression};
      found.look_at_places(target.at("legendFormat"), shown);
      CHECK(found.faults() == "");
      expressions += expression + "\n";
    }
  }
  for (const auto& variable : dashboard.at("templating").at("list"))
    CHECK(look{variable.value("definition", "")}.faults() == "");
  const metrics all;
  for (const auto* family : all.catalogue()) {
    INFO(family->description().name);
    CHECK(expressions.find(family->description().name) != std::string::npos);
  }
}
