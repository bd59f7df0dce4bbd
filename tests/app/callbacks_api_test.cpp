#include "providers/webhook_signature.hpp"
#include "storage/callback_refusals.hpp"
#include "storage/provider_events.hpp"
#include "storage/provider_profiles.hpp"
#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::http_client;
using tests::node_world;

constexpr auto nobody = "/v1/callbacks/01890a5d-ac96-774b-bcce-b302099a8057";

constexpr auto secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A node with the webhook provider's profile "hook".
struct callback_node : node_world {
  callback_node()
      : node_world({}, [](auto& settings) { settings.keys.keys = {"one:" + std::string(64, '5')}; }) {
    core::provider_profile wanted;
    wanted.tenant = "acme";
    wanted.name = "hook";
    wanted.provider = core::provider_kind::webhook;
    wanted.settings = R"({"url": "https://receiver.example/send"})";
    wanted.credentials = R"({"secrets": [")" + std::string{secret} + R"("]})";
    auto db = app::open_session(context, storage::access::write).value();
    const auto keys = app::open_keys(context.settings).value();
    const auto made = storage::transact(db, [&](storage::session& open) {
      return storage::make_profile(open, wanted, keys, app::wall_now());
    });
    REQUIRE(made);
    path = "/v1/callbacks/" + made->profile.public_id;
  }

  /// The status of the answer to a callback that is signed, with the body that is sent.
  int post(const std::string& signed_body, const std::string& sent_body) const {
    const std::vector<core::signing_secret> secrets{{.text = secret, .expires_at = std::nullopt}};
    const auto lines = providers::sign_webhook("e-1", signed_body, secrets, app::wall_now());
    std::string headers = "Content-Type: application/json\r\n";
    for (const auto& line : lines.value())
      headers += line + "\r\n";
    return http_client{port()}.send("POST", path, sent_body, headers).status;
  }

  std::string path;
};

TEST_CASE("a node serves addresses of callbacks to anyone, and those without a profile are not there") {
  node_world w;
  http_client client{w.port()};
  const auto form = "Content-Type: application/x-www-form-urlencoded\r\n";
  CHECK(client.send("POST", nobody, "MessageStatus=sent", form).status == 404);
  CHECK(client.send("POST", nobody, "{}", "Content-Type: application/json\r\n").status == 404);
  CHECK(client.send("POST", "/v1/callbacks/nobody", "{}", "Content-Type: application/json\r\n").status
        == 404);
  CHECK(client.send("POST", nobody, "<a/>", "Content-Type: application/xml\r\n").status == 415);
  CHECK(client.send("GET", nobody).status == 401);
}

TEST_CASE("a callback over its limit is refused, though the API takes longer bodies") {
  node_world w{{}, [](auto& settings) { settings.callbacks.body_bytes_max = 1024; }};
  http_client client{w.port()};
  const auto form = "Content-Type: application/x-www-form-urlencoded\r\n";
  CHECK(client.send("POST", nobody, std::string(1025, 'x'), form).status == 413);
}

TEST_CASE("what a provider posts is in the ledger when it is answered, what is forged in the audit alone") {
  callback_node w;
  const std::string body = R"({"id": "m-1", "state": "delivered"})";
  CHECK(w.post(body, body) == 204);
  CHECK(w.post(body, body) == 204);
  CHECK(w.post(body, R"({"id": "m-1", "state": "bounced"})") == 403);
  auto db = app::open_session(w.context, storage::access::read).value();
  const auto events = storage::list_provider_events(db, {}).value();
  REQUIRE(events.size() == 2);
  CHECK(events.front().duplicate_of == events.back().id);
  CHECK(events.back().tenant == "acme");
  CHECK(events.back().what.type == core::provider_event_type::delivered);
  auto refused = storage::list_callback_refusals(db, {}).value();
  for (auto looks = 0; looks < 1000 && refused.empty(); ++looks) {
    CHECK(http_client{w.port()}.send("GET", "/healthz").status == 200);
    refused = storage::list_callback_refusals(db, {}).value();
  }
  REQUIRE(refused.size() == 1);
  CHECK(refused.front().tenant == "acme");
  CHECK(refused.front().source == "127.0.0.1");
}

} // namespace
} // namespace sluice::app
