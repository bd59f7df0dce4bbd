#include "harness/scripted_target.hpp"
#include "harness/scripted_transport.hpp"
#include "harness/virtual_clock.hpp"
#include "providers/writer.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using core::operation;
using harness::scripted_target;

namespace {

/// A target, its writer and a transport between them.
struct target_world {
  explicit target_world(harness::target_options options = {})
      : target("crm", options), transport(
                                    limits(), clock, [this](const core::outbound_call&) { return &target; },
                                    [this](std::vector<core::call_answer> group) { take(std::move(group)); },
                                    [](harness::scripted_transport&) {}) {
    core::connection connection;
    connection.driver = "rest";
    connection.settings = target.settings_text();
    connection.credentials = target.credentials_text();
    writer = providers::make_writer(connection, "customers").value();
  }

  static providers::transport_settings limits() {
    providers::transport_settings made;
    made.max_in_flight_rule = 2;
    made.answer_group_max = 3;
    return made;
  }

  void call(operation op, std::string_view remote_id = {}, std::string body = {}, std::string_view key = {}) {
    auto request = writer->build({op, "c-1", remote_id, key, {}}, std::move(body), {});
    transport.submit({{{++placed}, core::rule_id{1}, {2}, std::move(request)}});
  }

  core::outcome outcome(operation op, std::string_view remote_id = {}, std::string body = {},
                        std::string_view key = {}) {
    call(op, remote_id, std::move(body), key);
    return writer->read({op, "c-1", remote_id, key, {}}, answers.back().answer);
  }

  void take(std::vector<core::call_answer> group) {
    groups.push_back(group.size());
    answers.insert(answers.end(), group.begin(), group.end());
  }

  void pass(core::duration time) {
    clock.move_to(clock.steady() + time);
    transport.pump();
  }

  harness::virtual_clock clock{core::timestamp{}};
  scripted_target target;
  std::vector<core::call_answer> answers;
  std::vector<std::size_t> groups;
  std::uint64_t placed = 0;
  harness::scripted_transport transport;
  std::shared_ptr<const providers::writer> writer;
};

const std::string body = R"({"external_id":"c-1","email":"a@example.com"})";

} // namespace

TEST_CASE("by itself a target makes, finds, changes and removes objects") {
  target_world w;

  auto made = w.outcome(operation::create, {}, body, "key-1");
  REQUIRE(made.kind == core::outcome_kind::accepted);
  CHECK(w.outcome(operation::lookup).remote_id == made.remote_id);
  CHECK(w.outcome(operation::update, made.remote_id, R"({"email":"b@example.com"})").kind
        == core::outcome_kind::accepted);
  CHECK(w.target.object_of("c-1")->writes == 2);
  CHECK(w.outcome(operation::deactivate, made.remote_id, R"({"active":false})").kind
        == core::outcome_kind::accepted);
  CHECK_FALSE(w.target.object_of("c-1")->active);
  CHECK(w.outcome(operation::remove, made.remote_id).kind == core::outcome_kind::accepted);
  CHECK(w.outcome(operation::remove, made.remote_id).kind == core::outcome_kind::gone);
  CHECK(w.outcome(operation::lookup).kind == core::outcome_kind::gone);
}

TEST_CASE("a repeat under one key is one creation") {
  target_world w;

  auto first = w.outcome(operation::create, {}, body, "key-1");
  auto second = w.outcome(operation::create, {}, body, "key-1");

  CHECK(first.remote_id == second.remote_id);
  CHECK(w.target.objects().size() == 1);
}

TEST_CASE("reactions are used up in their order, then the target serves") {
  target_world w;
  w.target.next(harness::answer(503));
  w.target.next(harness::rate_limit("7"));

  CHECK(w.outcome(operation::create, {}, body).kind == core::outcome_kind::transient);
  CHECK(w.outcome(operation::create, {}, body).wait == 7s);
  CHECK(w.outcome(operation::create, {}, body).kind == core::outcome_kind::accepted);
}

TEST_CASE("a lost reply leaves its object behind, a cut call does not") {
  target_world w;
  w.target.next(harness::lose_the_reply());
  w.target.next(harness::cut_the_call());

  CHECK(w.outcome(operation::create, {}, body).kind == core::outcome_kind::ambiguous);
  CHECK(w.target.objects().size() == 1);
  CHECK(w.outcome(operation::create, {}, body).kind == core::outcome_kind::ambiguous);
  CHECK(w.target.objects().size() == 1);
}

TEST_CASE("an answer comes when its latency is over, a hanging call ends at the timeout") {
  target_world w;
  w.target.next(harness::serve().after(2s));
  w.target.next(harness::hang());
  w.call(operation::create, {}, body);
  w.call(operation::create, {}, body);

  w.pass(2s - 1us);
  CHECK(w.answers.empty());
  w.pass(1us);
  REQUIRE(w.answers.size() == 1);
  CHECK(w.answers.front().answer.took == 2s);
  w.pass(28s);
  REQUIRE(w.answers.size() == 2);
  CHECK(w.answers.back().answer.error == core::call_error::timed_out);
}

TEST_CASE("no more calls of a rule are out than the limit, in their order, answered in groups") {
  target_world w;
  w.target.take(1s);
  for (int i = 0; i < 7; ++i)
    w.call(operation::create, {}, body);
  CHECK(w.target.calls().size() == 2);
  CHECK(w.transport.in_flight() == 2);

  for (int i = 0; i < 4; ++i)
    w.pass(1s);

  CHECK(w.groups == std::vector<std::size_t>{2, 2, 2, 1});
  for (std::size_t i = 0; i < w.answers.size(); ++i)
    CHECK(w.answers[i].id.value == i + 1);
}

TEST_CASE("a refused connection never reaches the target") {
  target_world w;
  w.target.next(harness::refuse_the_connection());

  CHECK(w.outcome(operation::create, {}, body).kind == core::outcome_kind::transient);
  CHECK(w.target.calls().empty());
}

TEST_CASE("the densest span of calls is found, with both its ends") {
  target_world w;
  for (auto gap : {0s, 10s, 10s, 40s, 1s, 60s}) {
    w.pass(gap);
    w.call(operation::lookup);
  }

  CHECK(w.target.most_calls_within(0s) == 1);
  CHECK(w.target.most_calls_within(20s) == 3);
  CHECK(w.target.most_calls_within(60s) == 4);
}
