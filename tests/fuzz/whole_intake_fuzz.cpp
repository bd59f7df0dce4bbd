#include "actors/alarm.hpp"
#include "actors/callback_intake.hpp"
#include "core/callback_outcome.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "harness/mocks.hpp"
#include "harness/world.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/sns_message.hpp"
#include "providers/text_encoding.hpp"
#include "providers/twilio_signature.hpp"
#include "providers/webhook_signature.hpp"
#include "storage/provider_events.hpp"
#include "storage/provider_profiles.hpp"
#include "tests/certificates.hpp"
#include "tests/fuzz/promises.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;
using core::callback_outcome;
using tests::is_clean;
using tests::require;
using json = nlohmann::json;

namespace {

constexpr const char* topic = "arn:aws:sns:eu-central-1:123456789012:t";
constexpr const char* certificate_url =
    "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a.pem";
constexpr std::string_view webhook_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* public_url = "https://hooks.example.com/v1/callbacks/p";
constexpr std::int64_t everything = 1000;

std::string hex_digest(std::string_view text) {
  const auto digest = crypto::sha256(text);
  return crypto::to_hex(crypto::as_bytes(digest));
}

/// What the fuzzer's bytes say: a line of four characters, the request's query on a line, the body.
struct wanted_callback {
  char provider = 'w';      ///< s, t, w, m (an account that gets no callbacks); else an address of nothing
  bool is_signed = true;    ///< 'y'
  char type = 'j';          ///< j, f, p; else without a content type
  std::size_t repeated = 1; ///< how often the same is posted
  std::string query;
  std::string body;
};

wanted_callback read(std::string_view text) {
  wanted_callback made;
  const auto next = [&text] {
    const char c = text.empty() ? ' ' : text.front();
    text.remove_prefix(std::min<std::size_t>(1, text.size()));
    return c;
  };
  made.provider = next();
  made.is_signed = next() == 'y';
  made.type = next();
  made.repeated = 1 + static_cast<unsigned char>(next()) % 3;
  const auto line = std::min(text.find('\n'), text.size());
  made.query = text.substr(0, line);
  made.body = text.substr(std::min(line + 1, text.size()));
  return made;
}

std::string type_of(char word) {
  switch (word) {
  case 'j':
    return "application/json";
  case 'f':
    return "application/x-www-form-urlencoded";
  case 'p':
    return "text/plain; charset=UTF-8";
  default:
    return {};
  }
}

core::provider_profile profile(std::string name, core::provider_kind provider, const json& settings,
                               const json& credentials) {
  core::provider_profile made;
  made.tenant = "acme";
  made.name = std::move(name);
  made.provider = provider;
  made.settings = settings.dump();
  made.credentials = credentials.dump();
  return made;
}

/// The real intake, recorder, reader and database of a node; behind them the real adapters. SNS's certificate
/// is one of ours, served in place of a call.
struct intake_world : harness::world {
  intake_world() : courier(mock<messages::courier>("courier")) {
    add_tenant("acme");
    using enum core::provider_kind;
    add('s', profile("ses", ses, {{"region", "eu-central-1"}, {"from", "a@example.com"}, {"topics", {topic}}},
                     {{"access_key_id", "a"}, {"secret_access_key", "s3cret"}}));
    add('t',
        profile("twilio", twilio, {{"account_sid", "AC" + std::string(32, '1')}, {"from", "+15005550006"}},
                {{"auth_token", "t0ken"}}));
    add('w', profile("hook", webhook,
                     {{"url", "https://receiver.example/send"},
                      {"callback", {{"id", "/data/id"}, {"state", "/data/state"}, {"time", "/at"}}}},
                     {{"secrets", {webhook_secret}}}));
    add('m',
        profile("mail", smtp, {{"host", "smtp.example.com"}, {"from", "a@example.com"}}, json::object()));
    courier.accept<messages::place_calls>();
    links->recorder = recorder();
    links->courier = courier;
    links->alarm = spawn("alarm", actors::alarm, std::cref(clock()));
    links->time = &clock();
    links->settings = &settings();
    intake = spawn("callback_intake", actors::callback_intake,
                   actors::callback_intake_resources{
                       links, recorder(), recorder(), reader(), [](const core::provider_profile& of) {
                         return providers::make_notification_adapter(of, {public_url});
                       }});
    settle();
  }

  void add(char word, const core::provider_profile& wanted) {
    ids.emplace_back(word, must(storage::transact(db(), [&](storage::session& open) {
                             return storage::make_profile(open, wanted, *keys(), now());
                           })).profile.public_id);
  }

  std::string address(char word) const {
    const auto found = std::ranges::find(ids, word, &std::pair<char, std::string>::first);
    return found == ids.end() ? std::string(1, word) : found->second;
  }

  /// What was kept since the last look, oldest first.
  std::vector<core::kept_event> new_events() {
    core::kept_event_page page;
    page.limit = everything;
    auto listed = must(storage::list_provider_events(db(), page));
    std::erase_if(listed, [this](const auto& each) { return each.id <= seen; });
    std::ranges::reverse(listed);
    if (!listed.empty())
      seen = listed.back().id;
    return listed;
  }

  /// The certificate that is asked for is served.
  void serve_certificates() {
    const auto& placed = courier.got<messages::place_calls>();
    for (; served < placed.size(); ++served) {
      const auto& call = placed[served].calls.front();
      core::call_answer made;
      made.id = call.id;
      made.owner = call.owner;
      made.answer.status = 200;
      made.answer.body = call.request.url == certificate_url ? signer.pem() : "";
      inject(messages::calls_answered{{made}}).from(courier).to(intake);
      settle();
    }
  }

  callback_outcome post(const wanted_callback& wanted, const core::callback_request& request) {
    auto asked =
        ask<messages::callback_taken>(intake, messages::take_callback{address(wanted.provider), request,
                                                                      "192.0.2.1", hex_digest(request.body)});
    settle();
    serve_certificates();
    require(asked.answered());
    return asked.value().outcome;
  }

  static tests::identity make_signer(core::timestamp now) {
    return tests::issue({"sns.amazonaws.com", "DNS:sns.amazonaws.com,DNS:sns.eu-central-1.amazonaws.com",
                         false, now - 24h, now + 24h * 3650},
                        tests::make_rsa_key(), nullptr);
  }

  std::vector<std::pair<char, std::string>> ids;
  core::provider_event_id seen{};
  std::size_t served = 0;
  tests::identity signer = make_signer(now());
  std::shared_ptr<actors::node_links> links = std::make_shared<actors::node_links>();
  harness::mock_courier courier;
  messages::callback_intake intake;
};

/// An envelope around what the fuzzer wrote, signed as SNS signs.
std::string sns_envelope(const wanted_callback& wanted, const intake_world& w) {
  json made{{"Type", "Notification"},
            {"MessageId", hex_digest(wanted.query).substr(0, 36)},
            {"TopicArn", topic},
            {"Message", wanted.body},
            {"Timestamp", "2026-01-31T08:00:00.000Z"},
            {"SignatureVersion", "2"},
            {"Signature", "c2ln"},
            {"SigningCertURL", certificate_url}};
  const auto text = [&made] { return made.dump(-1, ' ', false, json::error_handler_t::replace); };
  core::callback_request unsigned_one{.method = "POST", .path_and_query = "/", .headers = {}, .body = text()};
  unsigned_one.headers = {{"content-type", "text/plain"}};
  if (const auto message = providers::parse_sns_message(unsigned_one))
    made["Signature"] = crypto::to_base64(
        tests::rsa_sign(w.signer.key, EVP_sha256(), providers::sns_string_to_sign(*message)));
  return text();
}

void sign_as_twilio(const wanted_callback& wanted, core::callback_request& request) {
  auto query = wanted.query;
  providers::form_fields fields;
  if (wanted.type == 'f')
    fields = providers::parse_form(request.body);
  else
    query = "bodySHA256=" + hex_digest(request.body) + "&" + query;
  request.path_and_query = "/v1/callbacks/p?" + query;
  request.headers.emplace_back(
      "x-twilio-signature",
      providers::twilio_signature("t0ken", std::string{public_url} + "?" + query, fields));
}

void sign_as_webhook(const wanted_callback& wanted, core::callback_request& request, core::timestamp now) {
  const auto id = "evt_" + hex_digest(wanted.query).substr(0, 8);
  const auto lines =
      providers::sign_webhook(id, request.body, {{std::string{webhook_secret}, std::nullopt}}, now).value();
  for (const auto& line : lines) {
    const auto colon = line.find(':');
    request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
}

core::callback_request request_of(const wanted_callback& wanted, const intake_world& w, core::timestamp now) {
  core::callback_request made{.method = "POST",
                              .path_and_query = "/v1/callbacks/p?" + wanted.query,
                              .headers = {},
                              .body = wanted.body};
  if (auto type = type_of(wanted.type); !type.empty())
    made.headers.emplace_back("content-type", std::move(type));
  if (!wanted.is_signed)
    return made;
  if (wanted.provider == 's')
    made.body = sns_envelope(wanted, w);
  else if (wanted.provider == 't')
    sign_as_twilio(wanted, made);
  else if (wanted.provider == 'w')
    sign_as_webhook(wanted, made, now);
  return made;
}

/// What is kept can be shown and found, and one callback told twice is projected once.
void check(const std::vector<core::kept_event>& first, const std::vector<core::kept_event>& again) {
  for (const auto& event : first) {
    require(!event.what.provider_message_id.empty() || !event.what.attempt_id.empty());
    for (const auto& text : {event.what.event_id, event.what.provider_message_id, event.what.attempt_id,
                             event.what.provider_type, event.what.detail})
      require(is_clean(text) && text.size() <= core::provider_text_bytes_max);
    require(event.progress != core::event_progress::pending);
  }
  for (const auto& event : again)
    require(event.progress == core::event_progress::duplicate && event.duplicate_of.has_value());
}

} // namespace

/// Whatever is posted, to whatever address, is answered: what bears no signature of its provider's leaves
/// nothing in the ledger, what bears one is there whole, and once however often it comes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int posts_a_world = 500; // what is kept is listed anew each time
  static std::unique_ptr<intake_world> w;
  static int posts = 0;
  if (!w || ++posts % posts_a_world == 0)
    w = std::make_unique<intake_world>();
  const auto wanted = read({reinterpret_cast<const char*>(data), size});
  const auto request = request_of(wanted, *w, w->now());
  const auto outcome = w->post(wanted, request);
  const auto first = w->new_events();
  const bool known = wanted.provider == 's' || wanted.provider == 't' || wanted.provider == 'w';
  require(known ? outcome == callback_outcome::recorded || outcome == callback_outcome::refused
                : outcome == callback_outcome::unknown);
  require(wanted.is_signed || outcome != callback_outcome::recorded);
  require(outcome == callback_outcome::recorded || first.empty());
  for (std::size_t i = 1; i < wanted.repeated; ++i) {
    require(w->post(wanted, request) == outcome);
    const auto again = w->new_events();
    require(again.size() == first.size());
    check(first, again);
  }
  check(first, {});
  return 0;
}
