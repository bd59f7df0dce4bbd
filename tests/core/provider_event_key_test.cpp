#include "core/provider_event_key.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace sluice::core;

namespace {

constexpr provider_profile_id profile{7};

provider_event bounce() {
  provider_event made;
  made.provider_message_id = "m-1";
  made.type = provider_event_type::bounced;
  made.provider_type = "Bounce";
  made.occurred_at = from_us(1'767'225'600'000'000);
  return made;
}

std::string key_with(const std::function<void(provider_event&)>& change) {
  auto event = bounce();
  change(event);
  return provider_event_key(profile, event, "digest");
}

} // namespace

TEST_CASE("an event with the provider's id is known by profile and id alone") {
  const auto named = [](provider_event& event) { event.event_id = "e-1"; };
  const auto key = key_with(named);
  auto other = bounce();
  other.event_id = "e-1";
  other.provider_message_id = "m-2";
  other.provider_type = "Delivery";
  other.occurred_at.reset();
  CHECK(provider_event_key(profile, other, "another digest") == key);
  CHECK(provider_event_key({8}, other, "digest") != key);
  CHECK(key_with([](provider_event& event) { event.event_id = "e-2"; }) != key);
  CHECK(key_with([](provider_event&) {}) != key);
}

TEST_CASE("an event without an id is known by profile, message, the provider's word, time and payload") {
  std::set<std::string> keys{
      key_with([](provider_event&) {}),
      key_with([](provider_event& event) { event.provider_message_id = "m-2"; }),
      key_with([](provider_event& event) { event.provider_type = "Complaint"; }),
      key_with([](provider_event& event) { event.occurred_at.reset(); }),
      key_with([](provider_event& event) { *event.occurred_at += duration{1}; }),
      provider_event_key(profile, bounce(), "another digest"),
      provider_event_key({8}, bounce(), "digest"),
  };
  CHECK(keys.size() == 7);
  CHECK(key_with([](provider_event& event) { event.detail = "550"; }) == key_with([](provider_event&) {}));
}

TEST_CASE("how our own code reads an event's type does not make it another event") {
  CHECK(key_with([](provider_event& event) { event.type = provider_event_type::soft_bounced; })
        == key_with([](provider_event&) {}));
}

TEST_CASE("an event that names our attempt alone is told apart by it") {
  const auto with_attempt = [](const char* id) {
    return key_with([id](provider_event& event) {
      event.provider_message_id.clear();
      event.attempt_id = id;
    });
  };
  CHECK(with_attempt("a-1") == with_attempt("a-1"));
  CHECK(with_attempt("a-1") != with_attempt("a-2"));
}

TEST_CASE("no parts of an event run together into the key of another") {
  const auto key_of = [](const std::string& message, const std::string& type) {
    return key_with([&](provider_event& event) {
      event.provider_message_id = message;
      event.provider_type = type;
    });
  };
  CHECK(key_of("m-1", "sent") != key_of("m-1s", "ent"));
  for (const std::string length : {"", "0", "1", "4", "8"}) {
    const auto between = ',' + length + ':';
    CHECK(key_of("m" + between + "sent", "x") != key_of("m", "sent" + between + "x"));
  }
  CHECK(key_with([](provider_event& event) { event.event_id = std::string("a\0b", 3); })
        != key_with([](provider_event& event) { event.event_id = "a"; }));
}
