#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using core::call_error;

namespace {

std::size_t count_of(const std::vector<core::call_answer>& answers, call_error error) {
  return static_cast<std::size_t>(
      std::ranges::count_if(answers, [error](const auto& one) { return one.answer.error == error; }));
}

} // namespace

TEST_CASE("after stop_starting nothing starts, and what is in flight finishes") {
  test_server server({answer(200)});
  server.hold();
  auto settings = loopback_settings();
  settings.max_in_flight_rule = 1;
  transport_world world(settings);
  for (int i = 0; i < 3; ++i)
    world.submit(make_request("POST", server.url(), "x"));
  REQUIRE(server.wait_for_requests(1));
  world.transport().stop_starting();
  world.submit(make_request("POST", server.url(), "late"));
  const auto held = world.answers(3);
  REQUIRE(held.size() == 3);
  CHECK(count_of(held, call_error::unattempted) == 3);
  CHECK_FALSE(held[0].answer.may_have_arrived());

  server.release();
  const auto all = world.answers(4);
  REQUIRE(all.size() == 4);
  CHECK(all.back().answer.status == 200);
  CHECK(all.back().id.value == 1);
  CHECK(server.requests().size() == 1);
}

TEST_CASE("withdrawing a rule holds back its waiting calls and nobody else's") {
  test_server server({answer(200)});
  server.hold();
  auto settings = loopback_settings();
  settings.max_in_flight_connection = 1;
  transport_world world(settings);
  world.submit(make_request("POST", server.url("/first"), "x"), 1);
  REQUIRE(server.wait_for_requests(1));
  world.submit(make_request("POST", server.url("/held"), "x"), 1);
  world.submit(make_request("POST", server.url("/other"), "x"), 2);
  world.transport().withdraw(core::rule_id{1});
  const auto held = world.answers(1);
  REQUIRE(held.size() == 1);
  CHECK(held[0].id.value == 2);
  CHECK(held[0].answer.error == call_error::unattempted);

  server.release();
  REQUIRE(world.answers(3).size() == 3);
  const auto seen = server.requests();
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].head.starts_with("POST /other "));
}

TEST_CASE("within a stop nothing starts from its setting to its lifting, what is in flight finishes") {
  test_server server({answer(200)});
  server.hold();
  auto settings = loopback_settings();
  settings.max_in_flight_connection = 32;
  settings.max_in_flight_rule = 32;
  transport_world world(settings);
  std::vector<core::outbound_call> calls;
  for (int i = 0; i < 1000; ++i)
    calls.push_back(world.make_call(make_request("POST", server.url("/stopped"), "x"), 1, 1));
  world.transport().submit(std::move(calls));
  REQUIRE(server.wait_for_requests(32));

  const core::stop_target stop{core::stop_scope::connection, core::connection_id{1}, {}};
  world.transport().set_stop(stop);
  server.release();
  world.submit(make_request("POST", server.url("/stopped"), "late"), 1, 1);
  world.submit(make_request("POST", server.url("/other"), "x"), 2, 2);
  const auto all = world.answers(1002);
  REQUIRE(all.size() == 1002);
  CHECK(count_of(all, call_error::unattempted) == 969);
  CHECK(server.requests().size() == 33);

  world.transport().lift_stop(stop);
  world.submit(make_request("POST", server.url("/resumed"), "x"), 1, 1);
  REQUIRE(world.answers(1003).size() == 1003);
  CHECK(server.requests().back().head.starts_with("POST /resumed "));
}

TEST_CASE("calls of one rule start in the order they were submitted") {
  test_server server({answer(200)});
  auto settings = loopback_settings();
  settings.max_in_flight_rule = 1;
  transport_world world(settings);
  std::vector<core::outbound_call> calls;
  for (int i = 0; i < 50; ++i)
    calls.push_back(world.make_call(make_request("GET", server.url("/" + std::to_string(i)))));
  world.transport().submit(std::move(calls));
  REQUIRE(world.answers(50).size() == 50);
  const auto seen = server.requests();
  for (std::size_t i = 0; i < seen.size(); ++i)
    CHECK(seen[i].head.starts_with("GET /" + std::to_string(i) + " "));
}

TEST_CASE("no more calls are out than the limits say") {
  test_server server({answer(200)});
  server.hold();
  auto settings = loopback_settings();
  settings.max_in_flight_rule = 2;
  settings.max_in_flight_connection = 3;
  settings.max_in_flight_total = 5;
  transport_world world(settings);
  for (std::int64_t i = 0; i < 40; ++i)
    world.submit(make_request("GET", server.url()), i % 4 + 1, i % 2 + 1);
  REQUIRE(server.wait_for_requests(5));
  server.release();
  CHECK(world.answers(40).size() == 40);
  CHECK(server.most_at_once() <= 5);
}

TEST_CASE("every call is answered once, whoever submits and however many are out") {
  test_server server({answer(200, "ok")});
  auto settings = loopback_settings();
  settings.max_in_flight_rule = 64;
  settings.max_in_flight_connection = 64;
  transport_world world(settings);
  constexpr int askers = 3;
  constexpr int batches = 10;
  constexpr int batch_size = 40;
  std::vector<std::vector<core::outbound_call>> prepared;
  for (int i = 0; i < askers * batches; ++i) {
    auto& batch = prepared.emplace_back();
    for (int k = 0; k < batch_size; ++k)
      batch.push_back(world.make_call(make_request("POST", server.url(), "x"), i % 7 + 1));
  }
  std::vector<std::thread> threads;
  for (int asker = 0; asker < askers; ++asker)
    threads.emplace_back([&, asker] {
      for (int i = 0; i < batches; ++i)
        world.transport().submit(std::move(prepared[static_cast<std::size_t>(asker * batches + i)]));
    });
  for (auto& thread : threads)
    thread.join();

  constexpr std::size_t total = askers * batches * batch_size;
  const auto all = world.answers(total);
  REQUIRE(all.size() == total);
  std::set<std::uint64_t> ids;
  for (const auto& one : all)
    ids.insert(one.id.value);
  CHECK(ids.size() == total);
  CHECK(std::ranges::all_of(all, [](const auto& one) { return one.answer.status == 200; }));
  CHECK(std::ranges::all_of(
      world.group_sizes(), [&](std::size_t size) { return size >= 1 && size <= settings.answer_group_max; }));
  CHECK(world.group_sizes().size() < total / 2);
}

TEST_CASE("more than 256 calls can be out at once") {
  test_server server({answer(200)});
  server.hold();
  auto settings = loopback_settings();
  settings.max_in_flight_rule = settings.max_in_flight_connection = settings.max_in_flight_total = 300;
  transport_world world(settings);
  for (int i = 0; i < 300; ++i)
    world.submit(make_request("GET", server.url()));
  REQUIRE(server.wait_for_requests(300));
  server.release();
  const auto all = world.answers(300);
  REQUIRE(all.size() == 300);
  CHECK(count_of(all, call_error::none) == 300);
}

TEST_CASE("destroying the transport answers what is in flight and what waits, and waits for no peer") {
  test_server server({reaction{.bytes = {}, .chunk = {}, .then = reaction::end::hang}});
  auto settings = loopback_settings();
  settings.max_in_flight_rule = 2;
  transport_world world(settings);
  for (int i = 0; i < 5; ++i)
    world.submit(make_request("POST", server.url(), "x"));
  REQUIRE(server.wait_for_requests(2));
  const auto before = std::chrono::steady_clock::now();
  world.destroy_transport();
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds{5});
  const auto all = world.answers(5);
  REQUIRE(all.size() == 5);
  CHECK(count_of(all, call_error::cut) == 2);
  CHECK(count_of(all, call_error::unattempted) == 3);
}
