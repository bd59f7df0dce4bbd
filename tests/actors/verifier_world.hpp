#pragma once

#include "actors/overview.hpp"
#include "actors/reader.hpp"
#include "actors/reply.hpp"
#include "actors/verifier.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace sluice::tests {

using namespace std::chrono_literals;
namespace m = messages;

/// A node that delivers customers, and a verifier beside it.
struct verifier_world : catch_world {
  explicit verifier_world(int records, const harness::target_options& of_target = {}) {
    add_target("crm", of_target);
    add_rule();
    put_records(records);
    settle();
    advance(1h);
    REQUIRE(count_rows(core::delivery_status::delivered) == records);
    auto links = std::make_shared<actors::node_links>();
    links->recorder = recorder();
    links->courier = courier();
    links->breaker = breaker();
    links->alarm = alarm();
    links->time = &clock();
    links->settings = &settings();
    auto overview = spawn("overview", actors::overview, of_session());
    verifier = spawn("verifier", actors::verifier,
                     actors::verifier_resources{links, dispatcher(), overview,
                                                spawn("verifier's reader", actors::reader, of_session())});
  }

  actors::reader_resources of_session() {
    return {std::make_shared<storage::session>(open_session(storage::access::read)), keys(), &clock()};
  }

  template <class Message>
  core::verification told(Message message) {
    auto asked = ask<core::verification>(verifier, message);
    settle();
    return asked.value();
  }

  template <class Message>
  std::string refusal_of(Message message) {
    auto asked = ask<core::verification>(verifier, message);
    settle();
    return actors::describe(asked.error());
  }

  void start(std::optional<std::int64_t> sample = {}) { told(m::start_verify{rule_id(), sample}); }
  core::verification look() { return told(m::read_verify{rule_id()}); }

  /// Of one that meets nothing slow.
  core::verification verify(std::optional<std::int64_t> sample = {}) {
    start(sample);
    return look();
  }

  /// Asks every ten seconds, as somebody who waits does.
  core::verification await_end() {
    auto report = look();
    for (auto i = 0; i < 120 && report.phase == core::verify_phase::looking; ++i) {
      advance(10s);
      report = look();
    }
    return report;
  }

  /// Lookups take so long; whatever else is asked is answered at once.
  void slow_lookups(core::duration latency) {
    target().decide([latency](const harness::seen_call& call) -> std::optional<harness::reaction> {
      if (call.method == "GET")
        return harness::serve().after(latency);
      return std::nullopt;
    });
  }

  void stop_rule() {
    auto stopped = ask<core::stop_in_force>(
        dispatcher(), m::set_stop{{{core::stop_scope::rule, {}, rule_id()}, "a look first", "ada"}});
    settle();
    REQUIRE(stopped.answered());
  }

  std::string id_of(const std::string& source_id) { return target().object_of(source_id)->id; }

  m::verifier verifier;
};

} // namespace sluice::tests
