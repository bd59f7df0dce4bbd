#include "app/webhook_listener.hpp"
#include "providers/webhook_signature.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <utility>

namespace sluice::app {
namespace {

using namespace std::chrono_literals;

const std::string first_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string second_secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
const std::string other_secret = "whsec_GBkaGxwdHh8gISIjJCUmJygpKissLS4v";
const std::string body = R"({"type":"customers.updated","data":{"name":"Ann"}})";
const core::timestamp noon{std::chrono::seconds{1'700'000'000}};

/// A webhook on its way.
struct sent {
  std::string body;
  std::map<std::string, std::string> headers;
};

sent signed_webhook(const std::string& id, const std::vector<core::signing_secret>& secrets,
                    core::timestamp at = noon) {
  sent made{body, {}};
  const auto lines = providers::sign_webhook(id, made.body, secrets, at);
  REQUIRE(lines);
  for (const auto& line : *lines) {
    const auto colon = line.find(": ");
    made.headers[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return made;
}

struct world {
  explicit world(listener_plan plan = {},
                 std::vector<named_key> keys = {{"old", second_secret}, {"new", first_secret}})
      : listener{std::move(plan), std::move(keys)} {}

  arrived_webhook receive(const sent& webhook, core::timestamp at = noon) {
    return listener.receive({.method = "POST",
                             .target = "/hook",
                             .body = webhook.body,
                             .header = [&](std::string_view name) -> std::string_view {
                               const auto found = webhook.headers.find(std::string{name});
                               return found == webhook.headers.end() ? std::string_view{} : found->second;
                             }},
                            at);
  }

  /// How so many webhooks are met: "204 503 cut hang …".
  std::string reactions(int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      const auto met = receive(signed_webhook("e" + std::to_string(i), {{first_secret, {}}})).reaction;
      out += met.kind == reaction_kind::answer ? std::to_string(met.status)
             : met.kind == reaction_kind::cut  ? "cut"
                                               : "hang";
      out += ' ';
    }
    return out;
  }

  webhook_listener listener;
};

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
    ++count;
  }
  return count;
}

TEST_CASE("a webhook is told by its type, id, age and the secret its signature is by") {
  world w;
  const auto seen = w.receive(signed_webhook("e1", {{first_secret, {}}}), noon + 3s);
  CHECK(seen.type == "customers.updated");
  CHECK(seen.id == "e1");
  CHECK(seen.path == "/hook");
  CHECK(seen.age == core::duration{3s});
  CHECK(seen.signature == signature_state::good);
  CHECK(seen.signature_detail == "new");
  CHECK(seen.body == body);
  CHECK(w.receive(signed_webhook("e2", {{second_secret, {}}})).signature_detail == "old");
  CHECK(w.receive(signed_webhook("e3", {{other_secret, {}}, {first_secret, {}}})).signature_detail == "new");
}

TEST_CASE("what does not verify is shown with the reason and counted") {
  world w;
  auto changed = signed_webhook("e1", {{first_secret, {}}});
  changed.body += " ";
  CHECK(w.receive(changed).signature == signature_state::bad);
  CHECK_THAT(w.receive(signed_webhook("e2", {{other_secret, {}}})).signature_detail,
             Catch::Contains("no signature is by this key"));
  const auto old = w.receive(signed_webhook("e3", {{first_secret, {}}}, noon - 6min));
  CHECK_THAT(old.signature_detail, Catch::Contains("webhook-timestamp is more than 5m away"));
  CHECK(old.age == core::duration{6min});
  const auto bare = w.receive({body, {}});
  CHECK_THAT(bare.signature_detail, Catch::Contains("missing"));
  CHECK_FALSE(bare.age);
  CHECK(w.listener.counts().bad_signatures == 4);
  CHECK(w.listener.counts().without_id == 1);

  world without_keys{{}, {}};
  CHECK(without_keys.receive(changed).signature == signature_state::unchecked);
  CHECK(without_keys.listener.counts().bad_signatures == 0);
}

TEST_CASE("an id that comes again is a repeat, however often") {
  world w;
  CHECK(w.receive(signed_webhook("e1", {{first_secret, {}}})).times_seen == 1);
  CHECK(w.receive(signed_webhook("e2", {{first_secret, {}}})).times_seen == 1);
  CHECK(w.receive(signed_webhook("e1", {{first_secret, {}}}, noon + 1min), noon + 1min).times_seen == 2);
  CHECK(w.receive(signed_webhook("e1", {{first_secret, {}}})).times_seen == 3);
  CHECK(w.listener.counts().received == 4);
  CHECK(w.listener.counts().distinct_ids == 2);
  CHECK(w.listener.counts().repeats == 2);
}

TEST_CASE("a body that is no JSON object, or has another type, has none to show") {
  world w;
  for (const char* text : {"", "{", "[1]", "7", R"({"type":7})", R"({"data":{"type":"x"}})", "\xff"}) {
    CAPTURE(text);
    CHECK(w.receive({text, {}}).type.empty());
  }
}

TEST_CASE("failures are drawn by their shares, the same for the same seed") {
  const auto drawn = [](std::uint64_t seed) {
    return world{{.failures = {{reaction_kind::answer, 503, 0.25},
                               {reaction_kind::cut, 0, 0.25},
                               {reaction_kind::hang, 0, 0.25}},
                  .seed = seed}}
        .reactions(400);
  };
  const auto first = drawn(7);
  CHECK(first == drawn(7));
  CHECK(first != drawn(8));
  for (const char* word : {"204", "503", "cut", "hang"}) {
    CAPTURE(word);
    CHECK(count_of(first, word) > 60); // of 100
    CHECK(count_of(first, word) < 140);
  }
}

TEST_CASE("what is not drawn is met as the plan says") {
  CHECK(world{{.status = 410}}.reactions(2) == "410 410 ");
  CHECK(world{{.kind = reaction_kind::hang}}.reactions(1) == "hang ");
  CHECK(world{{.kind = reaction_kind::cut, .failures = {{reaction_kind::answer, 503, 1}}}}.reactions(2)
        == "503 503 ");
  CHECK(world{{.failures = {{reaction_kind::answer, 503, 0}}}}.reactions(2) == "204 204 ");
}

TEST_CASE("Retry-After goes with every answer but 2xx, and the latency with all") {
  const auto met = [](int status) {
    return world{{.status = status, .retry_after_seconds = 30, .latency = 40ms}}.receive({body, {}}).reaction;
  };
  CHECK(met(429).headers == "Retry-After: 30\r\n");
  CHECK(met(301).headers == "Retry-After: 30\r\n");
  CHECK(met(299).headers.empty());
  CHECK(met(204).after == core::duration{40ms});
}

TEST_CASE("the limit makes the last webhook the last") {
  world w{{.limit = 2}};
  CHECK_FALSE(w.receive({body, {}}).reaction.last);
  CHECK(w.receive({body, {}}).reaction.last);
}

TEST_CASE("a failure is read as how and share, or refused with what is allowed") {
  const auto read = parse_planned_failure("503:0.2");
  REQUIRE(read);
  CHECK(read->kind == reaction_kind::answer);
  CHECK(read->status == 503);
  CHECK(read->share == 0.2);
  CHECK(parse_planned_failure("cut:1")->kind == reaction_kind::cut);
  CHECK(parse_planned_failure("hang:0")->kind == reaction_kind::hang);
  for (const char* text : {"", "199:0.1", "600:0.1", "soon:0.1", ":0.1", "50x:0.1"}) {
    CAPTURE(text);
    CHECK_THAT(parse_planned_failure(text).error(), Catch::Contains("a status of 200 to 599, cut and hang"));
  }
  for (const char* text : {"503", "503:", "503:1.1", "503:-0.1", "503:x", "cut:0.1.2", "503:nan"}) {
    CAPTURE(text);
    CHECK_THAT(parse_planned_failure(text).error(), Catch::Contains("allowed is one of 0 to 1"));
  }
}

} // namespace
} // namespace sluice::app
