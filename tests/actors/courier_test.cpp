#include "actors/courier.hpp"
#include "harness/mocks.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

constexpr core::connection_id crm{2};
constexpr core::rule_id customers{1};
constexpr core::rule_id orders{2};

struct courier_world : tests::catch_world {
  courier_world()
      : catch_world({.node = false}),
        courier(spawn("courier", actors::courier, actors::courier_resources{factory()})),
        asker(mock<m::call_asker>("asker")) {
    asker.accept<m::calls_answered>();
    target.take(1s);
  }

  actors::transport_factory factory() {
    return [this](providers::transport::answer_sink sink) {
      auto made = std::make_unique<harness::scripted_transport>(
          harness::transport_settings_of(settings()), clock(),
          [this](const core::outbound_call&) { return &target; }, std::move(sink),
          [](harness::scripted_transport&) {});
      transport = made.get();
      return made;
    };
  }

  void place(core::rule_id rule, std::uint64_t first, std::uint64_t count) {
    place_for(asker, core::call_purpose::delivery, rule, first, count);
  }

  void place_for(const harness::mock_call_asker& whom, core::call_purpose purpose, core::call_owner owner,
                 std::uint64_t first, std::uint64_t count) {
    m::place_calls ask{whom.actor(), {}};
    core::http_request request;
    request.method = "POST";
    request.url = "https://crm.example.com/customers";
    request.body = "{}";
    for (auto id = first; id < first + count; ++id)
      ask.calls.push_back({{id, purpose}, owner, crm, request});
    inject(std::move(ask)).from(whom).to(courier);
    settle();
  }

  void pass(core::duration time) {
    advance(time);
    transport->pump();
    settle();
  }

  template <class Message>
  void tell(Message message) {
    inject(std::move(message)).from(asker).to(courier);
    settle();
  }

  [[nodiscard]] std::vector<core::call_answer> answers() const {
    std::vector<core::call_answer> all;
    for (auto& group : asker.got<m::calls_answered>())
      all.insert(all.end(), group.answers.begin(), group.answers.end());
    return all;
  }

  [[nodiscard]] std::size_t unattempted() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        answers(), [](const auto& each) { return each.answer.error == core::call_error::unattempted; }));
  }

  harness::scripted_target target{"crm", {}};
  harness::scripted_transport* transport = nullptr;
  m::courier courier;
  harness::mock_call_asker asker;
};

} // namespace

TEST_CASE("every call placed is answered once, in groups, a group an asker's rule") {
  courier_world w;
  w.place(customers, 1, 3);
  w.place(orders, 1, 2);

  w.pass(1s);

  CHECK(w.answers().size() == 5);
  for (const auto& group : w.asker.got<m::calls_answered>()) {
    for (const auto& each : group.answers)
      CHECK(each.owner == group.answers.front().owner);
  }
  CHECK(w.asker.got<m::calls_answered>().size() == 2);
}

TEST_CASE("withdrawn calls that have not started come back unattempted, those in flight finish") {
  courier_world w;
  w.place(customers, 1, 20);
  auto in_flight = static_cast<std::size_t>(w.settings().calls.max_in_flight);

  w.tell(m::withdraw_calls{customers});
  CHECK(w.unattempted() == 20 - in_flight);

  w.pass(1s);
  CHECK(w.answers().size() == 20);
  CHECK(w.target.calls().size() == in_flight);
}

TEST_CASE("a rule is quiet once its last call is answered") {
  courier_world w;
  w.place(customers, 1, 2);
  w.place(orders, 1, 1);

  auto quiet = w.ask<void>(w.courier, m::await_quiet{customers});
  w.settle();
  CHECK_FALSE(quiet.answered());

  w.pass(1s);
  CHECK(quiet.answered());
}

TEST_CASE("a rule without calls is quiet at once") {
  courier_world w;

  auto quiet = w.ask<void>(w.courier, m::await_quiet{customers});
  w.settle();

  CHECK(quiet.answered());
}

TEST_CASE("after a stop no call starts, and what is placed comes back unattempted") {
  courier_world w;
  w.place(customers, 1, 10);
  w.tell(m::stop_calls{});
  w.place(customers, 11, 5);

  w.pass(1min);

  CHECK(w.target.calls().size() == static_cast<std::size_t>(w.settings().calls.max_in_flight));
  CHECK(w.unattempted() == 7);
  CHECK(w.answers().size() == 15);
}

TEST_CASE("a stop is acknowledged once nothing starts within it, and what is placed there comes back") {
  courier_world w;
  w.place(customers, 1, 20);
  w.place(orders, 1, 2);
  auto in_flight = static_cast<std::size_t>(w.settings().calls.max_in_flight) + 2;

  auto acknowledged = w.ask<void>(w.courier, m::stop_scope{{core::stop_scope::rule, {}, customers}});
  w.settle();
  REQUIRE(acknowledged.answered());
  w.place(customers, 21, 5);
  w.place(orders, 3, 1);
  w.pass(1min);

  CHECK(w.target.calls().size() == in_flight + 1);
  CHECK(w.unattempted() == 20 - 8 + 5);
  CHECK(w.answers().size() == 28);
}

TEST_CASE("a stop that is lifted lets calls start again, where no other stop holds them") {
  courier_world w;
  w.tell(m::stop_scope{{core::stop_scope::global, {}, {}}});
  w.tell(m::stop_scope{{core::stop_scope::connection, crm, {}}});

  w.tell(m::resume_scope{{core::stop_scope::global, {}, {}}});
  w.place(customers, 1, 1);
  CHECK(w.unattempted() == 1);

  w.tell(m::resume_scope{{core::stop_scope::connection, crm, {}}});
  w.place(customers, 2, 1);
  w.pass(1s);
  CHECK(w.target.calls().size() == 1);
}

TEST_CASE("a rule's looks and its deliveries are answered apart, and looks keep no dead rule from starting") {
  courier_world w;
  auto looker = w.mock<m::call_asker>("looker");
  looker.accept<m::calls_answered>();
  w.place(customers, 1, 1);
  w.place_for(looker, core::call_purpose::verification, customers, 1, 2);
  w.place_for(looker, core::call_purpose::verification, orders, 1, 1);

  auto quiet = w.ask<void>(w.courier, m::await_quiet{orders});
  w.settle();
  CHECK(quiet.answered());

  w.pass(1s);
  CHECK(w.answers().size() == 1);
  std::size_t looks = 0;
  for (const auto& group : looker.got<m::calls_answered>())
    looks += group.answers.size();
  CHECK(looks == 3);
}

TEST_CASE("a rule and a subscription of one number are answered apart and stopped apart") {
  courier_world w;
  const core::subscription_id subscription{customers.value};
  auto pusher = w.mock<m::call_asker>("pusher");
  pusher.accept<m::calls_answered>();
  w.tell(m::stop_scope{{core::stop_scope::subscription, {}, {}, subscription}});
  w.place(customers, 1, 2);
  w.place_for(pusher, core::call_purpose::delivery, subscription, 1, 2);

  auto quiet = w.ask<void>(w.courier, m::await_quiet{subscription});
  w.settle();
  CHECK(quiet.answered());
  const auto told = pusher.got<m::calls_answered>();
  REQUIRE(told.size() == 1);
  for (const auto& each : told.front().answers)
    CHECK(each.answer.error == core::call_error::unattempted);
  w.pass(1s);
  for (const auto& each : w.answers())
    CHECK(each.answer.error == core::call_error::none);
  CHECK(w.answers().size() == 2);
}
