#include "core/subscription_wish.hpp"

#include <catch2/catch.hpp>

namespace sluice::core {
namespace {

using members = std::vector<std::string>;

subscription there() {
  subscription one;
  one.tenant = "acme";
  one.name = "hook";
  one.url = "https://hooks.example.com/a";
  one.filter = R"({"field":"/total","equals":1})";
  one.headers = {{"X-Team", "blue", false}, {"Authorization", "Bearer x", false}};
  one.access_accepted = false;
  one.status = subscription_status::paused;
  one.revision = 7;
  return one;
}

/// What says of it no more than has to be said.
subscription_wish same() {
  subscription_wish wish;
  wish.written = there();
  wish.written.headers.clear();
  wish.written.access_accepted = true;
  wish.written.status = subscription_status::active;
  return wish;
}

members changed_by(const subscription_wish& wish) {
  return changed_members(there(), wished_subscription(there(), wish));
}

TEST_CASE("what a wish does not say of headers, access and pause stays as it is") {
  CHECK(changed_by(same()).empty());
  const auto wished = wished_subscription(there(), same());
  CHECK(wished.headers == there().headers);
  CHECK_FALSE(wished.access_accepted);
  CHECK(wished.status == subscription_status::paused);
  CHECK(wished.revision == 7);
}

TEST_CASE("the members in which a wish differs are named") {
  auto wish = same();
  wish.written.url = "https://hooks.example.com/b";
  wish.written.event_types = {"orders.*"};
  wish.written.filter.clear();
  wish.written.ordered_by = "/id";
  wish.headers.emplace();
  wish.access_accepted = true;
  wish.paused = false;
  CHECK(changed_by(wish)
        == members{"url", "event_types", "filter", "ordered_by", "headers", "access_accepted", "paused"});
  wish = same();
  wish.written.mode = subscription_mode::pull;
  CHECK(changed_by(wish) == members{"mode"});
}

TEST_CASE("a header is the same whether or not it was said that its name carries credentials") {
  auto wish = same();
  wish.headers = there().headers;
  (*wish.headers)[1].secret = true;
  CHECK(changed_by(wish).empty());
  (*wish.headers)[0].secret = true;
  CHECK(changed_by(wish) == members{"headers"});
  wish.headers = there().headers;
  (*wish.headers)[1].value = "Bearer y";
  CHECK(changed_by(wish) == members{"headers"});
}

TEST_CASE("a subscription that was disabled is neither paused nor resumed by a wish") {
  auto disabled = there();
  disabled.status = subscription_status::disabled;
  disabled.cause = disable_cause::gone;
  for (const bool paused : {true, false}) {
    auto wish = same();
    wish.paused = paused;
    const auto wished = wished_subscription(disabled, wish);
    CHECK(wished.status == subscription_status::disabled);
    CHECK(changed_members(disabled, wished).empty());
  }
}

} // namespace
} // namespace sluice::core
