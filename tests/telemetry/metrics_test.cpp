#include "telemetry/exposition.hpp"
#include "telemetry/metrics.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace sluice;
using namespace sluice::telemetry;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

/// The value of the one line that begins so; empty where there is none.
std::string value_of(const std::string& text, const std::string& series) {
  const auto at = ("\n" + text).find("\n" + series + " ");
  if (at == std::string::npos)
    return {};
  const auto begin = at + series.size() + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

constexpr core::timestamp now = core::from_us(1'700'000'000'000'000);

} // namespace

TEST_CASE("names are unique and say their unit and type as Prometheus has it") {
  const metrics of;
  std::set<std::string_view> names;
  for (const auto* family : of.catalogue()) {
    const auto& [name, unit, help] = family->description();
    INFO(name);
    CHECK(names.insert(name).second);
    CHECK(name.starts_with("sluice_"));
    CHECK(name.ends_with("_total") == (family->type() == metric_type::counter));
    CHECK((unit != "seconds" || name.ends_with("_seconds")));
    CHECK(help.ends_with("."));
  }
  CHECK(names.size() > 20);
}

TEST_CASE("every label has as many words as values, each its own") {
  const metrics of;
  for (const auto* family : of.catalogue()) {
    for (const auto& label : family->labels()) {
      INFO(family->description().name << " " << label.name);
      CHECK(label.words.empty() == !label.bound.empty());
      const std::set<std::string_view> different{label.words.begin(), label.words.end()};
      CHECK(different.size() == label.words.size());
      CHECK_FALSE(different.contains("unknown"));
    }
  }
  CHECK(core::to_string(static_cast<core::operation>(label_of<core::operation>::count)) == "unknown");
  CHECK(core::to_string(static_cast<core::outcome_kind>(label_of<core::outcome_kind>::count)) == "unknown");
  CHECK(core::to_string(static_cast<core::action>(label_of<core::action>::count)) == "unknown");
  CHECK(core::to_string(static_cast<core::call_error>(label_of<core::call_error>::count)) == "unknown");
  CHECK(core::to_string(static_cast<core::circuit_state>(label_of<core::circuit_state>::count)) == "unknown");
  CHECK(core::to_string(static_cast<core::run_ending>(label_of<core::run_ending>::count)) == "unknown");
}

TEST_CASE("a count stands under the words of its labels and nowhere else") {
  metrics of;
  of.deliveries(core::operation::remove, core::outcome_kind::gone).add(3);
  of.deliveries(core::operation::create, core::outcome_kind::accepted).add();
  const auto text = exposition_of(of);
  CHECK(value_of(text, R"(sluice_deliveries_total{operation="delete",outcome="gone"})") == "3");
  CHECK(value_of(text, R"(sluice_deliveries_total{operation="create",outcome="accepted"})") == "1");
  CHECK(value_of(text, R"(sluice_deliveries_total{operation="create",outcome="gone"})") == "0");
  CHECK_THAT(text, Contains("# TYPE sluice_deliveries_total counter\n"));
  CHECK_THAT(text, Contains("# HELP sluice_deliveries_total Calls that came back"));
}

TEST_CASE("a histogram is told with cumulative buckets") {
  metrics of;
  of.call_duration.observe(0.002);
  of.call_duration.observe(0.2);
  of.call_duration.observe(100);
  const auto text = exposition_of(of);
  CHECK(value_of(text, R"(sluice_call_duration_seconds_bucket{le="0.001"})") == "0");
  CHECK(value_of(text, R"(sluice_call_duration_seconds_bucket{le="0.0025"})") == "1");
  CHECK(value_of(text, R"(sluice_call_duration_seconds_bucket{le="60"})") == "2");
  CHECK(value_of(text, R"(sluice_call_duration_seconds_bucket{le="+Inf"})") == "3");
  CHECK(value_of(text, "sluice_call_duration_seconds_count") == "3");
  CHECK(value_of(text, "sluice_call_duration_seconds_sum").starts_with("100.2"));
}

TEST_CASE("connections beyond the limit share a label, and no two labels are ever the same") {
  metrics of{2};
  const core::connection_id crm{11}, mailer{12}, shop{13}, depot{14};
  of.throttle_blocks.of(crm)().add(1);
  of.throttle_blocks.of(mailer)().add(2);
  of.throttle_blocks.of(shop)().add(4);
  of.throttle_blocks.of(depot)().add(8);
  CHECK(of.connections.known() == std::vector{crm, mailer});
  auto text = exposition_of(of);
  CHECK(value_of(text, R"(sluice_throttle_blocks_total{connection="11"})") == "1");
  CHECK(value_of(text, R"(sluice_throttle_blocks_total{connection="other"})") == "12");

  of.connections.rename({{crm, "other"}, {mailer, "a \"b\"\n\\"}, {shop, "shop"}});
  text = exposition_of(of);
  CHECK(value_of(text, R"x(sluice_throttle_blocks_total{connection="other (11)"})x") == "1");
  CHECK(value_of(text, R"(sluice_throttle_blocks_total{connection="a \"b\"\n\\"})") == "2");
  CHECK(value_of(text, R"(sluice_throttle_blocks_total{connection="other"})") == "12");

  of.connections.rename({{mailer, "11"}});
  text = exposition_of(of);
  CHECK(value_of(text, R"(sluice_throttle_blocks_total{connection="11"})") == "1");
  CHECK(value_of(text, R"x(sluice_throttle_blocks_total{connection="11 (12)"})x") == "2");
}

TEST_CASE("a connection's row is found once and stays valid") {
  metrics of;
  auto& first = of.circuits.of({1});
  for (auto id = 2; id < 90; ++id)
    (void)of.circuits.of({id});
  first(core::circuit_state::open).add(1);
  CHECK(value_of(exposition_of(of), R"(sluice_circuits{connection="1",state="open"})") == "1");
}

TEST_CASE("requests are counted by route and class of status, and those without a route together") {
  metrics of;
  of.api_requests.set_routes({{"GET", "/v1/rules/{rule}"}, {"POST", "/v1/stops"}});
  of.api_requests.of(0, 200).add();
  of.api_requests.of(0, 404).add();
  of.api_requests.of(1, 201).add();
  of.api_requests.of(2, 401).add();
  of.api_requests.of(99, 418).add();
  const auto text = exposition_of(of);
  const std::string name = "sluice_api_requests_total";
  CHECK(value_of(text, name + R"({route="/v1/rules/{rule}",method="GET",status="2xx"})") == "1");
  CHECK(value_of(text, name + R"({route="/v1/rules/{rule}",method="GET",status="4xx"})") == "1");
  CHECK(value_of(text, name + R"({route="/v1/stops",method="POST",status="2xx"})") == "1");
  CHECK(value_of(text, name + R"({route="none",method="none",status="4xx"})") == "2");
  CHECK(value_of(text, name + R"({route="/v1/stops",method="POST",status="5xx"})").empty());
}

TEST_CASE("what only the database knows is shown while it answers, and not when it does not") {
  metrics of;
  of.lease_granted(10s);
  core::rule_survey found;
  found.in_state[static_cast<std::size_t>(core::rule_state::stale)] = 4;
  found.oldest_due = now - 90s;
  found.heartbeat_at = now - 2s;
  of.refresh(&found, now, 13s);
  auto text = exposition_of(of);
  CHECK(value_of(text, R"(sluice_rules{state="stale"})") == "4");
  CHECK(value_of(text, "sluice_oldest_due_age_seconds") == "90");
  CHECK(value_of(text, "sluice_heartbeat_age_seconds") == "2");
  CHECK(value_of(text, "sluice_lease_age_seconds") == "3");
  CHECK(value_of(text, "sluice_database_up") == "1");

  of.refresh(nullptr, now, 14s);
  text = exposition_of(of);
  CHECK(value_of(text, R"(sluice_rules{state="stale"})").empty());
  CHECK(value_of(text, "sluice_oldest_due_age_seconds").empty());
  CHECK(value_of(text, "sluice_heartbeat_age_seconds").empty());
  CHECK(value_of(text, "sluice_lease_age_seconds") == "4");
  CHECK(value_of(text, "sluice_database_up") == "0");
}

TEST_CASE("a wall clock that was set back makes nothing younger than now") {
  metrics of;
  core::rule_survey found;
  found.heartbeat_at = now + 60s;
  of.refresh(&found, now, 1s);
  CHECK(value_of(exposition_of(of), "sluice_heartbeat_age_seconds") == "0");
  CHECK(value_of(exposition_of(of), "sluice_oldest_due_age_seconds") == "0");
}
