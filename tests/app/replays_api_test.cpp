#include "app/replay_commands.hpp"
#include "core/time.hpp"
#include "tests/app/subscription_world.hpp"

#include <chrono>
#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;
using namespace std::chrono_literals;

/// So far from now, as a body says it.
std::string time_text(core::duration from_now) {
  return core::to_rfc3339(
      std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now() + from_now));
}

/// A subscription whose receiver refuses everything, with dead deliveries.
struct dead_world : subscription_world {
  explicit dead_world(int events = 2) : hook(made_push()) {
    for (int n = 0; n < events; ++n)
      publish("orders.paid");
    (void)dead_with(events, 1);
  }

  /// Its dead deliveries, once there are so many of so many attempts.
  [[nodiscard]] json dead_with(int deliveries, int attempts) const {
    return ask_until(path_of(hook, "/deliveries?state=dead"), [&](const json& page) {
      auto found = 0;
      for (const auto& one : page.at("deliveries"))
        found += one.at("attempts") == attempts ? 1 : 0;
      return found == deliveries;
    });
  }

  [[nodiscard]] api::client::answer replay(json wanted) const {
    wanted.emplace("from", time_text(-1h));
    return ask("POST", path_of(hook, "/replays"), wanted);
  }

  /// Waits until the replay has ended.
  [[nodiscard]] json ended(const json& job) const {
    return ask_until(path_of(hook, "/replays/" + job.at("id").get<std::string>()),
                     [](const json& now) { return now.at("ended_at").is_string(); });
  }

  json hook;
};

TEST_CASE("a window is counted, replayed and shown with its progress") {
  dead_world w;
  CHECK(w.replay({{"count_only", true}}).document == json{{"count", 2}});
  CHECK(w.replay({{"count_only", true}, {"states", {"delivered"}}}).document == json{{"count", 0}});
  CHECK(w.replay({{"count_only", true}, {"to", time_text(-50min)}}).document == json{{"count", 0}});
  CHECK(w.ask("GET", w.path_of(w.hook, "/replays")).document.at("replays").empty());

  const auto begun = w.replay({{"states", {"dead", "failed"}}, {"by", "ann"}});

  CHECK(begun.status == 202);
  CHECK(begun.document.at("counted") == 2);
  CHECK(begun.document.at("states") == json{"failed", "dead"});
  CHECK(begun.document.at("started_by") == "ann");
  const auto job = w.ended(begun.document);
  CHECK(job.at("ending") == "completed");
  CHECK(job.at("done") == 2);
  CHECK(job.at("ended_by").is_null());
  (void)w.dead_with(2, 2); // pushed again, and refused again
  const auto listed = w.ask("GET", w.path_of(w.hook, "/replays?limit=1")).document;
  CHECK(listed.at("replays") == json::array({job}));
  CHECK(listed.at("next_before").is_number());
  const auto entries = w.ask("GET", "/v1/audit?act=start_replay").document.at("entries");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].at("by") == "ann");
  CHECK(entries[0].at("count") == 2);
  CHECK(entries[0].at("details").at("replay") == job.at("id"));
}

TEST_CASE("a replay names a window that is allowed and states that are replayed") {
  dead_world w{1};
  const auto detail = [&](const json& wanted) {
    const auto refused = w.replay(wanted);
    CHECK(refused.status == 422);
    return refused.document.at("detail").get<std::string>();
  };
  CHECK(w.ask("POST", w.path_of(w.hook, "/replays"), json::object()).status == 422);
  CHECK(detail({{"states", {"skipped_filter"}}}).find("recorded as filtered out") != std::string::npos);
  CHECK(detail({{"states", {"pending"}}}).find("waiting to be sent already") != std::string::npos);
  CHECK(detail({{"states", {"strange"}}}).find("delivered, retrying, failed or dead") != std::string::npos);
  CHECK(detail({{"states", json::array()}}).find("one state at least") != std::string::npos);
  CHECK(detail({{"from", "yesterday"}}).find("must be a time") != std::string::npos);
  CHECK(detail({{"to", time_text(-2h)}}).find("must lie before") != std::string::npos);
  CHECK(detail({{"from", time_text(-24h * 31)}}).find("at most 30d") != std::string::npos);
  CHECK(detail({{"all", true}}).find("all") != std::string::npos);
  CHECK(w.ask("GET", w.path_of(w.hook, "/replays/nobody")).status == 404);
  CHECK(w.ask("POST", w.path_of(w.hook, "/replays/nobody/cancel"), json::object()).status == 404);
  CHECK(w.ask("GET", "/v1/subscriptions/nobody/replays").status == 404);
}

TEST_CASE("a replay that has ended is not cancelled, and whoever only looks begins none") {
  dead_world w{1};
  const auto job = w.ended(w.replay({}).document);
  const auto path = w.path_of(w.hook, "/replays/" + job.at("id").get<std::string>());
  const auto refused = w.ask("POST", path + "/cancel", json::object());
  CHECK(refused.status == 409);
  CHECK(refused.document.at("detail").get<std::string>().find("completed") != std::string::npos);
  const auto viewer = w.token({{"name", "looks"}, {"role", "viewer"}, {"tenants", {"acme"}}});
  const auto as_viewer = [&](const std::string& method, const std::string& target) {
    return tests::http_client{w.port()}
        .send(method, target, method == "POST" ? "{}" : "", "Authorization: Bearer " + viewer + "\r\n")
        .status;
  };
  CHECK(as_viewer("GET", path) == 200);
  CHECK(as_viewer("POST", path + "/cancel") == 403);
  CHECK(as_viewer("POST", w.path_of(w.hook, "/replays")) == 403);
}

TEST_CASE("a window is replayed by command, and replays are shown and ended by it") {
  dead_world w;
  replay_options options;
  options.subscription = "hook";
  options.from = time_text(-1h);
  options.to = time_text(-50min);
  CHECK(replay_window(w.context, options) == exit_ok); // there is nothing to do
  options.to.clear();
  CHECK(replay_window(w.context, options) == exit_refused); // nobody to ask
  CHECK(w.ask("GET", w.path_of(w.hook, "/replays")).document.at("replays").empty());
  options.yes = true;
  CHECK(replay_window(w.context, options) == exit_ok);
  (void)w.dead_with(2, 2);
  options.states = {"dead"};
  options.no_wait = true;
  CHECK(replay_window(w.context, options) == exit_ok);
  (void)w.dead_with(2, 3);
  const auto replays = w.ask("GET", w.path_of(w.hook, "/replays")).document.at("replays");
  REQUIRE(replays.size() == 2);
  CHECK(list_replays(w.context, "hook") == exit_ok);
  CHECK(cancel_replay(w.context, "hook", replays[0].at("id").get<std::string>()) == exit_refused);
  CHECK(cancel_replay(w.context, "hook", "nobody") == exit_refused);
  options.states = {"skipped_filter"};
  CHECK(replay_window(w.context, options) == exit_refused);
  options.subscription = "nobody";
  CHECK(replay_window(w.context, options) == exit_refused);
  CHECK(list_replays(w.context, "nobody") == exit_refused);
}

} // namespace
} // namespace sluice::app
